import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import { requirements } from '../fixtures/requirements/index.ts';
import { checks } from './checks/index.ts';
import { listing, listingText } from './listing.ts';

/** The body of `tck list`: every requirement with its checks, for people or as JSON. */
export async function list(options: { json: boolean }, { stdout }: Pick<Surroundings, 'stdout'>): Promise<number> {
  const listed = listing(requirements, checks);
  stdout.write(options.json ? `${JSON.stringify(listed, null, 2)}\n` : listingText(listed));
  return exitCodes.conformant;
}
