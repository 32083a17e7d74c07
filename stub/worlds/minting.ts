import type { Names } from '../variants/index.ts';
import { type Member, texts } from './members.ts';
import { type WorldOptions, worldMembers } from './worlds.ts';

/** Options for creating a sandbox over HTTP. */
export interface MintRequest extends Omit<WorldOptions, 'deviation'>, Names {}

/** Options for creating a sandbox in process. */
export interface MintOptions extends WorldOptions, Names {}

const { deviation, ...ofWorlds } = worldMembers;

export const requestMembers: Readonly<Record<keyof MintRequest, Member>> = {
  ...ofWorlds,
  variants: texts,
  defects: texts,
};

export const mintMembers: Readonly<Record<keyof MintOptions, Member>> = { ...requestMembers, deviation };
