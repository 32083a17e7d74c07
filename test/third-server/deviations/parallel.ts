import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { boundary, refusal } from '../answers.ts';
import { counter, type Deviation, pause, workingIn } from '../deviation.ts';
import type { Call, Fields, Json } from '../model.ts';
import type { Probe, Reply } from '../probe.ts';
import { around } from '../steps.ts';
import { inFlight, meeting } from './in-flight.ts';

const together = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

const read = (p: Probe, index: number, more: Fields = {}): Promise<Reply> =>
  p.call('primary', 'knowledge.search', { workspace: index % 2 === 0 ? 'dock' : 'pier', query: `q${index}`, ...more });

const sameOf = (values: readonly (Json | undefined)[]): boolean => new Set(values).size < values.length;

/**
 * Deviations of concurrent requests with different tools, keys and workspaces, including responses with data of another
 * request.
 */
export const inParallel: Deviation[] = [
  {
    id: 'id-used-after-a-pause',
    sentence: 'An id is marked as used only when the run has begun.',
    breaks: ['race.one-dispatches', 'race.others-invalid'],
    steps: (s) =>
      around(s, 'dispatch', (next) => async (c, proposal) => {
        await pause(meeting);
        return next(c, proposal);
      }),
    probe: async (p) => {
      const id = await p.proposed('primary');
      return (await together(5, () => p.confirm('primary', id))).filter(({ ok }) => ok).length > 1;
    },
  },
  {
    id: 'losers-are-told-busy',
    sentence: 'Simultaneous confirmations that lose are told that the run is being started.',
    breaks: ['race.others-invalid'],
    steps: (s) => {
      const busy = new Set<string>();
      around(s, 'run', (next) => async (c) => {
        const id = String(c.args.confirmation_id);
        if (c.tool !== 'images.generate' || !c.world.proposals.has(id)) return next(c);
        if (busy.has(id)) return refusal('run_starting', 'This run is being started.');
        busy.add(id);
        await pause(meeting);
        const answer = await next(c);
        busy.delete(id);
        return answer;
      });
    },
    probe: async (p) => {
      const id = await p.proposed('primary');
      return (await together(5, () => p.confirm('primary', id))).some(({ code }) => code === 'run_starting');
    },
  },
  {
    id: 'current-workspace-is-shared',
    sentence: 'The workspace of a key stands in a variable that simultaneous requests share.',
    breaks: [
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.working-in-agrees',
      'workspaces.source-call-override',
    ],
    steps: (s) =>
      inFlight(
        s,
        ({ key, at, tool }) => (at === undefined || tool === 'images.generate' ? undefined : key.role),
        (calls, own, answer) => {
          own.at = calls.at(-1)?.at ?? own.at;
          return answer();
        },
      ),
    probe: async (p) => {
      const replies = await together(4, (index) => read(p, index));
      return replies.some(({ body }, index) => body.workspace !== (index % 2 === 0 ? 'dock' : 'pier'));
    },
  },
  {
    id: 'current-workspace-shared-by-keys',
    sentence: 'Simultaneous requests of different keys of an account share the workspace.',
    breaks: [
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.source-call-override',
      'workspaces.source-key-pin',
      'workspaces.source-stored-default',
    ],
    steps: (s) =>
      inFlight(
        s,
        ({ at, tool, key }) => (at === undefined || tool !== 'schedule.read' ? undefined : key.account),
        (calls, own, answer) => {
          own.at = calls.find(({ key }) => key.role !== own.key.role)?.at ?? own.at;
          return answer();
        },
      ),
    probe: async (p) => {
      const [one] = await Promise.all([
        p.call('primary', 'schedule.read', { workspace: 'dock' }),
        p.call('defaulted', 'schedule.read', { workspace: 'pier' }),
      ]);
      return one.body.workspace === 'pier';
    },
  },
  {
    id: 'questions-swapped',
    sentence: 'Simultaneous questions get the echo of the last one.',
    breaks: ['knowledge.query-echoed'],
    steps: (s) =>
      inFlight(
        s,
        ({ tool, key }) => (tool === 'knowledge.search' ? key.account : undefined),
        (calls, own, answer) => {
          own.args = { ...own.args, query: calls.at(-1)?.args.query ?? '' };
          return answer();
        },
      ),
    probe: async (p) => sameOf((await together(4, (index) => read(p, index))).map(({ body }) => body.query)),
  },
  {
    id: 'simultaneous-proposals-share-an-id',
    sentence: 'Proposals of one millisecond share an id.',
    breaks: ['image-proposals.confirmation-id-new', 'confirmations.reply-as-confirmed', 'confirmations.dispatched'],
    steps: (s) => {
      let last: { time: number; id: string } | undefined;
      around(s, 'propose', (next) => async (c) => {
        const { body, ...answer } = await next(c);
        const fields = body as Fields;
        if (last === undefined || c.now - last.time > meeting) {
          last = { time: c.now, id: String(fields.confirmation_id) };
        }
        return { ...answer, body: { ...fields, confirmation_id: last.id } };
      });
    },
    probe: async (p) => sameOf((await together(4, () => p.proposed('primary'))).map((id) => id)),
  },
  {
    id: 'simultaneous-pieces-share-an-id',
    sentence: 'Simultaneous content requests get the same `piece_id`.',
    breaks: ['content-requests.piece-id-new'],
    steps: (s) =>
      around(s, 'create', (next) => async (c) => {
        const before = c.world.serial;
        await pause(meeting);
        c.world.serial = before;
        return next(c);
      }),
    probe: async (p) => sameOf((await together(3, () => p.create('primary'))).map(({ body }) => body.piece_id)),
  },
  {
    id: 'bad-key-beside-good-is-served',
    sentence: 'An unknown key is served while a request of a good one is in flight.',
    breaks: ['authentication.unknown-refused', 'authentication.absent-refused'],
    steps: (s) => {
      const open: Call[] = [];
      around(s, 'run', (next) => async (c) => {
        open.push(c);
        await pause(meeting);
        const answer = await next(c);
        open.splice(open.indexOf(c), 1);
        return answer;
      });
      around(s, 'credential', (next) => (c) => next(c) ?? (c.segment === 'credits.balance' ? open[0]?.key : undefined));
    },
    probe: async (p) => {
      const [, bad] = await Promise.all([
        p.call('primary', 'schedule.read', { workspace: 'dock' }),
        pause(2).then(() => p.call('primary', 'credits.balance', {}, { authorization: 'Bearer nobody' })),
      ]);
      return bad?.status === 200;
    },
  },
  {
    id: 'refusal-marks-neighbours',
    sentence: `A success beside a refusal carries \`${responseHeaders.toolError}: true\`.`,
    breaks: ['headers.tool-error-on-success'],
    steps: (s) => {
      let open = 0;
      let refused = false;
      around(s, 'handle', (next) => async (c) => {
        open += 1;
        const answer = await next(c);
        if (answer.headers[responseHeaders.toolError] === 'true') refused = true;
        await pause(meeting);
        open -= 1;
        const marked = refused && answer.status === 200;
        if (open === 0) refused = false;
        return marked ? { ...answer, headers: { ...answer.headers, [responseHeaders.toolError]: 'true' } } : answer;
      });
    },
    probe: async (p) => {
      const [good] = await Promise.all([
        p.call('primary', 'schedule.read', { workspace: 'dock' }),
        p.call('ambiguous', 'schedule.read', {}),
      ]);
      return good.headers[responseHeaders.toolError] === 'true';
    },
  },
  {
    id: 'many-at-once-fail',
    sentence: 'More than six simultaneous requests of a key are a 503.',
    breaks: ['envelopes.no-server-error', 'envelopes.described-status'],
    steps: (s) => {
      const open = new Map<string, number>();
      around(s, 'run', (next) => async (c) => {
        const before = open.get(c.key.role) ?? 0;
        if (before >= 6) return boundary(503, 'tenant_api.busy', 'Too many at once.');
        open.set(c.key.role, before + 1);
        await pause(meeting);
        open.set(c.key.role, (open.get(c.key.role) ?? 1) - 1);
        return next(c);
      });
    },
    probe: async (p) => {
      // On a busy machine, few requests arrive at the same moment.
      const all = [
        ...(await together(20, (index) => read(p, index))),
        ...(await together(20, (index) => read(p, index))),
      ];
      return all.some(({ status }) => status === 503);
    },
  },
  {
    id: 'simultaneous-proposals-mix-counts',
    sentence: 'Simultaneous proposals of a key show the count of the last one.',
    breaks: ['image-proposals.count-as-asked', 'confirmations.reply-as-confirmed'],
    steps: (s) =>
      inFlight(
        s,
        ({ tool, key, args }) => (tool === 'images.generate' && !args.confirmation_id ? key.role : undefined),
        (calls, own, answer) => {
          own.args = { ...own.args, count: calls.at(-1)?.args.count ?? 1 };
          return answer();
        },
      ),
    probe: async (p) => {
      const made = await together(3, (index) => p.propose('primary', { count: index + 1 }));
      return made.some(({ body }, index) => body.count !== index + 1);
    },
  },
  {
    id: 'simultaneous-runs-share-an-id',
    sentence: 'Simultaneous confirmations of different ids get the same `run_id`.',
    breaks: ['confirmations.run-id-new'],
    steps: (s) => {
      const count = counter();
      around(s, 'dispatch', (next) => async (c, proposal) => {
        const answer = await next(c, proposal);
        const body = answer.body as Fields;
        const slot = Math.floor(c.now / 25);
        count(String(slot));
        return body.ok ? { ...answer, body: { ...body, run_id: `run-${slot}` } } : answer;
      });
    },
    probe: async (p) => {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const ids = [await p.proposed('primary'), await p.proposed('primary')];
        const runs = await Promise.all(ids.map((id) => p.confirm('primary', id)));
        if (sameOf(runs.map(({ body }) => body.run_id))) return true;
      }
      return false;
    },
  },
  {
    id: 'pinned-beside-named-loses-its-pin',
    sentence: 'A pinned key works where another request of the account is at that moment.',
    breaks: ['workspaces.source-key-pin', 'workspaces.argument-honoured'],
    steps: (s) =>
      inFlight(
        s,
        ({ at, key, tool }) => (at === undefined || tool.startsWith('images') ? undefined : key.account),
        async (calls, own, answer) => {
          const other = calls.find(({ at }) => at.source === 'call-override');
          if (own.at.source === 'key-pin' && other !== undefined) own.at = { ...own.at, slug: other.at.slug };
          return answer();
        },
      ),
    probe: async (p) => {
      const [mine] = await Promise.all([
        p.call('pinned', 'content.status'),
        p.call('primary', 'schedule.read', { workspace: 'dock' }),
      ]);
      return mine.body.workspace === 'dock' && workingIn(mine).source === 'key-pin';
    },
  },
  {
    id: 'limit-of-one-stops-all-in-flight',
    sentence: 'While one key is over its limit, simultaneous requests of the account meet the same 429.',
    breaks: ['rate-limit.per-key'],
    steps: (s) => {
      let until = 0;
      around(s, 'wait', (next) => (c) => {
        const seconds = next(c);
        if (seconds !== undefined) until = Date.now() + 40;
        return seconds ?? (Date.now() < until && c.key.account === 'harbour' ? 1 : undefined);
      });
    },
    probe: async (p) => {
      for (let index = 0; index < 25; index += 1) await p.call('throttled', 'credits.balance');
      await p.call('throttled', 'credits.balance');
      return (await p.call('primary', 'credits.balance')).status === 429;
    },
  },
];
