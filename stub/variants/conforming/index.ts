import { didYouMean, UsageError } from '../../../suites/usage/usage-error.ts';
import { seededRandom, shuffled } from '../../seeded/random.ts';
import { type Deviation, together, type Variant } from '../defect.ts';
import { boundaryVariants, transportVariants } from './boundary.ts';
import { contentVariants, imageVariants } from './content.ts';
import { workspaceVariants } from './workspaces.ts';

export type { Variant } from '../defect.ts';

/** Variants by name, in the order in which they are applied. */
export type Variants = Readonly<Record<string, Variant>>;

/** All variants by name, in the order of the specification. */
export const variants = {
  ...boundaryVariants,
  ...workspaceVariants,
  ...contentVariants,
  ...imageVariants,
  ...transportVariants,
} satisfies Variants;

/** Placeholder name for random variants. */
const randomVariants = 'random';

/** Returns whether two variants can be combined: they are distinct and do not decide the same question. */
export function agree(one: string, other: string, known: Variants = variants): boolean {
  const decides = known[one]?.decides;
  return one !== other && (decides === undefined || decides !== known[other]?.decides);
}

/**
 * Chooses random variants by seed: each with a probability of two thirds, and at most one per decided question.
 * Excludes variants with `random: false`.
 */
export function chooseRandomly(seed: number, known: Variants = variants): string[] {
  const random = seededRandom(seed);
  const chosen: string[] = [];
  const candidates = Object.keys(known).filter((name) => known[name]?.random !== false);
  for (const name of shuffled(candidates, random)) {
    if (random() < 2 / 3 && chosen.every((other) => agree(name, other, known))) chosen.push(name);
  }
  return Object.keys(known).filter((name) => chosen.includes(name));
}

/**
 * Resolves names of variants. Each item can contain several names, separated by commas. Named variants take precedence
 * over random ones. Throws a UsageError for an unknown name and for incompatible variants.
 */
export function chooseVariants(texts: readonly string[], seed: number, known: Variants = variants): string[] {
  const names = new Set(texts.flatMap((text) => text.split(',')));
  const added = names.delete(randomVariants) ? chooseRandomly(seed, known) : [];
  const chosen: string[] = [];
  for (const name of names) {
    // Names of object-prototype members such as `constructor` are no variants.
    if (!Object.hasOwn(known, name)) {
      const near = didYouMean(name, [...Object.keys(known), randomVariants]);
      throw new UsageError(`there is no variant '${name}'${near} (tck list --variants)`);
    }
    const other = chosen.find((each) => !agree(each, name, known));
    if (other !== undefined) {
      throw new UsageError(`the variants '${other}' and '${name}' contradict each other: ${known[name]?.decides}`);
    }
    chosen.push(name);
  }
  return [...chosen, ...added.filter((name) => chosen.every((other) => agree(name, other, known)))];
}

/** Combines variants. They are applied in catalog order. */
export function combineVariants(names: readonly string[], known: Variants = variants): Deviation {
  return together(
    ...Object.entries(known).flatMap(([name, { deviation }]) => (names.includes(name) ? [deviation] : [])),
  );
}
