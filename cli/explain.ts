import { type ClientRule, clientRules } from '../fixtures/client-rules.ts';
import { comparedIn, stepLines } from '../reports/chain.ts';
import { differingLines } from '../reports/difference.ts';
import { type ListedRequirement, needsInWords } from '../reports/listing.ts';
import { plain } from '../reports/plain.ts';
import { severityWords } from '../reports/status-words.ts';
import { answerLines, exchangeLines } from '../reports/terminal/cause.ts';
import { field, inColors, type Look, lookOf, paint, paragraph } from '../reports/terminal/layout.ts';
import { requirements } from '../suites/requirements.ts';
import { serviceRefusals } from '../suites/topics/declared/row-witnesses.ts';
import { didYouMean, UsageError } from '../suites/usage/usage-error.ts';
import { exitCodes } from '../suites/verdict.ts';
import { required } from './command-line/declaration.ts';
import { commandOf } from './command-line/parse.ts';
import type { Explained, Violation } from './explained.ts';
import { json } from './options.ts';

export const command = commandOf({
  name: 'explain',
  positionals: { id: required('ID of a requirement, from a report or tck list') },
  options: { json },
  examples: [['tck explain race.one-dispatches', 'Show its source, its needs, and a violation, with the requests']],

  /** Prints everything about a requirement, with a violation by the embedded stub. */
  async run({ id, json }, { stdout, env, signal }) {
    const look = lookOf(stdout, env);
    const print = <About>(about: About, textOf: (about: About, look: Look) => string) => {
      stdout.write(json ? `${JSON.stringify(about, null, 2)}\n` : textOf(about, look));
      return exitCodes.ok;
    };
    const clientRule = Object.entries(clientRules).find(([each]) => each === id)?.[1];
    if (clientRule !== undefined) return print({ id, ...clientRule }, clientRuleText);
    const requirement = requirements.find((each) => each.id === id);
    if (requirement === undefined) {
      const ids = requirements.map((each) => each.id);
      throw new UsageError(`unknown requirement '${id}'${nearIds(id, ids)} (tck list shows all)`);
    }
    // A large module: usage errors do not wait for it.
    const { explainedOf } = await import('./explained.ts');
    return print(await explainedOf(requirement.id, signal), explainedText);
  },
});

/** Some IDs for a part of an ID, such as `confirmations.used`; otherwise the most similar one. */
function nearIds(part: string, ids: readonly string[]): string {
  // A message stays one sentence that a person can read.
  const near = ids.filter((id) => id.includes(part.toLowerCase())).slice(0, 3);
  if (part === '' || near.length === 0) return didYouMean(part, ids);
  return `; did you mean ${near.map((id) => `'${id}'`).join(' or ')}?`;
}

function clientRuleText({ id, level, severity, statement, source, triedBy }: ClientRule & { id: string }): string {
  const lines = [`${id}  ${level}, ${severityWords[severity]}`, `  ${statement}`, '', `  source      ${source}`];
  return `${[...lines, `  not tested  if ${triedBy}`, '  test it     tck judge -- COMMAND'].join('\n')}\n`;
}

/** Maximum length of a body, in characters. */
const bodyShown = 4000;
const linesShown = 40;

function explainedText(explained: Explained, look: Look): string {
  const { id, level, severity, since, statement, source, ruling, stories, file, counts, conforming } = explained;
  const refusal = serviceRefusals.get(id);
  const about = {
    source,
    ruling,
    needs: needsInWords(stories.map(({ needs }) => needs)),
    'tested if': refusal && `the service refuses with ${refusal.code}, a rule of its own`,
    counts,
    stories: stories.map((each) => `${each.story} (${each.file})`).join('\n') || 'every story',
    file,
    'test it': runOf(explained),
  };
  const lines = [
    `${paint(['bold'], id)}  ${level}, ${severityWords[severity]}, since ${since}`,
    ...paragraph(statement, 2),
    '',
    ...Object.entries(about).flatMap(([label, text]) => (text === undefined ? [] : field(label, text, 2))),
    ...(conforming === undefined
      ? []
      : ['', ...paragraph('A conforming response', 2), ...exchangeLines(conforming, bodyShown)]),
    ...(explained.violation === undefined ? [] : violationLines(explained.violation)),
  ];
  return inColors(look, `${lines.join('\n')}\n`);
}

/** The command that tests a requirement, with the side effects of its stories. Only a configuration has settings. */
function runOf({ id, stories }: ListedRequirement): string {
  const effects = new Set(stories.flatMap(({ needs }) => needs.effects));
  const allow = effects.size === 0 ? '' : ` --allow ${[...effects].join()}`;
  const target = stories.some(({ needs }) => needs.settings.length > 0)
    ? '--config tck.config.json'
    : 'https://api.example.test';
  return `tck run ${target} --only ${id}${allow}`;
}

function violationLines({ finding, exchange, chain }: Violation): string[] {
  const compared = comparedIn(chain);
  const differing = compared === undefined ? [] : differingLines(compared, bodyShown, linesShown);
  return [
    '',
    ...paragraph('A violation by another response to the same request', 2),
    ...(chain.length < 2 ? [] : stepLines(chain).flatMap((step) => paragraph(plain(step), 4))),
    ...(exchange.response === null ? [] : answerLines(exchange.response, bodyShown)),
    ...(differing.length === 0 ? [] : field('difference', differing.map((line) => plain(line)).join('\n'))),
    ...field('expected', finding.expected),
    ...field('actual', finding.actual),
    ...field('hint', finding.hint),
  ];
}
