import { writeFileSync } from 'node:fs';
import { good, type Language, mistakes } from '../clients/table.ts';

export const judgedClientsFile = new URL('../../docs/project/judged-clients.md', import.meta.url);

/** Latest result of `stub/judge/good-clients.test.ts`. */
const proof = { date: '2026-11-26', clients: 21, seeds: '2 to 6', runs: '3,530', requests: '19,396', findings: 'no' };

const languageNames: Readonly<Record<Language, string>> = {
  bash: 'Bash',
  perl: 'Perl',
  python: 'Python',
  typescript: 'TypeScript',
};

/** Marks names of headers, fields and codes as code. */
const marked = (text: string) => text.replaceAll(/\b(?:ok|X-Api-Key|Retry-After|[a-z]+_[a-z_]+)\b/g, '`$&`');

const inCode = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** Page of the clients that `tck judge` is tested with, from the table that the tests run. */
export function judgedClientsPage(): string {
  return [
    '# What the judge finds',
    '',
    'This page lists client mistakes that `tck judge` finds. Each row describes a client with a single mistake, and',
    'the scenarios that show the mistake. `tck list --client-rules` lists all rules for clients.',
    '`npm run generate:clients` writes this page.',
    '',
    'To test all these clients, run `TCK_WHOLE=clients npx vitest run stub/judge/clients.test.ts`.',
    '',
    '| Mistake: the client … | Language | Scenarios | Violated rules |',
    '| --- | --- | --- | --- |',
    ...mistakes.map(([language, mistake, scenarios, ...told]) => {
      const findings = told.filter((each) => typeof each === 'string').map((each) => each.split(' ')[1] ?? '');
      const cells = [marked(mistake), languageNames[language], inCode(scenarios.split(',')), inCode(findings)];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    '## Clients without a mistake',
    '',
    'These clients conform, and most of them have an unusual habit. `tck judge` finds no mistake in any scenario. On',
    `${proof.date}, \`tck judge\` judged these ${proof.clients} clients with seeds ${proof.seeds}. ` +
      `The ${proof.runs} runs with ${proof.requests} requests`,
    `had ${proof.findings} findings. The machine had 2 cores and a load of up to 30.`,
    '',
    'To judge all these clients with 20 seeds, run',
    '`TCK_WHOLE=good-clients npx vitest run stub/judge/good-clients.test.ts`.',
    '',
    'In some rows, a simulated person answers the client (`--person`). In the other rows, the client itself reports to',
    'the control plane of the stub that a person approved the proposal.',
    '',
    '| Habit: the client … | Language | Simulated person |',
    '| --- | --- | --- |',
    ...good.map(([language, habit, person]) => {
      const answers = { approve: 'approves every proposal', deny: 'denies every proposal' } as const;
      const { proposals } = person ?? {};
      const who = proposals === 'approve' || proposals === 'deny' ? answers[proposals] : 'none';
      return `| ${habit === '' ? 'has no unusual habit' : marked(habit)} | ${languageNames[language]} | ${who} |`;
    }),
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(judgedClientsFile, judgedClientsPage());
