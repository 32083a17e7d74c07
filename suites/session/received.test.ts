import { describe, expect, test } from 'vitest';
import { Receiver } from './received.ts';

const kilobyte = 1024;

const asItIs = (text: string) => text;

async function* chunks(text: string, each = 64 * kilobyte): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += each) yield bytes.subarray(at, at + each);
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(kilobyte, '1,');
}

const receive = (receiver: Receiver, body: AsyncIterable<Uint8Array> | string) =>
  receiver.receive(200, [['content-type', 'application/json']], typeof body === 'string' ? chunks(body) : body);

describe('one body', () => {
  test('holds no secret, neither as text nor as JSON, whole or cut', async () => {
    const redact = (text: string) => text.replaceAll('s3cret', '<primary>');
    const { text, json } = await receive(new Receiver(redact), '{"s3cret":["s3cret"]}');
    expect([text, json]).toEqual(['{"<primary>":["<primary>"]}', { '<primary>': ['<primary>'] }]);
    const cut = await receive(new Receiver(redact, 1200), `s3cret${'x'.repeat(2000)}`);
    expect(cut.text).toMatch(/^<primary>x+$/);
    expect(cut.unread).toBeDefined();
  });

  test.each([
    ['JSON', '{"ok":true,"ä":["€"]}', { ok: true, ä: ['€'] }],
    ['JSON, byte by byte', chunks('["€𝒳"]', 1), ['€𝒳']],
    ['JSON of many characters in few values', JSON.stringify(['x'.repeat(3_000_000)]), [expect.any(String)]],
    ['HTML', '<html>', undefined],
    ['nothing', '', undefined],
  ])('of %s is kept as text and as JSON', async (_, body, json) => {
    const response = await receive(new Receiver(asItIs), body);
    expect(response).toMatchObject({ status: 200, headers: [['content-type', 'application/json']] });
    expect([response.json, response.unread]).toEqual([json, undefined]);
    if (typeof body === 'string') expect(response.text).toBe(body);
  });

  test('without an end keeps its beginning, status and headers', async () => {
    const response = await receive(new Receiver(asItIs, 8 * 200 * kilobyte), endless());
    expect(response).toMatchObject({ status: 200, headers: [['content-type', 'application/json']] });
    expect(response.unread).toMatch(/^a body of more than \d+ bytes$/);
    expect(response.json).toBeUndefined();
    expect(response.text).toHaveLength(kilobyte);
  });

  const objects = `{"ok":true,"items":[${'{},'.repeat(1_000_000)}{}]}`;
  const nested = `{"ok":${'['.repeat(201)}${']'.repeat(201)}}`;
  test.each([
    ['of many values', objects, 'a body of more than 10000 values', kilobyte],
    ['nested deeply', nested, 'a body nested more than 200 levels deep', nested.length],
  ])('%s is not parsed', async (_name, text, unread, kept) => {
    const response = await receive(new Receiver(asItIs), text);
    expect([response.unread, response.json, response.text.length]).toEqual([unread, undefined, kept]);
  });
});

describe('all bodies of a run', () => {
  const kept = (answers: readonly { text: string }[]) => answers.reduce((sum, { text }) => sum + text.length, 0);

  test.each([
    ['one after the other', 1],
    ['side by side', 100],
  ])('take no more memory than allowed, %s', async (_name, atOnce) => {
    const receiver = new Receiver(asItIs, 1000 * kilobyte);
    const answers: { text: string; unread?: string }[] = [];
    for (let round = 0; round < 300 / atOnce; round += 1) {
      const texts = Array.from({ length: atOnce }, (_, index) => `${round} ${index}${'x'.repeat(50 * kilobyte)}`);
      answers.push(...(await Promise.all(texts.map((text) => receive(receiver, text)))));
    }
    expect(kept(answers)).toBeGreaterThan(400 * kilobyte);
    expect(kept(answers)).toBeLessThanOrEqual(1000 * kilobyte);
    // A short body still fits.
    expect((await receive(receiver, '{"ok":true}')).json).toEqual({ ok: true });
  });

  test('give back what broke off', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(90 * kilobyte);
      throw new Error('reset');
    }
    const receiver = new Receiver(asItIs, 800 * kilobyte);
    for (let times = 0; times < 20; times += 1) {
      await expect(receive(receiver, broken())).rejects.toThrow('reset');
    }
    expect((await receive(receiver, 'x'.repeat(99 * kilobyte))).unread).toBeUndefined();
  });
});
