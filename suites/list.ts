import { type ClientRule, clientRules } from '../fixtures/client-rules.ts';
import { type Defect, defects } from '../fixtures/defects.ts';
import { type Dialect, dialects } from '../fixtures/dialects.ts';
import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import { requirements } from '../fixtures/requirements/index.ts';
import { checks } from './checks/index.ts';
import { listing, listingText } from './listing.ts';

export interface ListOptions {
  json: boolean;
  dialects?: boolean;
  defects?: boolean;
  clientRules?: boolean;
}

/** The body of `tck list`: every requirement with its checks, or every dialect or defect of the stub, or every rule for clients, for people or as JSON. */
export async function list(options: ListOptions, { stdout }: Pick<Surroundings, 'stdout'>): Promise<number> {
  if (options.dialects === true) {
    stdout.write(options.json ? json(listedDialects()) : dialectsText());
    return exitCodes.conformant;
  }
  if (options.defects === true) {
    stdout.write(options.json ? json(listedDefects()) : defectsText());
    return exitCodes.conformant;
  }
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

function listedDialects(): ({ name: string } & Dialect)[] {
  return Object.entries<Dialect>(dialects).map(([name, dialect]) => ({ name, ...dialect }));
}

function dialectsText(): string {
  const all = listedDialects();
  const blocks = all.map(({ name, what, room, decides, against = [] }) =>
    [
      name,
      `  ${what}`,
      `  room: ${room}`,
      ...(decides === undefined ? [] : [`  decides: ${decides}`]),
      ...(against.length === 0 ? [] : [`  against the advice: ${against.join(', ')}`]),
    ].join('\n'),
  );
  return `${blocks.join('\n\n')}\n\n${all.length} dialects\n`;
}

function listedDefects(): ({ id: string } & Defect)[] {
  return Object.entries<Defect>(defects).map(([id, defect]) => ({ id, ...defect }));
}

function defectsText(): string {
  const all = listedDefects();
  const topics = Map.groupBy(all, ({ breaks: [first] }) => first.split('.', 1)[0] ?? '');
  const blocks = [...topics].map(([topic, inTopic]) =>
    [
      topic,
      ...inTopic.flatMap(({ id, what, breaks }) => [`  ${id}`, `    ${what}`, `    breaks: ${breaks.join(', ')}`]),
    ].join('\n'),
  );
  return `${blocks.join('\n\n')}\n\n${all.length} defects\n`;
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
