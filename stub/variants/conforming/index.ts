import { seededRandom } from '../../../fixtures/world/seeded.ts';
import { didYouMean } from '../../../suites/usage/nearest.ts';
import { UsageError } from '../../../suites/usage/usage-error.ts';
import { type Deviation, together } from '../deviation.ts';
import { boundaryVariants } from './boundary.ts';
import { contentVariants } from './content.ts';
import { imageVariants } from './images.ts';
import { transportVariants } from './transport.ts';
import type { Variant } from './variant.ts';
import { workspaceVariants } from './workspaces.ts';

export type { Variant } from './variant.ts';

/** Every variant by its name, in the order of the specification. They are applied in this order, too. */
export const variants = {
  ...boundaryVariants,
  ...workspaceVariants,
  ...contentVariants,
  ...imageVariants,
  ...transportVariants,
};

export type VariantName = keyof typeof variants;

/** In the order of the specification. */
export const variantNames = Object.keys(variants) as readonly VariantName[];

/** Stands among the names for many variants that the seed chooses. */
const randomVariants = 'random';

/** What a variant is. */
export function variantOf(name: VariantName): Variant {
  return variants[name];
}

/** Whether two variants can be had together: neither the same, nor two answers to one question. */
export function agree(one: VariantName, other: VariantName): boolean {
  const { decides } = variantOf(one);
  return one !== other && (decides === undefined || decides !== variantOf(other).decides);
}

/**
 * Variants that the seed chooses: of those that decide the same at most one, each other one twice out of three times.
 * Those that take away what a client needs are left out.
 */
export function chooseRandomly(seed: number): VariantName[] {
  const random = seededRandom(seed);
  const chosen: VariantName[] = [];
  const candidates = variantNames.filter((name) => variantOf(name).random !== false);
  const shuffled = candidates.map((name) => ({ name, at: random() })).sort((a, b) => a.at - b.at);
  for (const { name } of shuffled) {
    if (random() < 2 / 3 && chosen.every((other) => agree(name, other))) chosen.push(name);
  }
  return variantNames.filter((name) => chosen.includes(name));
}

/**
 * The variants that texts name, each one or several with commas between them; what is named wins over what `random`
 * adds. Throws a UsageError for a text that names none, and for two variants that contradict each other.
 */
export function chooseVariants(texts: readonly string[], seed: number): VariantName[] {
  const names = new Set(texts.flatMap((text) => text.split(',')));
  const added = names.delete(randomVariants) ? chooseRandomly(seed) : [];
  const chosen: VariantName[] = [];
  for (const name of names) {
    if (!isVariant(name)) {
      throw new UsageError(`there is no variant '${name}'${didYouMean(name, [...variantNames, randomVariants])}`);
    }
    const other = chosen.find((each) => !agree(each, name));
    if (other !== undefined) {
      throw new UsageError(`the variants '${other}' and '${name}' contradict each other: ${variantOf(name).decides}`);
    }
    chosen.push(name);
  }
  return [...chosen, ...added.filter((name) => chosen.every((other) => agree(name, other)))];
}

/** Whether a text is the name of a variant; safe for names of object-prototype members. */
function isVariant(name: string): name is VariantName {
  return Object.hasOwn(variants, name);
}

/** Several variants at once, applied in the order of their catalogue. */
export function combineVariants(names: readonly VariantName[]): Deviation {
  const ordered = variantNames.filter((name) => names.includes(name));
  return together(...ordered.map((name) => variantOf(name).deviation));
}
