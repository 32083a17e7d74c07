import type { RefusalRow } from '../../fixtures/contract/codes.ts';
import { type CreateStubOptions, createStub, type Stub } from '../index.ts';
import { refusingOnce } from './defects/boundary/rows.ts';

/** Creates a conforming stub that returns this refusal once. */
export function createRefusingStub(row: RefusalRow, options: CreateStubOptions): Stub {
  return createStub({ ...options, deviation: refusingOnce(row) });
}
