import {
  agree,
  type DialectName,
  dialectNames,
  dialectOf,
  hostileMixture,
  isDialect,
} from '../../fixtures/dialects.ts';
import { didYouMean } from '../../fixtures/nearest.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import { seededRandom } from '../../fixtures/world/seeded.ts';
import type { Deviation } from '../defects/patches.ts';
import { boundaryDialects } from './boundary.ts';
import { contentDialects } from './content.ts';
import { imageDialects } from './images.ts';
import { transportDialects } from './transport.ts';

/** What each dialect changes. That none is missing, and none unknown, the compiler sees. */
const deviations: Readonly<Record<DialectName, Deviation>> = {
  ...boundaryDialects,
  ...contentDialects,
  ...imageDialects,
  ...transportDialects,
};

/** Texts as names of dialects that can be had together. Throws a UsageError for one that is none, and for two that contradict. */
export function chooseDialects(names: readonly string[]): DialectName[] {
  const chosen: DialectName[] = [];
  for (const name of new Set(names)) {
    if (!isDialect(name)) throw new UsageError(`there is no dialect '${name}'${didYouMean(name, dialectNames)}`);
    const other = chosen.find((each) => !agree(each, name));
    if (other !== undefined) {
      throw new UsageError(`the dialects '${other}' and '${name}' contradict each other: ${dialectOf(name).decides}`);
    }
    chosen.push(name);
  }
  return chosen;
}

export interface DialectOptions {
  /** Names; several may stand in one text, with commas between them. */
  readonly dialect?: readonly string[] | undefined;
  /** Adds a mixture, by seed, of everything legal that clients tend not to expect. */
  readonly hostile?: boolean | undefined;
}

/** The dialects that options ask for; what is asked for by name wins over the mixture. Throws a UsageError as `chooseDialects` does. */
export function dialectsOf({ dialect = [], hostile = false }: DialectOptions, seed: number): DialectName[] {
  const chosen = chooseDialects(dialect.flatMap((names) => names.split(',')));
  const mixed = hostile ? hostileMixture(seededRandom(seed)) : [];
  return [...chosen, ...mixed.filter((name) => chosen.every((other) => agree(name, other)))];
}

/** Several dialects at once, applied in the order of their catalogue. */
export function combineDialects(names: readonly DialectName[]): Deviation {
  const ordered = dialectNames.filter((name) => names.includes(name));
  return (rules) => ordered.reduce((changed, name) => deviations[name](changed), rules);
}
