import type { Names } from '../variants/index.ts';
import { type Member, texts } from './members.ts';
import { type WorldOptions, worldMembers } from './worlds.ts';

/** What a world may be asked for with, over HTTP. */
export interface MintRequest extends Omit<WorldOptions, 'deviation'>, Names {}

/** What a world may be asked for with, within a process. */
export interface MintOptions extends WorldOptions, Names {}

const { deviation, ...ofWorlds } = worldMembers;

export const requestMembers: Readonly<Record<keyof MintRequest, Member>> = {
  ...ofWorlds,
  variants: texts,
  defects: texts,
};

export const mintMembers: Readonly<Record<keyof MintOptions, Member>> = { ...requestMembers, deviation };
