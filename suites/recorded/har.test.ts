import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { harEntry } from './har.ts';
import { writeHar } from './write-har.ts';

const url = 'https://api.example.test/api/v1/tools/schedule.read';
const folder = temporaryFolder();
const json = { mimeType: 'application/json' };
const startedDateTime = '2027-01-04T10:00:00.000Z';
const started = Date.parse(startedDateTime);
const request = { method: 'POST', url, bodySize: 2, headers: [{ name: 'Content-Type', value: 'application/json' }] };
const response = { status: 200, headers: [], content: { size: 2, mimeType: 'application/json', text: '{}' } };
const entry = { startedDateTime, time: 20, request, response };

test('moments are no more exact than the file', () => {
  const { sentAt = 0, receivedAt = 0 } = harEntry(entry, '') ?? {};
  expect([started - sentAt, receivedAt - started]).toEqual([0.5, 21]);
  expect(harEntry({ ...entry, time: -1 }, '')?.receivedAt).toBe(Number.POSITIVE_INFINITY);
  expect(harEntry(entry, 'Insomnia REST Client')?.sentAt).toBe(started - 20.5);
  const ofProxyman = harEntry({ ...entry, startedDateTime: '2027-01-04T11:00:00+01:00' }, 'Proxyman');
  expect([ofProxyman?.sentAt, ofProxyman?.receivedAt]).toEqual([started - 500, started + 1020]);
});

test.each([
  ['a text', { ...request, postData: { ...json, text: '{}' } }, '{}'],
  ['none', { ...request, bodySize: 0 }, null],
  ['none, by its header', { ...request, bodySize: -1, headers: [{ name: 'content-length', value: '0' }] }, null],
  ['an empty one, of Firefox', { ...request, bodySize: 0, postData: { mimeType: '', params: [], text: '' } }, null],
  ['base64', { ...request, postData: { ...json, encoding: 'base64', text: 'e30=' } }, '{}'],
  ['one that was left out', request, undefined],
  ['one of which nothing is told', { ...request, bodySize: -1 }, undefined],
  ['one that was cut', { ...request, bodySize: 20, postData: { ...json, text: '{"work' } }, undefined],
])('the body of a request: %s', (_, request, body) => {
  expect(harEntry({ ...entry, request }, '')?.requestBody).toBe(body);
});

test.each([
  ['a text', { size: 2, text: '{}' }, '{}'],
  ['base64', { size: 2, encoding: 'base64', text: 'e30=' }, '{}'],
  ['text that is marked as base64, as Firefox has it', { size: 2, encoding: 'base64', text: '{}' }, '{}'],
  ['text that could be base64, but has its own size', { size: 4, encoding: 'base64', text: 'true' }, 'true'],
  ['base64 in capital letters', { size: 2, encoding: 'BASE64', text: 'e30=' }, '{}'],
  ['base64 of its compressed form', { size: 22, encoding: 'base64', text: gzipSync('{}').toString('base64') }, '{}'],
  ['nothing', { size: 0, text: '' }, ''],
  ['the size of the compressed form, as mitmproxy has it', { size: 30, compression: -28, text: '{}' }, '{}'],
  ['its compressed form as text', { size: 22, text: gzipSync('{}').toString() }, undefined],
  ['left out', { size: 40 }, undefined],
  ['cut, as Firefox does', { size: 40, text: '{"ok":true,' }, undefined],
])('the body of a response: %s', (_, content, text) => {
  const headers = [{ name: 'Content-Encoding', value: 'gzip' }];
  expect(harEntry({ ...entry, response: { ...response, headers, content } }, '')?.response?.text).toBe(text);
});

test.each([
  ['Chromium and Safari', { _error: 'net::ERR_CONTENT_LENGTH_MISMATCH' }],
  ['Playwright', { _failureText: 'net::ERR_FAILED' }],
  ['Charles', { _charlesStatus: 'EXCEPTION' }],
  ['a header', { headers: [{ name: 'Content-Length', value: '40' }] }],
])('the body of a response that broke off is unknown, according to %s', (_, facts) => {
  const whole = { ...response, _error: null, _charlesStatus: 'COMPLETE' };
  expect(harEntry({ ...entry, response: whole }, '')?.response?.text).toBe('{}');
  expect(harEntry({ ...entry, response: { ...whole, ...facts } }, '')?.response?.text).toBe(undefined);
});

test('a request that failed has no response, and what is no request is none', () => {
  const redirect = { status: 307, headers: [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }] };
  for (const response of [{ status: 0 }, redirect]) expect(harEntry({ ...entry, response }, '')?.response).toBe(null);
  for (const value of [null, 7, {}, { request }, { ...entry, startedDateTime: 'soon' }])
    expect(harEntry(value, '')).toBe(undefined);
});

test('headers that a file lacks are unknown', () => {
  expect(harEntry(entry, '')?.response?.headers).toBe(undefined);
  expect(harEntry({ ...entry, request: { method: 'POST', url, headers: [] } }, '')?.requestHeaders).toBe(undefined);
  const inNumbers = { ...response, headers: [{ name: 'Retry-After', value: 3 }] };
  expect(harEntry({ ...entry, response: inNumbers }, '')?.response?.headers).toEqual([['retry-after', '3']]);
});

test('a link in the place of a HAR file is not followed', async () => {
  await writeFile(join(folder, 'mine.txt'), 'mine');
  await symlink(join(folder, 'mine.txt'), join(folder, 'run.har'));
  await expect(writeHar(join(folder, 'run.har'), [], (text) => text)).rejects.toThrow('it is a link');
  expect(await readFile(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});
