import { boundaryVariants } from '../../stub/variants/conforming/boundary.ts';
import { contentVariants } from '../../stub/variants/conforming/content.ts';
import { imageVariants } from '../../stub/variants/conforming/images.ts';
import * as conforming from '../../stub/variants/conforming/index.ts';
import { transportVariants } from '../../stub/variants/conforming/transport.ts';
import { workspaceVariants } from '../../stub/variants/conforming/workspaces.ts';
import type { Deviation } from '../../stub/variants/defect.ts';
import * as boundary from './conforming/boundary.ts';
import * as content from './conforming/content.ts';
import * as images from './conforming/images.ts';
import * as transport from './conforming/transport.ts';
import * as workspaces from './conforming/workspaces.ts';

const all = {
  ...boundaryVariants,
  ...boundary.boundaryVariants,
  ...workspaceVariants,
  ...workspaces.workspaceVariants,
  ...contentVariants,
  ...content.contentVariants,
  ...imageVariants,
  ...images.imageVariants,
  ...transportVariants,
  ...transport.transportVariants,
} satisfies conforming.Variants;

export type VariantName = keyof typeof all;

/** The variants of `tck stub`, and those that only test the kit, in the order of the specification. */
export const variants: Readonly<Record<VariantName, conforming.Variant>> = all;

/** Object.keys widens the names. */
export const variantNames = Object.keys(variants) as readonly VariantName[];

export const combineVariants = (names: readonly VariantName[]): Deviation =>
  conforming.combineVariants(names, variants);

export const agree = (one: VariantName, other: VariantName): boolean => conforming.agree(one, other, variants);

/** Chooses variants by seed, as `tck stub --variant random` does. */
export const chooseRandomly = (seed: number): VariantName[] =>
  conforming.chooseRandomly(seed, variants) as VariantName[];
