import { type ClientRule, clientRules } from '../fixtures/client-rules.ts';
import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import { requirements } from '../fixtures/requirements/index.ts';
import { checks } from './checks/index.ts';
import { listing, listingText } from './listing.ts';

export interface ListOptions {
  json: boolean;
  clientRules?: boolean;
}

/** The body of `tck list`: every requirement with its checks, or every rule for clients, for people or as JSON. */
export async function list(options: ListOptions, { stdout }: Pick<Surroundings, 'stdout'>): Promise<number> {
  if (options.clientRules === true) {
    stdout.write(options.json ? json(listedClientRules()) : clientRulesText());
    return exitCodes.conformant;
  }
  const listed = listing(requirements, checks);
  stdout.write(options.json ? json(listed) : listingText(listed));
  return exitCodes.conformant;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function listedClientRules(): ({ id: string } & ClientRule)[] {
  return Object.entries<ClientRule>(clientRules).map(([id, rule]) => ({ id, ...rule }));
}

function clientRulesText(): string {
  const all = listedClientRules();
  const blocks = all.map(({ id, level, statement, source }) => [
    `${id}  (${level})`,
    `  ${statement}`,
    `  source: ${source}`,
  ]);
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n\n${all.length} rules for clients\n`;
}
