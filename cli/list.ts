import { clientRules } from '../fixtures/client-rules.ts';
import type { Variant } from '../stub/variants/conforming/index.ts';
import type { Defect } from '../stub/variants/defect.ts';
import { topicOf } from '../suites/usage/counted.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { exitCodes } from '../suites/verdict.ts';
import { optional } from './command-line/declaration.ts';
import { flag } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';
import { json } from './options.ts';

export const command = commandOf({
  name: 'list',
  positionals: { pattern: optional('Topic or glob on requirement IDs (default: all requirements)') },
  options: {
    variants: flag('List the conforming variants of the stub instead'),
    defects: flag('List the defects of the stub instead, each with the requirements that it violates'),
    'client-rules': flag('List the rules for clients instead'),
    scenarios: flag('List the scenarios of tck judge instead'),
    json,
  },
  examples: [
    ['tck list schedule', 'List the requirements of one topic'],
    ["tck list '*.workspace-*'", 'List the requirements whose IDs match a glob'],
    ['tck list --defects --json', 'Print the defects of the stub as JSON'],
  ],

  async run({ pattern, variants, defects, clientRules, scenarios, json }, around) {
    const lists = [variants && listVariants, defects && listDefects, clientRules && listClientRules];
    const [list, ...others] = [...lists, scenarios && listScenarios].filter((each) => each !== false);
    const options = '--variants, --defects, --client-rules and --scenarios';
    if (others.length > 0) throw new UsageError(`expected one of ${options}`);
    if (pattern !== undefined && list !== undefined) throw new UsageError(`pattern: expected without ${options}`);
    const { all, text } = await (list?.() ?? listRequirements(pattern));
    around.stdout.write(json ? `${JSON.stringify(all, null, 2)}\n` : text);
    return exitCodes.ok;
  },
});

async function listVariants() {
  const { variants } = await import('../stub/variants/conforming/index.ts');
  const all = Object.entries<Variant>(variants).map(([name, { deviation: _, ...variant }]) => ({ name, ...variant }));
  const blocks = all.map(({ name, what, room, decides, against = [] }) => [
    name,
    `  ${what}`,
    `  room: ${room}`,
    ...(decides === undefined ? [] : [`  only one variant of: ${decides}`]),
    ...(against.length === 0 ? [] : [`  against the advice: ${against.join(', ')}`]),
  ]);
  return { all, text: toText(blocks, `${all.length} variants`) };
}

async function listDefects() {
  const { defects } = await import('../stub/variants/defects.ts');
  const all = Object.entries<Defect>(defects).map(([id, { what, breaks }]) => ({ id, what, breaks }));
  const topics = Map.groupBy(all, ({ breaks: [first] }) => first.split('.', 1)[0] ?? '');
  const blocks = [...topics].map(([topic, inTopic]) => [
    topic,
    ...inTopic.flatMap(({ id, what, breaks }) => [`  ${id}`, `    ${what}`, `    breaks: ${breaks.join(', ')}`]),
  ]);
  return { all, text: toText(blocks, `${all.length} defects`) };
}

async function listRequirements(pattern: string | undefined) {
  const [{ listing, needsInWords }, { coverage, requirements }, { selectRequirements, splitPatterns }] =
    await Promise.all([
      import('../reports/listing.ts'),
      import('../suites/requirements.ts'),
      import('../suites/engine/selection.ts'),
    ]);
  const patterns = splitPatterns(pattern === undefined ? undefined : [pattern], 'pattern');
  const all = listing(selectRequirements(requirements, patterns, undefined, 'pattern'), coverage);
  const topics = Map.groupBy(all, ({ topic }) => topic);
  const blocks = [...topics].map(([topic, inTopic]) => [
    topic,
    ...inTopic.flatMap(({ id, level, severity, statement, source, stories }) => [
      `  ${id}  (${level}, ${severity})`,
      `    ${statement}`,
      `    source: ${source}`,
      ...stories.map(({ story }) => `    story: ${story}`),
      `    needs: ${needsInWords(stories.map(({ needs }) => needs))}`,
    ]),
  ]);
  return { all, text: toText(blocks, `${all.length} requirements`) };
}

function listClientRules() {
  const all = Object.entries(clientRules).map(([id, rule]) => ({ id, topic: topicOf(id), ...rule }));
  const blocks = all.map(({ id, level, severity, statement, source }) => [
    `${id}  (${level}, ${severity})`,
    `  ${statement}`,
    `  source: ${source}`,
  ]);
  return { all, text: toText(blocks, `${all.length} rules for clients`) };
}

async function listScenarios() {
  const { agentScenarios, plain, scenarios } = await import('../stub/judge/scenarios.ts');
  const all = [plain, ...scenarios].map(({ name, what, tool, person }) => ({ name, what, tool, person }));
  const blocks = all.map(({ name, what, tool, person }) => [
    name,
    `  the client ${what}`,
    ...(tool === undefined ? [] : [`  only if the client calls ${tool}`]),
    ...(person === undefined ? [] : ['  only with --person approve']),
  ]);
  return { all, text: toText(blocks, `agents stands for: ${agentScenarios.join(', ')}`) };
}

/** Blocks of lines, and a last line, such as their number. */
function toText(blocks: readonly (readonly string[])[], last: string): string {
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n\n${last}\n`;
}
