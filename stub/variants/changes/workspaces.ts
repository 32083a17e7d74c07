import type { Call } from '../../server/behavior.ts';
import type { ApiResponse } from '../../server/responses.ts';
import type { Body } from './responses.ts';

export const asked = ({ args }: Call): string | undefined =>
  typeof args.workspace === 'string' ? args.workspace : undefined;

/** Returns `working_in` of a result, or an empty object. */
export const workingIn = ({ body }: ApiResponse): Body =>
  typeof body.working_in === 'object' && body.working_in !== null ? { ...body.working_in } : {};
