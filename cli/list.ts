import { type ClientRule, clientRules } from '../fixtures/client-rules.ts';
import { fitted } from '../reports/terminal/layout.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { optional } from './command-line/declaration.ts';
import { flag, list as texts } from './command-line/option.ts';
import { json } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';
import { catalogueOf } from './stories.ts';

export const list = command({
  name: 'list',
  positionals: { pattern: optional('Topic or glob on requirement IDs (default: all requirements)') },
  options: {
    variants: flag('List the conforming variants of the stub instead'),
    defects: flag('List the defects of the stub instead, each with the requirements that it violates'),
    'client-rules': flag('List the rules for clients instead'),
    stories: texts('Also list the requirements of the stories in this ES module; repeat the option for more'),
    json,
  },
  examples: [
    ['tck list schedule', 'List the requirements of one topic'],
    ["tck list '*.workspace-*'", 'List the requirements whose IDs match a glob'],
    ['tck list --defects --json', 'Print the defects of the stub as JSON'],
  ],

  async run({ pattern, variants, defects, clientRules, stories, json }, around) {
    const { stdout, env } = around;
    if (pattern !== undefined && (variants || defects || clientRules)) {
      throw new UsageError('pattern: expected without --variants, --defects and --client-rules');
    }
    const text = await (variants || defects
      ? listOfStub(variants, json)
      : clientRules
        ? listClientRules(json)
        : listRequirements(pattern, stories, json, around));
    stdout.write(json ? text : fitted(text, lookOf(stdout, env)));
    return exitCodes.ok;
  },
});

async function listOfStub(variants: boolean, json: boolean): Promise<string> {
  const { listDefects, listVariants } = await import('../stub/variants/list.ts');
  return variants ? listVariants(json) : listDefects(json);
}

async function listRequirements(
  pattern: string | undefined,
  stories: readonly string[] | undefined,
  json: boolean,
  around: Surroundings,
): Promise<string> {
  const [{ listing, listingText }, { coverageOf }, { catalogue }, { selectRequirements, splitPatterns }] =
    await Promise.all([
      import('../suites/listing.ts'),
      import('../suites/coverage.ts'),
      catalogueOf({ stories }, around),
      import('../suites/selection.ts'),
    ]);
  const patterns = splitPatterns(pattern === undefined ? undefined : [pattern], 'pattern');
  const listed = listing(
    selectRequirements(catalogue.requirements, patterns, undefined, 'pattern'),
    coverageOf(catalogue.stories),
  );
  return json ? toJson(listed) : listingText(listed);
}

function listClientRules(json: boolean): string {
  const all = Object.entries<ClientRule>(clientRules).map(([id, rule]) => ({ id, ...rule }));
  const blocks = all.map(({ id, level, severity, statement, source }) => [
    `${id}  (${level}, ${severity})`,
    `  ${statement}`,
    `  source: ${source}`,
  ]);
  return json
    ? toJson(all)
    : `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n\n${all.length} rules for clients\n`;
}

function toJson(all: readonly object[]): string {
  return `${JSON.stringify(all, null, 2)}\n`;
}
