import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { boundary, refusal } from '../answers.ts';
import { counter, type Deviation } from '../deviation.ts';
import type { Answer, Call, Fields } from '../model.ts';
import { second } from '../probe.ts';
import { around, type Steps } from '../steps.ts';

const create = 'content.create_request';
const images = 'images.generate';
const failure = (): Answer => boundary(500, 'tenant_api.internal', 'Something went wrong.');

/** Changes the successful results of a tool for some requests. */
function changed(tool: string, applies: (c: Call) => boolean, change: (body: Fields) => void): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'run', (next) => async (c) => {
      const answer = await next(c);
      // Bodies of this server are objects.
      const body = answer.body as Fields;
      if (c.tool === tool && body.ok === true && applies(c)) change(body);
      return answer;
    });
}

/** Replaces one of every `times` responses that `counts` selects. */
function every(times: number, counts: (c: Call, answer: Answer) => boolean, other: (answer: Answer) => Answer) {
  return (steps: Steps): void => {
    let count = 0;
    around(steps, 'finish', (next) => async (c, answer) => {
      if (!counts(c, answer)) return next(c, answer);
      count += 1;
      return next(c, count % times === 0 ? other(answer) : answer);
    });
  };
}

const byRole =
  (...roles: Role[]) =>
  ({ key }: Call): boolean =>
    roles.includes(key.role);

/** Further deviations that apply to one key only. */
export const furtherRoles: Deviation[] = [
  {
    id: 'formats-of-second-account-free',
    sentence: 'For the second account any format is accepted.',
    breaks: ['content-requests.format-unknown-refused'],
    steps: (s) =>
      around(s, 'check', (next) => (c) => {
        const issues = next(c);
        return c.tool === create && c.key.role === 'otherAccount'
          ? issues.filter(({ path }) => path !== 'format')
          : issues;
      }),
    probe: async (p) => (await p.create('otherAccount', { format: 'films' })).ok,
  },
  {
    id: 'boards-of-second-account-free',
    sentence: 'The second account may propose on boards that do not exist.',
    breaks: ['image-proposals.board-unknown-refused'],
    steps: (s) => around(s, 'board', (next) => (c, id) => c.key.role === 'otherAccount' || next(c, id)),
    probe: async (p) => (await p.propose('otherAccount', { board: 'brd-00' })).ok,
  },
  {
    id: 'sole-lacks-week-block',
    sentence: 'A content request of a key with one workspace lacks `week_block_id`.',
    breaks: ['content-requests.all-fields-present', 'content-requests.week-block-id'],
    steps: changed(create, byRole('sole'), (body) => void delete body.week_block_id),
    probe: async (p) => (await p.create('sole')).body.week_block_id === undefined,
  },
  {
    id: 'defaulted-echo-trimmed',
    sentence: 'A key with a default gets its question back without capitals.',
    breaks: ['knowledge.query-echoed'],
    steps: changed('knowledge.search', byRole('defaulted'), (body) => {
      body.query = String(body.query).toLowerCase();
    }),
    probe: async (p) =>
      (await p.call('defaulted', 'knowledge.search', { query: 'How MANY?' })).body.query === 'how many?',
  },
  {
    id: 'second-account-dispatch-keeps-summary',
    sentence: 'When the second account confirms, the reply repeats the summary.',
    breaks: ['confirmations.request-summary-null'],
    steps: changed(images, byRole('otherAccount'), (body) => {
      body.request_summary ??= 'Generate images.';
    }),
    probe: async (p) => {
      const reply = await p.confirm('otherAccount', await p.proposed('otherAccount'));
      return reply.body.request_summary !== null;
    },
  },
  {
    id: 'ambiguous-proposes-in-first',
    sentence: 'A key without default proposes in the workspace of the board.',
    breaks: ['workspaces.ambiguous-images-generate'],
    steps: (s) =>
      around(s, 'resolve', (next) => (c) => {
        const board = c.tool === images && c.args.workspace === undefined ? String(c.args.board) : '';
        const found = c.key.reach.find((slug) => c.world.workspaces.get(slug)?.boards.includes(board));
        return c.key.role === 'ambiguous' && found !== undefined ? { slug: found, source: 'call-override' } : next(c);
      }),
    probe: async (p) => (await p.proposeUnnamed('ambiguous')).ok,
  },
  {
    id: 'throttled-search-without-note',
    sentence: 'Searches of the throttled key lack the note on the workspace.',
    breaks: ['workspaces.working-in-present', 'library.search-answers'],
    steps: changed('library.search', byRole('throttled'), (body) => {
      body.working_in = { label: 'here' };
    }),
    probe: async (p) => {
      const { body } = await p.call('throttled', 'library.search', { query: '', workspace: 'dock' });
      return (body.working_in as Fields).note === undefined;
    },
  },
];

