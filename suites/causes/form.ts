import { statuses } from '../../fixtures/contract/headers.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { isRecord, member, parsed } from '../json.ts';
import type { ReportedExchange } from '../result.ts';

const described: readonly number[] = statuses;

/**
 * Returns the most elementary requirement on the form of responses that a response violates. The wrong form explains
 * all other failed expectations of this response.
 */
export function violatedForm({ response }: ReportedExchange): RequirementId | undefined {
  if (response === null) return undefined;
  const { status } = response;
  if (status >= 500) return 'envelopes.no-server-error';
  const json = parsed(response.body);
  if (isRecord(json) && typeof json.ok === 'boolean') return status === 200 ? textOf(json) : 'envelopes.outcome-is-200';
  if (status >= 200 && status < 300) return isRecord(json) ? 'envelopes.ok-boolean' : 'envelopes.json-200';
  if (!described.includes(status)) return 'envelopes.described-status';
  return typeof member(json, 'error', 'code') === 'string' && typeof member(json, 'error', 'message') === 'string'
    ? undefined
    : 'envelopes.boundary-error';
}

/** Checks that a refusal has a code. */
function textOf({ ok, code }: { readonly ok?: unknown; readonly code?: unknown }): RequirementId | undefined {
  return ok === false && (typeof code !== 'string' || code === '') ? 'envelopes.refusal-code' : undefined;
}
