import type { Context } from '../engine/context.ts';
import { body, isSuccess } from '../exchange.ts';
import { observation } from './observation.ts';
import { noteOutcomes, outcome, roleThatResolves, short } from './seen.ts';

/** Members of a JSON object that put a call of `primary` where it works, as text to be followed by others. */
function place(t: Context): string {
  const { workspace } = t.ground;
  return workspace === undefined ? '' : `"workspace": ${JSON.stringify(workspace)}, `;
}

export const bodies = [
  observation({
    answers: ['bodies.content-type'],
    mostRequests: 2,
    run(t) {
      const types = ['text/plain', 'application/x-www-form-urlencoded'];
      const call = (type: string) =>
        t.call('schedule.read', t.here(), { headers: { 'content-type': type }, odd: true });
      return noteOutcomes(
        t,
        'bodies.content-type',
        types.map((type) => [type, call(type)]),
      );
    },
  }),
  observation({
    answers: ['bodies.duplicate-keys'],
    mostRequests: 1,
    async run(t) {
      const text = `{${place(t)}"query": "first", "query": "last"}`;
      const answer = await t.call('knowledge.search', undefined, { body: text, odd: true });
      t.observe('bodies.duplicate-keys', isSuccess(answer) ? short(body(answer).query) : outcome(answer), answer);
    },
  }),
  observation({
    answers: ['bodies.invalid-utf-8'],
    mostRequests: 1,
    async run(t) {
      const bytes = Buffer.from(`{${place(t)}"query": "caf\xE9"}`, 'latin1');
      const answer = await t.call('knowledge.search', undefined, { body: bytes, odd: true });
      t.observe('bodies.invalid-utf-8', outcome(answer), answer);
    },
  }),
  observation({
    answers: ['bodies.omitted'],
    mostRequests: 3,
    run(t) {
      const as = roleThatResolves(t);
      const tools = ['library.search', 'library.get', 'knowledge.search'];
      return noteOutcomes(
        t,
        'bodies.omitted',
        tools.map((tool) => [tool, t.call(tool, undefined, { as })]),
      );
    },
  }),
  observation({
    answers: ['bodies.white-space'],
    mostRequests: 1,
    async run(t) {
      const answer = await t.call('credits.balance', undefined, { body: ' \n\t', odd: true });
      t.observe('bodies.white-space', outcome(answer), answer);
    },
  }),
];
