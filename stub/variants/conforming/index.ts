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

/** All variants by name, in the order of the specification. They are also applied in this order. */
export const variants = {
  ...boundaryVariants,
  ...workspaceVariants,
  ...contentVariants,
  ...imageVariants,
  ...transportVariants,
};

export type VariantName = keyof typeof variants;

export const variantNames = Object.keys(variants) as readonly VariantName[];

/** Placeholder name for random variants. */
const randomVariants = 'random';

export function variantOf(name: VariantName): Variant {
  return variants[name];
}

/** Returns whether two variants can be combined: they are distinct and do not decide the same question. */
export function agree(one: VariantName, other: VariantName): boolean {
  const { decides } = variantOf(one);
  return one !== other && (decides === undefined || decides !== variantOf(other).decides);
}

/**
 * Chooses random variants by seed: each with a probability of two thirds, and at most one per decided question.
 * Excludes variants with `random: false`.
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
 * Resolves names of variants. Each item can contain several names, separated by commas. Named variants take precedence
 * over random ones. Throws a UsageError for an unknown name and for incompatible variants.
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

/** Returns whether a string is the name of a variant. `Object.hasOwn` excludes names such as `constructor`. */
function isVariant(name: string): name is VariantName {
  return Object.hasOwn(variants, name);
}

/** Combines variants. They are applied in catalog order. */
export function combineVariants(names: readonly VariantName[]): Deviation {
  const ordered = variantNames.filter((name) => names.includes(name));
  return together(...ordered.map((name) => variantOf(name).deviation));
}
