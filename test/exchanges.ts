import type { HeaderList } from '../suites/result.ts';
import type { CompletedExchange, Credential, SentRequest } from '../suites/session/sent-exchange.ts';

/** Properties of an exchange. All others are those of a plain request. */
export interface Look {
  status?: number;
  headers?: HeaderList;
  /** Response body: a string is used unchanged, any other value becomes JSON. */
  body?: unknown;
  request?: Partial<SentRequest>;
  credential?: Partial<Credential>;
  seq?: number;
}

/** Returns an exchange that was never sent, for tests of code that examines exchanges. */
export function answered({
  status = 200,
  headers = [],
  body = {},
  request,
  credential,
  seq = 0,
}: Look = {}): CompletedExchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    seq,
    credential: { label: 'primary', role: 'primary', good: true, ...credential },
    request: {
      method: 'POST',
      url: 'http://stub.invalid/api/v1/tools/schedule.read',
      tool: 'schedule.read',
      headers: [],
      configured: [],
      body: null,
      args: null,
      odd: false,
      ...request,
    },
    response: { status, headers: [['content-type', 'application/json'], ...headers], text, json: parsed(text) },
    problem: null,
    atMs: 0,
    durationMs: 1,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