const inSecond = ({ at }: Call): boolean => at.slug === 'pier';

/** Further deviations that apply to one workspace, or after a request named another workspace. */
export const furtherWorkspaces: Deviation[] = [
  {
    id: 'second-slot-is-text',
    sentence: 'In the second workspace `filled_planned_slot` is a text.',
    breaks: ['content-requests.filled-planned-slot'],
    steps: changed(create, inSecond, (body) => {
      body.filled_planned_slot = 'no';
    }),
    probe: async (p) => (await p.create('primary', { workspace: 'pier' })).body.filled_planned_slot === 'no',
  },
  {
    id: 'sticky-after-content-request',
    sentence: 'After a content request in a named workspace a key with a default works there.',
    breaks: [
      'workspaces.source-stored-default',
      'image-proposals.works-without-argument',
      'workspaces.result-names-workspace',
    ],
    steps: (s) =>
      around(s, 'create', (next) => (c) => {
        if (c.key.fallback !== undefined && c.args.workspace !== undefined) c.key.pin = c.at.slug;
        return next(c);
      }),
    probe: async (p) => {
      await p.create('defaulted', { workspace: 'pier' });
      return (await p.call('defaulted', 'schedule.read')).body.workspace === 'pier';
    },
  },
  {
    id: 'second-schedule-begins-later',
    sentence: 'In the second workspace `week_start` is not the first of the days.',
    breaks: ['schedule.days-from-week-start'],
    steps: changed('schedule.read', inSecond, (body) => {
      body.week_start = (body.days as string[])[1] ?? '';
    }),
    probe: async (p) => {
      const { body } = await p.call('primary', 'schedule.read', { workspace: 'pier' });
      return body.week_start !== (body.days as string[])[0];
    },
  },
  {
    id: 'second-hits-of-text',
    sentence: 'In the second workspace hits carry their relevance as a text.',
    breaks: ['knowledge.hit-fields'],
    steps: changed('knowledge.search', inSecond, (body) => {
      body.hits = (body.hits as Fields[]).map((hit) => ({ ...hit, relevance: String(hit.relevance) }));
    }),
    probe: async (p) => {
      const { body } = await p.call('primary', 'knowledge.search', { workspace: 'pier', query: 'Why?' });
      return typeof (body.hits as Fields[])[0]?.relevance === 'string';
    },
  },
  {
    id: 'second-unknown-board-500',
    sentence: 'In the second workspace an unknown board is a 500.',
    breaks: ['envelopes.no-server-error', 'image-proposals.board-unknown-refused'],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const answer = await next(c);
        return c.at?.slug === 'pier' && (answer.body as Fields).code === refusalCodes.boardNotFound
          ? failure()
          : answer;
      }),
    probe: async (p) => (await p.propose('primary', { ...second, board: 'none' })).status === 500,
  },
  {
    id: 'second-groups-are-objects',
    sentence: 'In the second workspace `available` is an object.',
    breaks: ['connections.available'],
    steps: changed('connections.status', inSecond, (body) => {
      body.available = {};
    }),
    probe: async (p) =>
      !Array.isArray((await p.call('primary', 'connections.status', { workspace: 'pier' })).body.available),
  },
];

