import type { Source } from '../../../fixtures/contract/enums.ts';
import type { Call } from '../../server/behavior.ts';
import type { ApiResponse } from '../../server/responses.ts';
import type { Deviation } from '../deviation.ts';
import { type Body, changing, inside, type When } from './responses.ts';

export const asked = ({ args }: Call): string | undefined =>
  typeof args.workspace === 'string' ? args.workspace : undefined;

/** Selects results whose workspace came from one of these rungs. */
const settledBy =
  (...sources: readonly Source[]): When =>
  (response) =>
    response.body.ok === true && sources.some((source) => source === workingIn(response).source);

/** Returns `working_in` of a result, or an empty object. */
export const workingIn = ({ body }: ApiResponse): Body =>
  typeof body.working_in === 'object' && body.working_in !== null ? { ...body.working_in } : {};

/** Reports another source for one rung. */
export const calling = (source: Source, other: string): Deviation =>
  changing(settledBy(source), inside('working_in', { source: other }));
