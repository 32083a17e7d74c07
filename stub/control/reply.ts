import type { StubResponse } from '../server/handle.ts';

const usual = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** A response of the control plane; nothing in it lets a page of another site read it. */
export function reply(status: number, body: object, headers: Readonly<Record<string, string>> = {}): StubResponse {
  return { status, headers: { ...usual, ...headers }, body: JSON.stringify(body) };
}

export function problem(status: number, text: string): StubResponse {
  return reply(status, { problem: text });
}