const isError = (status: number) => (_: Call, answer: Answer) => answer.status === status;
const withMember =
  (more: Fields) =>
  (answer: Answer): Answer => ({ ...answer, body: { ...(answer.body as Fields), ...more } });
const successOf = (tool: string) => (c: Call, answer: Answer) => c.tool === tool && (answer.body as Fields).ok === true;

/** Further deviations that depend on repetition. */
export const furtherRepetitions: Deviation[] = [
  {
    id: 'fifth-404-has-a-hint',
    sentence: 'Every fifth 404 of a server carries a hint beside `error`.',
    breaks: ['envelopes.boundary-no-other-keys', 'unknown-tools.uniform-body'],
    steps: every(5, isError(404), withMember({ hint: 'See the description.' })),
    probe: async (p) => {
      for (let count = 0; count < 5; count += 1) {
        if ((await p.call('primary', `no.tool${count}`, {})).body.hint !== undefined) return true;
      }
      return false;
    },
  },
  {
    id: 'twelfth-schedule-shuffled',
    sentence: 'Every twelfth schedule tells its days backwards.',
    breaks: ['schedule.days-consecutive', 'schedule.days-from-week-start'],
    steps: every(12, successOf('schedule.read'), (answer) => {
      const body = answer.body as Fields;
      return { ...answer, body: { ...body, days: (body.days as string[]).toReversed() } };
    }),
    probe: async (p) => {
      for (let count = 0; count < 12; count += 1) {
        const { body } = await p.call('primary', 'schedule.read', { workspace: 'dock' });
        if (body.week_start !== (body.days as string[])[0]) return true;
      }
      return false;
    },
  },
  {
    id: 'second-title-is-500',
    sentence: 'A title that was told twice for one day is a 500.',
    breaks: ['envelopes.no-server-error'],
    steps: (s) => {
      const count = counter();
      around(
        s,
        'create',
        (next) => async (c) =>
          c.args.title !== undefined && count(`${c.args.title} ${c.args.day}`) > 1 ? failure() : next(c),
      );
    },
    probe: async (p) => {
      await p.create('primary', { title: 'tck twice' });
      return (await p.create('primary', { title: 'tck twice' })).status === 500;
    },
  },
  {
    id: 'third-dispatch-keeps-id',
    sentence: 'Every third dispatch repeats its id.',
    breaks: ['confirmations.confirmation-id-null'],
    steps: (s) => {
      let count = 0;
      around(s, 'dispatch', (next) => async (c, proposal) => {
        const answer = await next(c, proposal);
        count += 1;
        return count % 3 === 0 ? withMember({ confirmation_id: proposal.id })(answer) : answer;
      });
    },
    probe: async (p) => {
      for (let count = 0; count < 3; count += 1) {
        if ((await p.confirm('primary', await p.proposed('primary'))).body.confirmation_id !== null) return true;
      }
      return false;
    },
  },
  {
    id: 'tenth-search-forgets-total',
    sentence: 'Every tenth search has the total as a text.',
    breaks: ['library.total'],
    steps: every(10, successOf('library.search'), withMember({ total: '14' })),
    probe: async (p) => {
      for (let count = 0; count < 10; count += 1) {
        if ((await p.call('primary', 'library.search', { query: '', workspace: 'dock' })).body.total === '14')
          return true;
      }
      return false;
    },
  },
  {
    id: 'fourth-use-is-told-to-come-later',
    sentence: 'The fourth presentation of a used id is told to come later.',
    breaks: ['confirmations.used-invalid', 'confirmations.used-stays-invalid', 'confirmations.used-like-never-issued'],
    steps: (s) => {
      const count = counter();
      around(s, 'run', (next) => async (c) => {
        const id = String(c.args.confirmation_id);
        const used = c.tool === images && c.world.proposals.get(id)?.used === true;
        return used && count(id) >= 4 ? refusal('too_often', 'Come later.') : next(c);
      });
    },
    probe: async (p) => {
      const id = await p.proposed('primary');
      for (let times = 0; times < 5; times += 1) if ((await p.confirm('primary', id)).code === 'too_often') return true;
      return false;
    },
  },
];
