import { writeFileSync } from 'node:fs';
import { good, mistakes } from '../../stub/judge/testing/clients/table.ts';

export const judgedClientsFile = new URL('../project/judged-clients.md', import.meta.url);

/** Page of the clients that `tck judge` is tested with, from the table that the tests run. */
export function judgedClientsPage(): string {
  return [
    '# What the judge finds',
    '',
    'After this page, you know which mistakes of clients `tck judge` finds. Each row is a client with one mistake, in',
    'the scenarios that show it. `TCK_WHOLE=clients npx vitest run stub/judge/clients.test.ts` runs all of them.',
    '`tck list --client-rules` shows each rule with its source. Written by `npm run generate:clients`.',
    '',
    '| Mistake | Language | Scenarios | Found as |',
    '| --- | --- | --- | --- |',
    ...mistakes.map(([language, mistake, scenarios, ...told]) => {
      const findings = told.filter((each) => typeof each === 'string').map((each) => `\`${each.split(' ')[1]}\``);
      return `| ${mistake} | ${language} | ${scenarios.replaceAll(',', ', ')} | ${findings.join(', ')} |`;
    }),
    '',
    '## Clients without a mistake',
    '',
    'These clients have an unusual habit and conform. The judge finds nothing in any scenario.',
    '',
    '| Habit | Language | Person |',
    '| --- | --- | --- |',
    ...good.map(([language, habit, person]) => {
      const answers = { approve: 'approves every proposal', deny: 'denies every proposal' } as const;
      const { proposals } = person ?? {};
      const who = proposals === 'approve' || proposals === 'deny' ? answers[proposals] : '';
      return `| ${habit === '' ? 'none' : habit} | ${language} | ${who} |`;
    }),
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(judgedClientsFile, judgedClientsPage());
