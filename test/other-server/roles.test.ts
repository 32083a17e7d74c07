import { describe, expect, test } from 'vitest';
import { calling, seen, strings } from './calling.ts';
import { isJsonObject } from './json.ts';

const comingDay = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);

describe('roles', () => {
  test('primary reaches every workspace it is said to reach, with all tools', async () => {
    await using it = await calling();
    for (const { slug, board } of it.server.workspaces) {
      const made = { workspace: slug, board, brief: 'a gull', count: 1, shape: it.server.shape };
      const calls: [string, Record<string, string | number>][] = [
        ['content.create_request', { workspace: slug, format: 'posts', day: comingDay }],
        ['schedule.read', { workspace: slug }],
        ['content.status', { workspace: slug }],
        ['library.search', { workspace: slug, query: '' }],
        ['knowledge.search', { workspace: slug, query: 'When?' }],
        ['connections.status', { workspace: slug }],
        ['images.generate', made],
      ];
      for (const [tool, args] of calls) {
        const { status, headers, body } = await it.call('primary', tool, args);
        expect([tool, status, body.ok, body.workspace]).toEqual([tool, 200, true, slug]);
        expect(headers.get('x-service-api')).toBe('beta');
        expect(isJsonObject(body.working_in) && body.working_in.note).toBeTypeOf('string');
      }
    }
    expect(it.server.counters).toMatchObject({ contentRequestsCreated: 3, proposals: 3, imagesConfirmed: 0 });
  });

  test('each rung has its source, and ambiguity lists what works', async () => {
    await using it = await calling();
    const sources = { pinned: 'key-pin', defaulted: 'stored-default', sole: 'sole-reachable' } as const;
    for (const role of ['pinned', 'defaulted', 'sole'] as const) {
      const { body } = await it.call(role, 'content.create_request', { format: 'posts', day: comingDay });
      expect(body.working_in).toMatchObject({ source: sources[role], workspace: String(body.workspace) });
    }
    const { body, headers } = await it.call('ambiguous', 'schedule.read');
    expect([body.ok, body.code, headers.get('x-service-tool-error')]).toEqual([false, 'workspace_ambiguous', 'true']);
    for (const workspace of strings(body.workspaces)) {
      expect((await it.call('ambiguous', 'schedule.read', { workspace })).body.workspace).toBe(workspace);
    }
    const unreachable = await it.call('primary', 'schedule.read', { workspace: it.server.otherAccount.workspace });
    expect([unreachable.body.ok, unreachable.headers.get('x-service-tool-error')]).toEqual([false, 'true']);
    expect((await it.call('ambiguous', 'credits.balance')).body.ok).toBe(true);
  });

  test('bad credentials are one and the same, closed surfaces are three', async () => {
    await using it = await calling({ extraHeaders: false });
    const url = `${it.server.baseUrl}/api/v1/tools/credits.balance`;
    const key = it.server.keys.primary;
    const answers = [await it.call('revoked', 'credits.balance'), await it.call('expired', 'credits.balance')];
    for (const credential of [undefined, `Bearer ${key}x`, `Bearer ${key.slice(0, -1)}`, `Basic ${key}`]) {
      answers.push(
        await seen(await fetch(url, { method: 'POST', headers: credential ? { authorization: credential } : {} })),
      );
    }
    expect(new Set(answers.map(({ status, text, headers }) => `${status} ${text} ${[...headers.keys()]}`)).size).toBe(
      1,
    );
    expect(answers[0]?.status).toBe(401);
    const closed = [];
    for (const role of ['withoutAccess', 'accountSwitchOff', 'platformSwitchOff'] as const) {
      const { status, body } = await it.call(role, 'credits.balance');
      expect(status).toBe(403);
      closed.push(JSON.stringify(body));
    }
    expect(new Set(closed).size).toBe(3);
    expect(it.server.counters.requestsByRole).toMatchObject({ none: 4, revoked: 1, withoutAccess: 1, primary: 0 });
  });

  test('unknown tools are one 404, malformed bodies are 400', async () => {
    await using it = await calling();
    const lost = [];
    for (const name of ['constructor', '__proto__', 'Credits.Balance', 'credits.balance%20', 'x', '']) {
      const { status, text } = await it.call('primary', name);
      lost.push(`${status} ${text}`);
    }
    expect(new Set(lost).size).toBe(1);
    expect(lost[0]).toMatch(/^404 /);
    for (const body of ['{', '"x"', '1', 'true', 'null', '[]', '[{}]', ' ']) {
      const { status, body: answer } = await it.call('primary', 'credits.balance', body);
      expect([body, status, answer.error]).toMatchObject([body, 400, { code: 'tenant_api.malformed_body' }]);
    }
    const large = await it.call('primary', 'credits.balance', JSON.stringify(Array(10_000).fill(0)));
    expect(large.body.error).toMatchObject({ code: 'tenant_mcp.batch_too_large' });
  });

  test('the throttled key waits as long as it is told, and only that key', async () => {
    let now = Date.now();
    for (const style of ['fixed', 'sliding', 'bucket'] as const) {
      await using it = await calling({ cap: { calls: 5, windowMs: 60_000, style }, now: () => now });
      for (let call = 0; call < 5; call += 1) expect((await it.call('throttled', 'credits.balance')).status).toBe(200);
      const { status, headers, body } = await it.call('throttled', 'schedule.read');
      const wait = Number(headers.get('retry-after'));
      expect([status, body.error]).toMatchObject([429, { code: 'tenant_mcp.rate_limited', retry_after_seconds: wait }]);
      expect((await it.call('primary', 'credits.balance')).status).toBe(200);
      now += (wait - 1) * 1000;
      if (wait > 1) expect((await it.call('throttled', 'credits.balance')).status).toBe(429);
      now += 1000;
      expect((await it.call('throttled', 'credits.balance')).status).toBe(200);
    }
  });
});
