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
    'This page lists client mistakes that `tck judge` finds. Each row describes a client with a single mistake, and',
    'the scenarios that show the mistake. To test all clients, run',
    '`TCK_WHOLE=clients npx vitest run stub/judge/clients.test.ts`. `tck list --client-rules` lists all rules for',
    'clients. `npm run generate:clients` writes this page.',
    '',
    '| Mistake | Language | Scenarios | Violated rules |',
    '| --- | --- | --- | --- |',
    ...mistakes.map(([language, mistake, scenarios, ...told]) => {
      const findings = told.filter((each) => typeof each === 'string').map((each) => `\`${each.split(' ')[1]}\``);
      return `| ${mistake} | ${language} | ${scenarios.replaceAll(',', ', ')} | ${findings.join(', ')} |`;
    }),
    '',
    '## Clients without a mistake',
    '',
    'These clients conform, and most of them have an unusual habit. `tck judge` finds no mistake in any scenario.',
    `On ${proof.date}, it judged ${proof.clients} clients with the seeds ${proof.seeds}: ${proof.runs} runs with`,
    `${proof.requests} requests had ${proof.findings} findings, on 2 cores with a load of up to 30.`,
    '`TCK_WHOLE=good-clients npx vitest run stub/judge/good-clients.test.ts` judges all of them with 20 seeds.',
    '',
    '| Habit | Language | Behavior of the person |',
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
