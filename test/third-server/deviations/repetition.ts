import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { boundary } from '../answers.ts';
import { counter, type Deviation } from '../deviation.ts';
import type { Fields } from '../model.ts';
import { around, type Steps, unauthorizedCode, unknownToolCode } from '../steps.ts';

/** Changes successful bodies of one tool. */
export function onSuccess(steps: Steps, tool: string, change: (body: Fields, role: string) => void): void {
  around(steps, 'run', (next) => async (c) => {
    const answer = await next(c);
    // Bodies of this server are objects.
    const body = answer.body as Fields;
    if (c.tool === tool && body.ok === true) change(body, c.key.role);
    return answer;
  });
}

async function times<T>(count: number, act: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await act());
  return results;
}

const distinct = (values: readonly unknown[]): number => new Set(values).size;

/** Deviations of the second, tenth or thirtieth request. */
export const byRepetition: Deviation[] = [
  {
    id: 'tenth-schedule-without-workspace',
    sentence: 'From the tenth reading on the schedule comes from a cache that lacks `working_in`.',
    breaks: ['workspaces.working-in-present', 'schedule.answers'],
    steps: (s) => {
      const count = counter();
      onSuccess(s, 'schedule.read', (body, role) => {
        if (count(role) >= 10) delete body.working_in;
      });
    },
    probe: async (p) => {
      const read = await times(11, () => p.call('primary', 'schedule.read', { workspace: 'dock' }));
      return read.at(-1)?.body.working_in === undefined;
    },
  },
  {
    id: 'third-malformed-body-passes',
    sentence: 'From the third text in a row that is not JSON on, a key is served as if it had sent no body.',
    breaks: ['bodies.not-json', 'bodies.every-reading-tool'],
    steps: (s) => {
      const count = counter();
      around(s, 'parse', (next) => (c) => {
        const text = /^[^{["\d]/.test(`${c.raw}`) && !/^(true|false|null)$/.test(`${c.raw}`);
        return text && count(c.key.role) >= 3 ? {} : next(c);
      });
    },
    probe: async (p) => {
      const sent = await times(3, () => p.call('primary', 'credits.balance', undefined, { raw: 'nonsense' }));
      return sent.at(-1)?.ok === true;
    },
  },
  {
    id: 'third-presentation-runs-again',
    sentence: 'The third presentation of a used id runs again.',
    breaks: ['confirmations.used-stays-invalid', 'confirmations.used-invalid'],
    steps: (s) => {
      const count = counter();
      around(s, 'live', (next) => (c, id) => {
        const used = c.world.proposals.get(id);
        return used?.used && count(id) === 2 && used.workspace === c.at.slug ? used : next(c, id);
      });
    },
    probe: async (p) => {
      const id = await p.proposed('primary');
      return (await times(3, () => p.confirm('primary', id))).at(-1)?.ok === true;
    },
  },
  {
    id: 'run-ids-come-round',
    sentence: 'After four runs of a workspace the ids of runs begin again.',
    breaks: ['confirmations.run-id-new'],
    steps: (s) => {
      const count = counter();
      around(s, 'dispatch', (next) => async (c, proposal) => {
        const answer = await next(c, proposal);
        const body = answer.body as Fields;
        return body.ok ? { ...answer, body: { ...body, run_id: `run-${c.at.slug}-${count(c.at.slug) % 4}` } } : answer;
      });
    },
    probe: async (p) => {
      const runs = await times(5, async () => (await p.confirm('primary', await p.proposed('primary'))).body.run_id);
      return distinct(runs) < 5;
    },
  },
  {
    id: 'piece-ids-come-round',
    sentence: 'After six pieces of one format the ids of pieces begin again.',
    breaks: ['content-requests.piece-id-new'],
    steps: (s) => {
      const count = counter();
      onSuccess(s, 'content.create_request', (body) => {
        body.piece_id = `pc-${body.format}-${count(String(body.format)) % 6}`;
      });
    },
    probe: async (p) => distinct(await times(7, async () => (await p.create('primary')).body.piece_id)) < 7,
  },
  {
    id: 'many-bad-keys-get-another-401',
    sentence: 'From the sixth request without a credential on, the 401 says that there were too many.',
    breaks: ['authentication.uniform-across-tools', 'authentication.unknown-like-absent'],
    steps: (s) => {
      const count = counter();
      around(s, 'handle', (next) => async (c) => {
        const answer = await next(c);
        const often = answer.status === 401 && c.headers.authorization === undefined && count('absent') >= 6;
        return often ? boundary(401, unauthorizedCode, 'Too many attempts without a key.') : answer;
      });
    },
    probe: async (p) => {
      const sent = await times(6, () => p.call('primary', 'schedule.read', {}, { authorization: null }));
      return distinct(sent.map(({ text }) => text)) > 1;
    },
  },
  {
    id: 'many-unknown-tools-get-a-hint',
    sentence: 'From the eighth unknown tool of a key on, the 404 points to the description.',
    breaks: ['unknown-tools.uniform-body'],
    steps: (s) => {
      const count = counter();
      around(s, 'handle', (next) => async (c) => {
        const answer = await next(c);
        const often = answer.status === 404 && count(c.key.role) >= 8;
        return often ? boundary(404, unknownToolCode, 'There is no such tool. See the description.') : answer;
      });
    },
    probe: async (p) => distinct((await times(8, () => p.call('primary', 'no.tool', {}))).map(({ text }) => text)) > 1,
  },
  {
    id: 'same-proposal-gets-used-id',
    sentence: 'The same proposal gets the same id for ten minutes, also after the id was used.',
    breaks: ['image-proposals.confirmation-id-new', 'confirmations.recovery', 'confirmations.dispatched'],
    steps: (s) =>
      around(s, 'propose', (next) => {
        const given = new Map<string, { time: number; body: Fields }>();
        return async (c) => {
          const name = JSON.stringify([c.key.role, c.args]);
          const earlier = given.get(name);
          const answer = await next(c);
          if (earlier !== undefined && c.now - earlier.time < 600_000) return { ...answer, body: earlier.body };
          given.set(name, { time: c.now, body: answer.body as Fields });
          return answer;
        };
      }),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.confirm('primary', id);
      return (await p.proposed('primary')) === id;
    },
  },
  {
    id: 'repeated-proposal-without-summary',
    sentence: 'From the third proposal with the same brief on, the summary is empty.',
    breaks: ['image-proposals.request-summary', 'image-proposals.proposed'],
    steps: (s) => {
      const count = counter();
      around(s, 'propose', (next) => async (c) => {
        const answer = await next(c);
        const often = count(String(c.args.brief)) >= 3;
        return often ? { ...answer, body: { ...(answer.body as Fields), request_summary: '' } } : answer;
      });
    },
    probe: async (p) => (await times(3, () => p.propose('primary'))).at(-1)?.body.request_summary === '',
  },
  {
    id: 'second-question-echoed-in-small-letters',
    sentence: 'A question that was asked before is echoed in small letters.',
    breaks: ['knowledge.query-echoed'],
    steps: (s) => {
      const count = counter();
      onSuccess(s, 'knowledge.search', (body) => {
        const query = String(body.query);
        if (count(query) > 1) body.query = query.toLowerCase();
      });
    },
    probe: async (p) => {
      const asked = await times(2, () => p.call('primary', 'knowledge.search', { workspace: 'dock', query: 'Why?' }));
      return asked.at(-1)?.body.query === 'why?';
    },
  },
  {
    id: 'every-thirtieth-request-fails',
    sentence: 'Every thirtieth request of a key is answered with 500.',
    breaks: ['envelopes.no-server-error'],
    steps: (s) => {
      const count = counter();
      around(
        s,
        'run',
        (next) => async (c) =>
          count(c.key.role) % 30 === 0 ? boundary(500, 'tenant_api.internal', 'Something went wrong.') : next(c),
      );
    },
    probe: async (p) =>
      (await times(30, () => p.call('primary', 'credits.balance'))).some(({ status }) => status === 500),
  },
  {
    id: 'every-twelfth-answer-without-beta',
    sentence: `One in twelve successful answers lacks \`${responseHeaders.api}\`.`,
    breaks: ['headers.beta-on-200'],
    steps: (s) => {
      const count = counter();
      around(s, 'finish', (next) => async (c, answer) => {
        const { headers, ...rest } = await next(c, answer);
        const lacks = answer.status === 200 && count('200') % 12 === 0;
        return { ...rest, headers: lacks ? {} : headers };
      });
    },
    probe: async (p) =>
      (await times(12, () => p.call('primary', 'credits.balance'))).some(
        ({ headers }) => !headers[responseHeaders.api],
      ),
  },
  {
    id: 'fifth-proposal-costs',
    sentence: 'Every fifth proposal of a key costs a credit.',
    breaks: ['image-proposals.spends-nothing'],
    steps: (s) => {
      const count = counter();
      around(s, 'propose', (next) => (c) => {
        const { account, role } = c.key;
        if (count(role) % 5 === 0) c.world.credits.set(account, (c.world.credits.get(account) ?? 0) - 1);
        return next(c);
      });
    },
    probe: async (p) => {
      const before = await p.call('primary', 'credits.balance');
      await times(5, () => p.propose('primary'));
      return before.text !== (await p.call('primary', 'credits.balance')).text;
    },
  },
  {
    id: 'second-invalid-request-without-issues',
    sentence: 'An invalid request that a key repeats is refused without `issues`.',
    breaks: ['arguments.issues-listed'],
    steps: (s) => {
      const count = counter();
      around(s, 'handle', (next) => async (c) => {
        const answer = await next(c);
        const body = answer.body as Fields;
        if (body.code === refusalCodes.invalidArguments && count(`${c.key.role} ${c.tool} ${c.raw}`) > 1)
          delete body.issues;
        return answer;
      });
    },
    probe: async (p) => (await times(2, () => p.call('primary', 'library.get', {}))).at(-1)?.body.issues === undefined,
  },
];
