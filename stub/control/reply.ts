import type { StubResponse } from '../server/handle.ts';

const usual = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** Creates a response of the control plane. It has no CORS headers, so pages of other sites cannot read it. */
export function reply(status: number, body: object, headers: Readonly<Record<string, string>> = {}): StubResponse {
  return { status, headers: { ...usual, ...headers }, body: JSON.stringify(body) };
}

export function problem(status: number, text: string): StubResponse {
  return reply(status, { problem: text });
}

/** Path of the control plane, outside the path of the API. */
export const controlPath = '/__control/';
/** Moves the clock of the main sandbox. */
export const advancePath = `${controlPath}worlds/main/clock`;
export const pagePath = `${controlPath}ui`;
/** Header with the control token, in lower case. */
export const controlHeader = 'x-control-token';
