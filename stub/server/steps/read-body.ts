import { isUtf8 } from 'node:buffer';
import type { Call, Step } from '../behavior.ts';
import { bodyLimitBytes } from '../handle.ts';
import { type ApiResponse, boundaryError } from '../responses.ts';

/**
 * Parses the body as a JSON object. A missing body counts as an empty object; a body of only white space is malformed.
 */
export const readBody: Step = (call) => {
  const { body } = call.request;
  if (body === null || body.length === 0) return undefined;
  if (body.length > bodyLimitBytes) {
    const message = `A body may have ${bodyLimitBytes} bytes at most.`;
    return boundaryError(413, call.behavior.codes.bodyTooLarge, message);
  }
  const value = isUtf8(body) ? parse(body) : undefined;
  if (Array.isArray(value)) return value.length > call.behavior.batchLimit ? batchTooLarge(call) : malformed(call);
  if (typeof value !== 'object' || value === null) return malformed(call);
  // JSON.parse returns objects with string keys, and the checks above exclude arrays, null and primitives.
  call.body = value as Record<string, unknown>;
  return undefined;
};

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}

function malformed({ behavior }: Call): ApiResponse {
  const message = 'The body is not a JSON object. Send a JSON object, or no body.';
  return boundaryError(400, behavior.codes.malformedBody, message);
}

function batchTooLarge({ behavior }: Call): ApiResponse {
  return boundaryError(400, behavior.codes.batchTooLarge, 'The body is a list with too many messages.');
}
