import { writeFileSync } from 'node:fs';
import { good, mistakes } from '../../stub/judge/testing/clients/table.ts';

export const judgedClientsFile = new URL('../project/judged-clients.md', import.meta.url);

/** Latest result of `stub/judge/good-clients.test.ts`. */
const proof = { date: '2026-11-26', clients: 21, seeds: '2 to 6', runs: '3,530', requests: '19,396', findings: 'no' };

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
    `On ${proof.date}, it judged ${proof.clients} clients with the seeds ${proof.seeds}: ${proof.runs} runs with`,
    `${proof.requests} requests had ${proof.findings} findings, on 2 cores with a load of up to 30.`,
    '`TCK_WHOLE=good-clients npx vitest run stub/judge/good-clients.test.ts` judges all of them with 20 seeds.',
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
