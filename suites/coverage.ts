import type { RequirementId } from '../fixtures/requirements/index.ts';
import type { Flow } from './flows/flow.ts';
import { flows } from './flows/index.ts';

/** A flow that tests a requirement, and what it needs. */
export interface Coverage extends Pick<Flow, 'needs' | 'lane'> {
  readonly requirement: RequirementId;
  readonly flow: string;
}

/** Every requirement with each flow that tests it. */
export const coverage: readonly Coverage[] = flows.flatMap(({ name: flow, lane, needs, witnesses }) =>
  witnesses.map((requirement) => ({ requirement, flow, lane, needs })),
);
