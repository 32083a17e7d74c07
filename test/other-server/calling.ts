import { createOtherServer, type OtherServer, type OtherServerOptions, type Role } from './index.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';

/** A response as tests see it. */
export interface Seen {
  status: number;
  headers: Headers;
  text: string;
  body: JsonObject;
}

/** A running server, and a function that sends requests as a role. */
export interface Calling extends AsyncDisposable {
  server: OtherServer;
  /** `body` contains arguments to send as JSON, or text to send unchanged. */
  call(role: Role, tool: string, body?: JsonObject | string, headers?: Record<string, string>): Promise<Seen>;
}

export const seen = async (response: Response): Promise<Seen> => {
  const text = await response.text();
  const body = parseJson(text);
  return { status: response.status, headers: response.headers, text, body: isJsonObject(body) ? body : {} };
};

/** Starts a server, by default without a rate limit that would disturb a test. */
export const calling = async (options: Partial<OtherServerOptions> & { mutation?: string } = {}): Promise<Calling> => {
  const server = await createOtherServer({ veryLargeCap: options.cap === undefined, ...options });
  return {
    server,
    async call(role, tool, body, headers = {}) {
      const response = await fetch(`${server.baseUrl}/api/v1/tools/${tool}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.keys[role]}`, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return seen(response);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
};

/** Returns the strings in a list. */
export const strings = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
