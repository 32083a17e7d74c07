import { member } from '../json.ts';
import { chunksOf, FileRefused, gigabyte, whyNotRead } from '../usage/read-file.ts';
import { UsageError } from '../usage/usage-error.ts';
import { harEntry } from './har.ts';
import { JsonValues } from './json-values.ts';
import { journalEvent, reportedExchange } from './kit-files.ts';
import type { Recorded } from './recorded.ts';

/** Paths of the values to read. */
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
  const parser = new JsonValues(paths, (path, value) => {
    if (path === '$.log.creator') writer = String(member(value, 'name'));
    else if (path === '$.startedAt') startedAt = Date.parse(String(value)) || 0;
    else if (path === '$.log.entries.*') entries.push(harEntry(value, writer));
    else if (path === '$.exchanges.*') entries.push(reportedExchange(value, startedAt));
    else if (member(value, 'kind') === 'exchange') entries.push(journalEvent(value));
    isRecording ||= path.endsWith('.*');
  });
  for await (const chunk of bytesOf(path, name)) {
    try {
      parser.write(chunk);
    } catch (error) {
      throw new UsageError(`${name}: expected JSON: ${error instanceof Error ? error.message : error}`);
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

/** First bytes of files that contain a recording in another form. */
const otherForms: readonly (readonly [start: Buffer, form: string])[] = [
  [Buffer.from([0x1f, 0x8b]), 'a gzip file: unpack it first, for example with gunzip'],
  [Buffer.from('PK\u0003\u0004'), 'a zip file: unpack it first, for example with unzip'],
  [Buffer.from([0xff, 0xfe]), 'UTF-16: convert it first, for example with iconv -f UTF-16 -t UTF-8'],
  [Buffer.from([0xfe, 0xff]), 'UTF-16: convert it first, for example with iconv -f UTF-16 -t UTF-8'],
];

async function* bytesOf(path: string, name: string): AsyncGenerator<Buffer> {
  const mark = Buffer.from('\ufeff');
  let isFirst = true;
  try {
    for await (const bytes of chunksOf(path, mostBytes)) {
      const form = isFirst
        ? otherForms.find(([start]) => bytes.subarray(0, start.length).equals(start))?.[1]
        : undefined;
      if (form !== undefined) throw new UsageError(`${name}: expected JSON in UTF-8, got ${form}`);
      yield isFirst && bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes;
      isFirst = false;
    }
  } catch (error) {
    if (!(error instanceof FileRefused || (error instanceof Error && 'syscall' in error))) throw error;
    throw new UsageError(`cannot read the recording: '${name}' ${whyNotRead(error)}`);
  }
}
