import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Json } from './model.ts';
import type { Probe, Reply } from './probe.ts';
import type { Difference } from './server.ts';

export const deviationClasses = [
  'roles',
  'workspaces',
  'repetition',
  'names',
  'credentials',
  'bodies',
  'values',
  'two-faults',
  'ages',
  'execute',
  'parallel',
] as const;

export type DeviationClass = (typeof deviationClasses)[number];

/** A violation of the specification that existing rules may not cover. */
export interface Deviation extends Difference {
  id: string;
  sentence: string;
  /** Requirements, each of which may catch the deviation. */
  breaks: readonly RequirementId[];
  /** Returns whether a server has the deviation. */
  probe(p: Probe): Promise<boolean>;
}

/** Returns a function that counts the uses of each text. */
export function counter(): (name: string) => number {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
}

export function workingIn({ body }: Reply): Record<string, Json> {
  const value = body.working_in;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
