import type { RequirementId } from '../fixtures/requirements/index.ts';
import type { Alone, Check } from './check.ts';
import { checks } from './checks/index.ts';
import type { Lane } from './flows/flow.ts';
import { flows } from './flows/index.ts';

/** What tests a requirement, and what it needs. */
export interface Coverage {
  readonly requirement: RequirementId;
  readonly title: string;
  readonly needs: Check['needs'];
}

const alone: Readonly<Record<Lane, Alone | false>> = {
  balances: 'balance',
  reading: false,
  writing: false,
  images: false,
  clock: 'clock',
  limits: 'cap',
};

/** Every requirement with each check, or each flow, that tests it. */
export const coverage: readonly Coverage[] = [
  ...checks,
  ...flows.flatMap(({ name, lane, needs, witnesses }) =>
    witnesses.map((requirement) => ({ requirement, title: name, needs: { ...needs, alone: alone[lane] } })),
  ),
];
