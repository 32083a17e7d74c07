import { type ClientRule, clientRules } from '../fixtures/client-rules.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { command } from './command-line/command.ts';
import { flag } from './command-line/option.ts';
import { json } from './options.ts';

export const list = command({
  name: 'list',
  options: {
    variants: flag('List the conforming variants of the stub instead'),
    defects: flag('List the defects of the stub instead, each with the requirements that it violates'),
    'client-rules': flag('List the rules for clients instead'),
    json,
  },
  examples: [['tck list --defects --json', 'Print the defects of the stub as JSON']],

  async run({ variants, defects, clientRules, json }, { stdout }) {
    if (variants || defects) {
      const { listDefects, listVariants } = await import('../stub/variants/list.ts');
      stdout.write(variants ? listVariants(json) : listDefects(json));
    } else {
      stdout.write(clientRules ? listClientRules(json) : await listRequirements(json));
    }
    return exitCodes.ok;
  },
});

async function listRequirements(json: boolean): Promise<string> {
  const [{ listing, listingText }, { coverage }, { requirements }] = await Promise.all([
    import('../suites/listing.ts'),
    import('../suites/coverage.ts'),
    import('../fixtures/requirements/index.ts'),
  ]);
  const listed = listing(requirements, coverage);
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
