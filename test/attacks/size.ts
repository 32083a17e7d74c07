import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import {
  type Answering,
  type Attacks,
  changed,
  chunked,
  type Headers,
  head,
  headed,
  like,
  numbered,
  once,
  pour,
  raw,
  withBody,
} from './wire.ts';

const megabyte = 1024 * 1024;
const repeated = (text: string, times: number) => Array.from({ length: times }, () => text).join(',');
const listed = (text: string, times: number) =>
  `{"ok":true,"total":1,"truncated":false,"items":[${repeated(text, times)}]}`;
const bomb = once(() => gzipSync(Buffer.alloc(64 * megabyte, '{},')));

const window = once(() => {
  const params = { [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS, [zlib.BROTLI_PARAM_QUALITY]: 1 };
  return brotliCompressSync(Buffer.alloc(24 * megabyte, '{},'), { params });
});

const issues = (times: number) =>
  numbered(() => {
    const listed = repeated('{"path":"day","message":"wrong"}', times);
    return `{"ok":false,"code":"${refusalCodes.invalidArguments}","message":"no","issues":[${listed}]}`;
  });

/** Pours bytes without end after the start of a response. */
const endless =
  (start: Answering, bytes: string): Answering =>
  (socket, ...more) => {
    start(socket, ...more);
    pour(socket, bytes);
  };
const headWith = (more: Headers) => raw(({ headers }) => [head(200, { ...headers, ...more })]);
const coded = (coding: string, bytes: () => Buffer) =>
  raw(({ headers }) => [withBody(200, { ...headers, 'content-encoding': coding }, bytes())]);

/** Bodies, headers and lines that are too large or endless. */
export const size: Attacks = {
  'a body of one long text': like(() => ({ body: JSON.stringify({ ok: true, text: 'x'.repeat(6 * megabyte) }) })),
  '4 MB of empty objects': numbered(() => listed('{}', 1_300_000)),
  '10 million elements': numbered(() => listed('0', 10_000_000)),
  'objects that are all different': numbered(
    () => `{"ok":true,"items":[${Array.from({ length: 2000 }, (_, index) => `{"k${index}":${index}}`).join(',')}]}`,
  ),
  'as many values as are read': numbered(() => listed('{"id":"x"}', 450)),
  'two bytes for each character': numbered(() => listed(`"${'x'.repeat(500)}\u20ac"`, 1900)),
  '5000 issues': issues(5000),
  'a workspace of 1 MB': changed((body) => ({
    ...body,
    workspace: 'w'.repeat(megabyte),
    workspaces: ['w'.repeat(megabyte)],
  })),
  'ids of 1 MB': changed((body, { nth }) => ({
    ...body,
    ...('confirmation_id' in body ? { confirmation_id: nth + 'c'.repeat(megabyte) } : {}),
    ...('run_id' in body ? { run_id: 'r'.repeat(megabyte) } : {}),
    ...('piece_id' in body ? { piece_id: 'p'.repeat(megabyte) } : {}),
    ...('items' in body ? { items: [{ kind: 'k'.repeat(megabyte), id: 'i'.repeat(megabyte) }] } : {}),
  })),
  'encodings upon encodings': numbered(() => listed(`"${'%2525'.repeat(100)}"`, 5000)),
  'a megabyte of base64': numbered(() => listed(`"${'QUJD'.repeat(100)}"`, 2500)),
  'a code of 100 KB': changed((body) => ({ ...body, ok: false, code: 'c'.repeat(100_000), message: 'no' })),
  '9000 names beside the error': raw(({ headers }) => {
    const names = Array.from({ length: 9000 }, (_, index) => `"n${index}":1`).join(',');
    return [withBody(400, headers, Buffer.from(`{"error":{"code":"x","message":"x"},${names}}`))];
  }),
  '60 KB of characters that take six each in JSON': numbered(() =>
    JSON.stringify({ ok: true, text: '\u0001'.repeat(10_000) }),
  ),
  'an endless body in chunks of one byte': endless(chunked(''), '1\r\n,\r\n'.repeat(10_000)),
  'an endless body without chunks': endless(headWith({ connection: 'close' }), '['.repeat(65_536)),
  'a chunk extension without end': endless(chunked('5;a='), 'x'.repeat(65_536)),
  'a length of 10 TB': endless(headWith({ 'content-length': '10995116277760' }), 'x'.repeat(65_536)),
  'a gzip bomb': coded('gzip', bomb),
  'brotli with the largest window': coded('br', window),
  '2300 short headers': headed(() => ({ a: Array.from({ length: 2300 }, (_, index) => index % 10).map(String) })),
  '1200 different headers': headed(({ nth }) =>
    Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`h${index}`, String(nth % 10)])),
  ),
  'headers without end': endless(
    raw(() => ['HTTP/1.1 200 OK\r\n']),
    'x-more: 1\r\n'.repeat(5000),
  ),
  'trailers without end': endless(chunked('2\r\n{}\r\n0\r\n'), 'x-more: 1\r\n'.repeat(5000)),
  'as many headers as are read': headed(() => ({
    'x-long': Array.from({ length: 14 }, () => '"'.repeat(1000)),
    [responseHeaders.api]: 'x'.repeat(1000),
  })),
  'a status line without end': endless(
    raw(() => ['HTTP/1.1 200 ']),
    'x'.repeat(65_536),
  ),
};
