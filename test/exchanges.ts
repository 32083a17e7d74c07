import type { Completed, Request } from '../suites/history/exchange.ts';
import { parsed } from '../suites/json.ts';
import type { HeaderList } from '../suites/result.ts';

/** Properties of an exchange. All others are those of a plain request. */
export interface Look {
  status?: number;
  headers?: HeaderList;
  /** Response body: a string is used unchanged, any other value becomes JSON. */
  body?: unknown;
  request?: Partial<Request>;
  number?: number;
  sentAt?: number;
}

/** Returns an exchange that was never sent, for tests of code that examines exchanges. */
export function answered(look: Look = {}): Completed {
  const { status = 200, headers = [], body = {}, request, number = 0, sentAt = 0 } = look;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    kind: 'exchange',
    number,
    sender: { label: 'primary', role: 'primary', kind: 'key' },
    request: {
      method: 'POST',
      url: 'http://stub.invalid/api/v1/tools/schedule.read',
      tool: 'schedule.read',
      headers: [],
      body: null,
      args: {},
      ...request,
    },
    response: { status, headers: [['content-type', 'application/json'], ...headers], text, json: parsed(text) },
    sentAt,
    receivedAt: sentAt + 1,
    clockMoved: 0,
    together: 1,
    invented: [],
    observes: null,
    odd: false,
    refusable: false,
  };
}
