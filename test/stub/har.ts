import { writeFile } from 'node:fs/promises';
import type { Recorded } from '../../suites/recorded/recorded.ts';

/** Request and response of an entry. */
export interface HarEntry {
  readonly tool: string;
  readonly args?: object;
  /** Key of the request; null for none. */
  readonly key?: string | null;
  readonly json?: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly at?: string;
}

export const recordedBase = 'https://api.example.test';

/** Returns an entry as a browser writes it. */
export function harEntryOf({ tool, args = {}, key = 'a-key-of-the-client', ...more }: HarEntry): object {
  const { json, status = 200, headers = {}, at = '2027-03-08T09:00:00.000Z' } = more;
  const text = json === undefined ? undefined : JSON.stringify(json);
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  return entry({
    at,
    method: 'POST',
    url: `${recordedBase}/api/v1/tools/${tool}`,
    requestHeaders: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(args),
    status,
    headers,
    text,
  });
}

/** Returns the entry of a recorded request. */
export function harEntryFrom(recorded: Recorded): object {
  const { method, url, requestHeaders = [], requestBody, response, sentAt } = recorded;
  return entry({
    at: new Date(sentAt).toISOString(),
    method,
    url,
    requestHeaders: Object.fromEntries(requestHeaders),
    body: requestBody ?? undefined,
    status: response?.status ?? 0,
    headers: Object.fromEntries(response?.headers ?? []),
    text: response?.text,
  });
}

interface Parts {
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

function entry({ at, method, url, requestHeaders, body, status, headers, text }: Parts): object {
  const listed = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([name, value]) => ({ name, value }));
  const postData = body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } };
  return {
    startedDateTime: at,
    time: 5,
    request: { method, url, headers: listed(requestHeaders), bodySize: Buffer.byteLength(body ?? ''), ...postData },
    response: {
      status,
      headers: listed(headers),
      content: { size: Buffer.byteLength(text ?? '') || -1, mimeType: 'application/json', text },
    },
  };
}

/** Writes a HAR file. */
export async function writeHarFile(path: string, entries: readonly object[]): Promise<string> {
  await writeFile(path, JSON.stringify({ log: { version: '1.2', creator: { name: 'a browser' }, entries } }));
  return path;
}
