import * as conforming from '../../stub/variants/conforming/index.ts';
import type { Deviation } from '../../stub/variants/defect.ts';
import { ownVariants } from './conforming.ts';

const all = { ...conforming.variants, ...ownVariants } satisfies conforming.Variants;

export type VariantName = keyof typeof all;

/** The variants of `tck stub`, and those that only test the kit, in the order in which they apply. */
export const variants: Readonly<Record<VariantName, conforming.Variant>> = all;

/** Object.keys widens the names. */
export const variantNames = Object.keys(variants) as readonly VariantName[];

export const combineVariants = (names: readonly VariantName[]): Deviation =>
  conforming.combineVariants(names, variants);

export const agree = (one: VariantName, other: VariantName): boolean => conforming.agree(one, other, variants);

/** Chooses variants by seed, as `tck stub --variant random` does. */
export const chooseRandomly = (seed: number): VariantName[] =>
  conforming.chooseRandomly(seed, variants) as VariantName[];
