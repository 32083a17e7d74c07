import { type Dialect, dialects } from '../fixtures/dialects.ts';
import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import { requirements } from '../fixtures/requirements/index.ts';
import { checks } from './checks/index.ts';
import { listing, listingText } from './listing.ts';

export interface ListOptions {
  json: boolean;
  dialects?: boolean;
}

/** The body of `tck list`: every requirement with its checks, or every dialect of the stub, for people or as JSON. */
export async function list(options: ListOptions, { stdout }: Pick<Surroundings, 'stdout'>): Promise<number> {
  if (options.dialects === true) {
    stdout.write(options.json ? json(listedDialects()) : dialectsText());
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
