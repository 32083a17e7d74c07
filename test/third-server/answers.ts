import { boundaryCodes, refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { aboutLifetime } from '../../fixtures/contract/limits.ts';
import type { Answer, Call, Fields, Json } from './model.ts';

export function success(body: Fields): Answer {
  return { status: 200, headers: {}, body: { ok: true, ...body } };
}

export function refusal(code: string, message: string, more: Fields = {}, boundary = false): Answer {
  return {
    status: 200,
    headers: { [responseHeaders.toolError]: String(boundary) },
    body: { ok: false, code, message, ...more },
  };
}

export function boundary(status: number, code: string, message: string, more: Fields = {}): Answer {
  return { status, headers: {}, body: { error: { code, message, ...more } } };
}

/** Returns a 429 with the seconds to wait. */
export function limited(seconds: number, message = 'Too many requests.'): Answer {
  const answer = boundary(429, boundaryCodes.rateLimited, message, { retry_after_seconds: seconds });
  return { ...answer, headers: { [responseHeaders.retryAfter]: String(seconds) } };
}

export interface Issue {
  [name: string]: Json;
  path: string;
  message: string;
}

export function invalidArguments(issues: Issue[]): Answer {
  return refusal(refusalCodes.invalidArguments, `Change ${issues.map(({ path }) => path).join(', ')} and call again.`, {
    issues,
  });
}

export const confirmationInvalid = (): Answer =>
  refusal(
    refusalCodes.confirmationInvalid,
    `This confirmation cannot be used. Confirmations last ${aboutLifetime}; call again without confirmation_id.`,
  );

export const boardNotFound = (): Answer => refusal(refusalCodes.boardNotFound, 'This workspace has no such board.');

/** Returns the members with which every result of a workspace-scoped tool describes its workspace. */
export function about({ at }: Call): Fields {
  const note = {
    'call-override': 'Chosen for this call only.',
    'key-pin': 'This key is pinned to it.',
    'stored-default': 'It is your default.',
    'sole-reachable': 'It is the only one within reach.',
  }[at.source];
  const label = `Working in ${at.slug}`;
  return { workspace: at.slug, working_in: { label, note: note ?? '', workspace: at.slug, source: at.source } };
}
