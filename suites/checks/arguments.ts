import { check } from '../check.ts';
import { body, isRefusal } from '../exchange.ts';
import { namesField } from '../expect/issues.ts';
import { first } from '../finding.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { invalidArguments } from '../scenes/refusals.ts';

export const argumentErrors = [
  rule({
    requirement: 'arguments.issues-listed',
    applies: (exchange) => isRefusal(exchange, 'invalid_arguments'),
    verdict: (exchange) => {
      const { issues } = body(exchange);
      if (Array.isArray(issues) && issues.length > 0) return undefined;
      return {
        expected: 'issues to be a non-empty array',
        actual: `issues ${brief(issues)}`,
        hint: 'say in issues which fields failed and why; clients mend the fields that are named there',
        exchanges: [exchange],
      };
    },
    exercise: async (t) => [await invalidArguments(t)],
  }),
  check({
    requirement: 'arguments.all-fields-named',
    async run(t) {
      // Two bad fields of a tool that reads: neither depends on the other.
      const answer = await t.call('library.get', t.here({ kind: 5, id: false }));
      if (!isRefusal(answer, 'invalid_arguments')) t.cannot('two bad fields were not answered with invalid_arguments');
      const { issues } = body(answer);
      if (!Array.isArray(issues) || issues.length === 0) t.cannot('issues lists nothing');
      const hint = 'kind and id are both bad here: collect every violation, and do not stop at the first';
      t.expect(first(namesField(answer, 'kind', 'path', hint), namesField(answer, 'id', 'path', hint)));
    },
  }),
];
