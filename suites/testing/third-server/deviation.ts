import type { RequirementId } from '../../../fixtures/requirements/index.ts';
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

/** One way in which a server breaks the specification where nobody may have looked. */
export interface Deviation extends Difference {
  id: string;
  sentence: string;
  /** Each of these may catch it. */
  breaks: readonly RequirementId[];
  /** Tells the deviation from the honest server. */
  probe(p: Probe): Promise<boolean>;
}

/** A number for each text, counted up with every use. */
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
