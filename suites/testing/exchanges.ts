import type { Answered, Credential, SentRequest } from '../exchange.ts';
import type { HeaderList } from '../result.ts';

/** What an exchange is to look like; the rest is that of a plain call. */
export interface Look {
  status?: number;
  headers?: HeaderList;
  /** The body of the answer: a text as it is, anything else as JSON. */
  body?: unknown;
  request?: Partial<SentRequest>;
  credential?: Partial<Credential>;
  seq?: number;
}

/** An exchange that nobody made, for tests of what looks at exchanges. */
export function answered({ status = 200, headers = [], body = {}, request, credential, seq = 0 }: Look = {}): Answered {
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
    answer: { status, headers: [['content-type', 'application/json'], ...headers], text, json: parsed(text) },
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
