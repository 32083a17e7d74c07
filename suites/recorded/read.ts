import { JSONParser } from '@streamparser/json';
import { isRole } from '../../fixtures/roles.ts';
import type { Headers, Sender } from '../exchange/exchange.ts';
import { isRecord, member } from '../json.ts';
import { chunksOf, gigabyte, isUnread, whyNotRead } from '../usage/read-file.ts';
import { UsageError } from '../usage/usage-error.ts';
import { harEntry } from './har.ts';
import type { Recorded, RecordedResponse } from './recorded.ts';

const paths = ['$.log.creator', '$.log.entries.*', '$.startedAt', '$.exchanges.*', '$.events.*'];

const mostBytes = 64 * gigabyte;

/**
 * Yields the entries of a recording in batches, in the order of the file. An entry that is not a request is undefined.
 * Throws a `UsageError` if the file cannot be read or is not a recording.
 */
export async function* readRecording(path: string, name: string): AsyncGenerator<(Recorded | undefined)[]> {
  let entries: (Recorded | undefined)[] = [];
  let isRecording = false;
  let writer = '';
  let startedAt = 0;
  const parser = new JSONParser({ paths, keepStack: false });
  parser.onValue = ({ key, value, stack }) => {
    const list = typeof key === 'number' ? stack.at(-1)?.key : undefined;
    if (key === 'creator') writer = String(member(value, 'name'));
    else if (key === 'startedAt') startedAt = Date.parse(String(value)) || 0;
    else if (list === 'entries') entries.push(harEntry(value, writer));
    else if (list === 'exchanges') entries.push(reportedExchange(value, startedAt));
    else if (member(value, 'kind') === 'exchange') entries.push(journalEvent(value));
    isRecording ||= list !== undefined;
  };
  for await (const chunk of bytesOf(path, name)) {
    try {
      parser.write(chunk);
    } catch (error) {
      const problem = parser.isEnded ? moreText : error instanceof Error ? error.message : error;
      throw new UsageError(`${name}: expected JSON: ${problem}`);
    }
    yield entries;
    entries = [];
  }
  if (!parser.isEnded) throw new UsageError(`${name}: expected JSON, got the end of the file in the middle of it`);
  if (!isRecording)
    throw new UsageError(
      `${name}: expected a HAR file, a report.json or a journal of the stub, with at least one request`,
    );
}

const moreText = "more text after its end. Join the events of a journal in lines first: jq -s '{events: .}'";

/** First bytes of files that contain a recording in another form. */
const otherForms: readonly (readonly [start: Buffer, form: string])[] = [
  [Buffer.from([0x1f, 0x8b]), 'a gzip file: unpack it first, for example with gunzip'],
  [Buffer.from('PK\u0003\u0004'), 'a zip file: unpack it first, for example with unzip'],
  ...[0x01, 0x5e, 0x9c, 0xda].map(
    (level) => [Buffer.from([0x78, level]), 'a zlib file: unpack it first, for example with pigz -dz'] as const,
  ),
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'a zstd file: unpack it first, for example with unzstd'],
  // With a byte order mark, and without one.
  ...['\u00ff\u00fe', '\u00fe\u00ff', '{\0', '\0{'].map(
    (start) =>
      [Buffer.from(start, 'latin1'), 'UTF-16: convert it first, for example with iconv -f UTF-16 -t UTF-8'] as const,
  ),
];

async function* bytesOf(path: string, name: string): AsyncGenerator<Buffer> {
  let isFirst = true;
  try {
    for await (const bytes of chunksOf(path, mostBytes)) {
      const form = isFirst
        ? otherForms.find(([start]) => bytes.subarray(0, start.length).equals(start))?.[1]
        : undefined;
      if (form !== undefined) throw new UsageError(`${name}: expected JSON in UTF-8, got ${form}`);
      yield bytes;
      isFirst = false;
    }
  } catch (error) {
    if (!isUnread(error)) throw error;
    throw new UsageError(`cannot read the recording: '${name}' ${whyNotRead(error)}`);
  }
}

/** Placeholder, because the journal of the stub does not contain its address. */
export const stubBase = 'http://stub.invalid';

/** Rounding error of times in a report, in milliseconds. */
const roundedMs = 0.5;

/** Returns an exchange of a `report.json` whose run started at `startedAt`; undefined if `value` is malformed. */
function reportedExchange(value: unknown, startedAt: number): Recorded | undefined {
  const [request, response] = [member(value, 'request'), member(value, 'response')];
  const [method, url, body] = ['method', 'url', 'body'].map((name) => member(request, name));
  const [at, took] = [member(value, 'atMs'), member(value, 'durationMs')];
  if (typeof method !== 'string' || typeof url !== 'string' || typeof at !== 'number' || typeof took !== 'number')
    return undefined;
  const sentAt = startedAt + at - roundedMs;
  return {
    method,
    url,
    requestHeaders: pairs(member(request, 'headers')),
    requestBody: typeof body === 'string' || body === null ? body : undefined,
    response: responseOf(response, member(response, 'cutAtBytes') !== undefined),
    sentAt,
    receivedAt: sentAt + took + 2 * roundedMs,
    sender: senderOf(member(value, 'role'), String(member(value, 'credential'))),
  };
}

/** Returns a request from an exported journal of the stub; undefined if `value` is not a request. */
function journalEvent(value: unknown): Recorded | undefined {
  const [request, answer] = [member(value, 'request'), member(value, 'answer')];
  const [method, path, body] = ['method', 'path', 'body'].map((name) => member(request, name));
  const [at, ahead, delay] = ['at', 'aheadMs', 'delayMs'].map((name) => Number(member(value, name)));
  if (member(value, 'kind') !== 'exchange' || typeof method !== 'string' || typeof path !== 'string') return undefined;
  const headers = pairs(member(request, 'headers'));
  const isWhole = typeof body === 'string' && Buffer.byteLength(body) >= Number(member(request, 'bodyBytes'));
  const isCut = Buffer.byteLength(String(member(answer, 'body'))) < Number(member(answer, 'bodyBytes'));
  const sentAt = (at ?? 0) - (ahead ?? 0);
  return {
    method,
    url: `${stubBase}${path}`,
    requestHeaders: headers,
    requestBody: body === null ? null : isWhole ? body : undefined,
    response: member(value, 'delivery') === 'whole' ? responseOf(answer, isCut) : null,
    sentAt,
    receivedAt: sentAt + (delay ?? 0),
    clockMoved: ahead ?? 0,
    sender: senderOf(member(value, 'role'), headers?.some(([name]) => name === 'authorization') ? '' : 'no credential'),
  };
}

function senderOf(role: unknown, credential: string): Sender {
  if (typeof role === 'string' && isRole(role)) return { label: role, kind: 'key', role };
  if (credential === 'no credential') return { label: credential, kind: 'absent', role: null };
  return { label: credential === '' ? 'another credential' : credential, kind: 'other', role: null };
}

function responseOf(response: unknown, isCut: boolean): RecordedResponse | null {
  const [status, text] = [member(response, 'status'), member(response, 'body')];
  if (!isRecord(response) || typeof status !== 'number') return null;
  return {
    status,
    headers: pairs(member(response, 'headers')),
    text: typeof text === 'string' && !isCut ? text : undefined,
  };
}

function pairs(list: unknown): Headers | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((header) => {
    const [name, value]: unknown[] = Array.isArray(header) ? header : [];
    return typeof name === 'string' && typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [];
  });
}
