import { check } from '../check.ts';
import { body, isRefusal } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { fieldIsText } from '../expect/fields.ts';

export const contentStatus = [
  check({
    requirement: 'content-status.answers',
    async run(t) {
      const answer = await t.call('content.status', t.here());
      if (isRefusal(answer, 'invalid_arguments')) {
        const what = 'the arguments of content.status, which the document does not show';
        t.cannot(what, { kind: 'data', what });
      }
      const hint = 'content.status reads the counts of the workspace and names it';
      t.expect(
        succeeds(answer, hint) ??
          (body(answer).workspace === undefined ? undefined : fieldIsText(answer, 'workspace', hint)),
      );
    },
  }),
];
