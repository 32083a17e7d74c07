import type { RequirementId } from '../../../fixtures/requirements/index.ts';
import type { Deviation } from '../deviation.ts';

/** A conforming way to differ, by which clients and the kit can be tried. */
export interface Variant {
  /** What such a server does. */
  readonly what: string;
  /** Where the specification leaves room for it. */
  readonly room: string;
  /** What it decides, where another variant decides the same otherwise: of those with one name only one can be had. */
  readonly decides?: string;
  /** Pieces of advice (requirements of the level `should`) that it does not follow. */
  readonly against?: readonly RequirementId[];
  /** False where it takes something away that a client under test needs: `--variant random` leaves it out. */
  readonly random?: false;
  /** How it changes the stub. */
  readonly deviation: Deviation;
}
