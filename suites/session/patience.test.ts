import { expect, test } from 'vitest';
import { answered } from '../../test/history.ts';
import { Patience } from './patience.ts';

const call = (tool: string) => answered({ tool });

/** Returns the seconds to wait after a 503. */
const outage = (patience: Patience, tool: string, atMs: number, seconds = 1) => {
  const headers: [string, string][] = [['retry-after', String(seconds)]];
  return patience.outage(answered({ tool, status: 503, headers, at: atMs / 1000 }), atMs, 90);
};

test('a tool that leaves three calls in a row unanswered is given up, and no other', () => {
  const patience = new Patience();
  const last = call('library.get');
  for (const exchange of [call('library.get'), call('library.get'), last]) {
    expect(patience.givenUp({ tool: 'library.get' })).toBeUndefined();
    patience.timedOut(exchange);
  }
  const givenUp = patience.givenUp({ tool: 'library.get' });
  expect(givenUp?.reason).toBe(
    '3 requests to library.get in a row got no response in time; the run sends no more of them',
  );
  expect(givenUp?.exchange).toBe(last);
  expect(patience.givenUp({ tool: 'library.search' })).toBeUndefined();
});

test('an answer in between begins the count anew', () => {
  const patience = new Patience();
  for (let times = 0; times < 5; times += 1) {
    patience.timedOut(call('library.get'));
    patience.timedOut(call('library.get'));
    patience.answered(call('library.get'));
  }
  expect(patience.givenUp({ tool: 'library.get' })).toBeUndefined();
});

test('names that are no tools are counted together', () => {
  const patience = new Patience();
  for (const name of ['one', 'two', 'toString']) patience.timedOut(call(name));
  expect(patience.givenUp({ tool: 'four' })?.reason).toContain('3 requests to other tools in a row');
  expect(patience.givenUp({ tool: null })).toBeDefined();
});

test('thirty calls without an answer end the run, however they are spread', () => {
  const patience = new Patience();
  const tools = ['library.get', 'library.search', 'schedule.read'];
  for (let times = 0; times < 30; times += 1) {
    const tool = tools[times % tools.length] ?? '';
    expect(patience.givenUp({ tool })).toBeUndefined();
    patience.timedOut(call(tool));
    if (times < 29) patience.answered(call(tool));
  }
  expect(patience.givenUp({ tool: 'credits.balance' })?.reason).toContain('30 requests of this run');
});

test('a deployment that says five times in a row that it does not answer for now is asked no more', () => {
  const patience = new Patience();
  for (let wait = 0; wait < 5; wait += 1) {
    for (const tool of ['library.get', 'schedule.read']) outage(patience, tool, wait * 1000);
    expect(patience.givenUp({ tool: 'credits.balance' })).toBeUndefined();
  }
  outage(patience, 'library.get', 5000);
  expect(patience.givenUp({ tool: 'credits.balance' })?.reason).toContain('still 503 after 5 waits in a row');
});

test('one tool that does not answer for now says nothing of the others', () => {
  const patience = new Patience();
  for (let wait = 0; wait < 20; wait += 1) outage(patience, 'library.get', wait * 1000);
  expect(patience.givenUp({ tool: 'library.get' })).toBeUndefined();
});

test('outages that come again and again are waited out fifteen times in a run', () => {
  const patience = new Patience();
  for (let times = 0; times < 15; times += 1) {
    expect(outage(patience, 'library.get', times * 5000)).toBe(1);
    patience.answered(call('library.get'));
  }
  expect(outage(patience, 'library.get', 75_000)).toBe(0);
});

test('requests that were under way together wait no longer than the first of them', () => {
  const patience = new Patience();
  for (const atMs of [0, 10_000]) expect(outage(patience, 'library.get', atMs, 10)).toBe(10);
  const sentAt20 = (nowMs: number) =>
    patience.outage(answered({ tool: 'library.get', status: 503, at: 20 }), nowMs, 90);
  expect([20_010, 20_020].map(sentAt20)).toEqual([0, 0]);
});

test.each([
  [1, 15],
  [10, 2],
  [30, 2],
  [60, 1],
])('responses 503 that ask for %i s, again and again, cost %i waits of the run', (seconds, waits) => {
  const patience = new Patience();
  let waited = 0;
  for (let nowMs = 0; outage(patience, 'library.get', nowMs, seconds) > 0; nowMs += seconds * 1000) {
    waited += 1;
    patience.answered(call('library.get'));
  }
  expect(waited).toBe(waits);
});
