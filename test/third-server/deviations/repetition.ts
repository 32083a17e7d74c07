import { boundary } from '../answers.ts';
import { type Change, counter, finishing, onAnswer, onSuccess } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Fields } from '../model.ts';
import { step, unauthorizedCode } from '../steps.ts';

/** Gives a change a counter for each server. */
function counting(change: (count: (name: string) => number) => Change): Change {
  return (steps) => change(counter())(steps);
}

/** Deviations of the second, tenth or thirtieth request. */
export const repetition = {
  'Every fifth 404 of a server carries a hint beside error': {
    breaks: ['envelopes.boundary-no-other-keys', 'unknown-tools.uniform-body'],
    steps: counting((count) =>
      onAnswer('handle', ({ status, body }) => {
        if (status === 404 && count('404') % 5 === 0) body.hint = 'See the description.';
      }),
    ),
  },
  'Every third dispatch repeats its id': {
    breaks: ['confirmations.confirmation-id-null'],
    steps: counting((count) =>
      onAnswer('dispatch', ({ body }, _, { id }) => {
        if (count('dispatches') % 3 === 0) body.confirmation_id = id;
      }),
    ),
  },
  'From the tenth reading on the schedule comes from a cache that lacks working_in': {
    breaks: ['workspaces.working-in-present'],
    steps: counting((count) =>
      onSuccess('schedule.read', (body, { key }) => {
        if (count(key.role) >= 10) delete body.working_in;
      }),
    ),
  },
  'After six pieces of one format the ids of pieces begin again': {
    breaks: ['content-requests.piece-id-new'],
    steps: counting((count) =>
      onSuccess('content.create_request', (body) => {
        body.piece_id = `pc-${body.format}-${count(String(body.format)) % 6}`;
      }),
    ),
  },
  'From the sixth request without a credential on, the 401 says that there were too many': {
    breaks: ['authentication.uniform-across-tools', 'authentication.unknown-like-absent'],
    steps: counting((count) =>
      step('handle', (next) => async (c) => {
        const answer = await next(c);
        const often = answer.status === 401 && c.headers.authorization === undefined && count('absent') >= 6;
        return often ? boundary(401, unauthorizedCode, 'Too many attempts without a key.') : answer;
      }),
    ),
  },
  'The same proposal gets the same id for ten minutes, also after the id was used': {
    breaks: ['image-proposals.confirmation-id-new', 'confirmations.recovery', 'confirmations.dispatched'],
    steps: step('propose', (next) => {
      const given = new Map<string, { time: number; body: Fields }>();
      return async (c) => {
        const name = JSON.stringify([c.key.role, c.args]);
        const earlier = given.get(name);
        const answer = await next(c);
        if (earlier !== undefined && c.now - earlier.time < 600_000) return { ...answer, body: earlier.body };
        given.set(name, { time: c.now, body: answer.body });
        return answer;
      };
    }),
  },
  'One in twelve successful answers lacks the header of the API': {
    breaks: ['headers.beta-on-200'],
    steps: counting((count) =>
      finishing(({ status }) => (status === 200 && count('200') % 12 === 0 ? { headers: {} } : undefined)),
    ),
  },
  'From the third text in a row that is not JSON on, a key is served as if it had sent no body': {
    breaks: ['bodies.not-json', 'bodies.every-reading-tool'],
    steps: counting((count) =>
      step('parse', (next) => (c) => {
        const text = /^[^{["\d]/.test(`${c.raw}`) && !/^(true|false|null)$/.test(`${c.raw}`);
        return text && count(c.key.role) >= 3 ? {} : next(c);
      }),
    ),
  },
} satisfies Deviations;
