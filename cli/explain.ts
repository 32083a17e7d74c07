import { type ClientRule, clientRules } from '../fixtures/client-rules.ts';
import { explainedText } from '../reports/explain.ts';
import { severityWords } from '../reports/status-words.ts';
import { lookOf } from '../reports/terminal/layout.ts';
import { requirements } from '../suites/requirements.ts';
import { didYouMean, UsageError } from '../suites/usage/usage-error.ts';
import { exitCodes } from '../suites/verdict.ts';
import { required } from './command-line/declaration.ts';
import { command } from './command-line/parse.ts';
import { json } from './options.ts';

export const explain = command({
  name: 'explain',
  positionals: { id: required('ID of a requirement, from a report or tck list') },
  options: { json },
  examples: [['tck explain race.one-dispatches', 'Show its source, what it needs, a violation and a curl command']],

  /** Prints everything about a requirement, with a violation by the embedded stub. */
  async run({ id, json }, { stdout, env, signal }) {
    const clientRule = Object.entries<ClientRule>(clientRules).find(([each]) => each === id)?.[1];
    if (clientRule !== undefined) {
      stdout.write(json ? `${JSON.stringify({ id, ...clientRule }, null, 2)}\n` : clientRuleText(id, clientRule));
      return exitCodes.ok;
    }
    const requirement = requirements.find((each) => each.id === id);
    if (requirement === undefined) {
      const ids = requirements.map((each) => each.id);
      throw new UsageError(`unknown requirement '${id}'${nearIds(id, ids)} (tck list shows all)`);
    }
    // A large module: usage errors do not wait for it.
    const { explainedOf } = await import('./explained.ts');
    const explained = await explainedOf(requirement.id, signal);
    stdout.write(json ? `${JSON.stringify(explained, null, 2)}\n` : explainedText(explained, lookOf(stdout, env)));
    return exitCodes.ok;
  },
});

function clientRuleText(id: string, { level, severity, statement, source, triedBy }: ClientRule): string {
  const lines = [`${id}  ${level}, ${severityWords[severity]}`, `  ${statement}`, '', `  source      ${source}`];
  return `${[...lines, `  not tested  if ${triedBy}`, '  test it     tck judge -- COMMAND'].join('\n')}\n`;
}

/** Some IDs for a part of an ID, such as `confirmations.used`; otherwise the most similar one. */
function nearIds(part: string, ids: readonly string[]): string {
  const [first, ...others] = ids.filter((id) => id.includes(part.toLowerCase())).slice(0, mostNear);
  if (part === '' || first === undefined) return didYouMean(part, ids);
  return `; did you mean ${[first, ...others].map((id) => `'${id}'`).join(' or ')}?`;
}

/** A message stays one sentence that a person can read. */
const mostNear = 3;
