import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { boundary } from '../answers.ts';
import { crowded, onAnswer, pause } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Call } from '../model.ts';
import { around, type Steps, step } from '../steps.ts';

const create = 'content.create_request';

/**
 * Waits so that requests that are sent together meet. On a busy machine, a single timer could end before the server
 * reads the second request, so the wait takes many turns of the event loop.
 */
async function meeting(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await pause(5);
}

/** Changes a request by the concurrent ones of its group. Requests with equal results of `name` form a group. */
function inFlight(name: (call: Call) => string | undefined, change: (own: Call, calls: readonly Call[]) => void) {
  return (steps: Steps): void => {
    const open = new Map<string, Call[]>();
    around(steps, 'run', (next) => async (c) => {
      const group = name(c);
      if (group === undefined) return next(c);
      const calls = open.get(group) ?? [];
      open.set(group, calls);
      calls.push(c);
      await meeting();
      change(c, calls);
      const answer = await next(c);
      calls.splice(calls.indexOf(c), 1);
      return answer;
    });
  };
}

/** Deviations of concurrent requests, including responses with data of another request. */
export const parallel = {
  'Simultaneous content requests land in the workspace of the last one': {
    breaks: ['content-requests.works-in-named-workspace', 'workspaces.argument-honoured'],
    steps: inFlight(
      ({ tool, key }) => (tool === create ? key.account : undefined),
      (own, calls) => {
        own.at = calls.at(-1)?.at ?? own.at;
      },
    ),
  },
  'Simultaneous readings of the balance tell that of the key that asked last': {
    breaks: ['credits.one-balance'],
    steps: inFlight(
      ({ tool }) => (tool === 'credits.balance' ? 'balance' : undefined),
      (own, calls) => {
        own.key = calls.at(-1)?.key ?? own.key;
      },
    ),
  },
  'Simultaneous requests of different keys of an account share the workspace': {
    breaks: [
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.source-call-override',
      'workspaces.source-key-pin',
      'workspaces.source-stored-default',
    ],
    steps: inFlight(
      ({ at, tool, key }) => (at === undefined || tool !== 'schedule.read' ? undefined : key.account),
      (own, calls) => {
        own.at = calls.find(({ key }) => key.role !== own.key.role)?.at ?? own.at;
      },
    ),
  },
  'An unknown key is served while a request of a good one is in flight': {
    breaks: ['authentication.unknown-refused', 'authentication.absent-refused'],
    steps: (s) => {
      const open: Call[] = [];
      around(s, 'run', (next) => async (c) => {
        open.push(c);
        await meeting();
        const answer = await next(c);
        open.splice(open.indexOf(c), 1);
        return answer;
      });
      around(s, 'credential', (next) => (c) => next(c) ?? (c.segment === 'credits.balance' ? open[0]?.key : undefined));
    },
  },
  'A success beside a refusal is marked as an error': {
    breaks: ['headers.tool-error-on-success'],
    steps: (s) => {
      let open = 0;
      let refused = false;
      around(s, 'handle', (next) => async (c) => {
        open += 1;
        const answer = await next(c);
        if (answer.headers[responseHeaders.toolError] === 'true') refused = true;
        await meeting();
        open -= 1;
        const marked = refused && answer.status === 200;
        if (open === 0) refused = false;
        return marked ? { ...answer, headers: { ...answer.headers, [responseHeaders.toolError]: 'true' } } : answer;
      });
    },
  },
  'More than six simultaneous requests of a key are a 503': {
    breaks: ['envelopes.no-server-error'],
    steps: crowded(
      6,
      ({ key }) => key.role,
      meeting,
      () => boundary(503, 'tenant_api.busy', 'Too many at once.'),
    ),
  },
  'Simultaneous confirmations of different ids get the same run_id': {
    breaks: ['confirmations.run-id-new'],
    steps: onAnswer('dispatch', ({ body }, { now }) => {
      if (body.ok === true) body.run_id = `run-${Math.floor(now / 100)}`;
    }),
  },
  'While one key is over its limit, simultaneous requests of the account meet the same 429': {
    breaks: ['rate-limit.per-key'],
    steps: step('wait', (next) => {
      let until = 0;
      return (c) => {
        const seconds = next(c);
        if (seconds !== undefined) until = Date.now() + 200;
        return seconds ?? (Date.now() < until && c.key.account === 'harbour' ? 1 : undefined);
      };
    }),
  },
} satisfies Deviations;
