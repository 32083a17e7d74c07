import { describe, expect, test } from 'vitest';
import { calling, strings } from './calling.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { OtherServerOptions } from './options.ts';

const home = { workspace: 'q' };

/** Returns the response to one request to a server with these options. */
const once = async (options: Partial<OtherServerOptions>, tool: string, body?: JsonObject | string) => {
  await using it = await calling(options);
  return await it.call('primary', tool, body);
};

const firstIssue = (body: JsonObject): Json => (Array.isArray(body.issues) ? (body.issues[0] ?? null) : null);

describe('options', () => {
  test('paths of issues', async () => {
    const styles = {
      dot: 'title',
      pointer: '/title',
      jsonpath: '$.title',
      rooted: 'arguments.title',
      fragment: '#/title',
    };
    for (const issuesPathStyle of ['dot', 'pointer', 'jsonpath', 'rooted', 'fragment'] as const) {
      const args = { ...home, format: 'posts', day: '2099-01-01', title: '' };
      const { body } = await once({ issuesPathStyle }, 'content.create_request', args);
      expect(firstIssue(body)).toMatchObject({ path: styles[issuesPathStyle] });
    }
  });

  test('missing properties by path or by message, all or the first', async () => {
    const byMessage = await once({ multipleIssues: 'all' }, 'library.get', home);
    expect(byMessage.body.issues).toHaveLength(2);
    expect(firstIssue(byMessage.body)).toMatchObject({ path: '', message: expect.stringContaining('id') });
    const byPath = await once({ absentNamedBy: 'path' }, 'library.get', home);
    expect(byPath.body.issues).toHaveLength(1);
    expect(firstIssue(byPath.body)).toMatchObject({ path: '/id' });
  });

  test('header on invalid arguments and on success', async () => {
    const refused = await once({ toolErrorOnInvalidArguments: false }, 'schedule.read', { workspace: '' });
    expect([refused.body.code, refused.headers.get('x-service-tool-error')]).toEqual(['invalid_arguments', 'false']);
    const ran = await once({ toolErrorOnSuccess: 'false' }, 'schedule.read', home);
    expect([ran.body.ok, ran.headers.get('x-service-tool-error')]).toEqual([true, 'false']);
  });

  test('dates', async () => {
    const args = { ...home, format: 'posts', day: '2099-02-30' };
    expect((await once({}, 'content.create_request', args)).body.code).toBe('invalid_arguments');
    expect((await once({ impossibleDatesRefused: false }, 'content.create_request', args)).body.ok).toBe(true);
    const plus = await once({ fraction: true }, 'content.create_request', { ...args, day: '2099-02-20' });
    expect(plus.body.scheduled_for).toBe('2099-02-19T20:00:00.000+00:00');
    const nothing = await once({ scheduledForNull: true }, 'content.create_request', { ...args, day: '2099-02-20' });
    expect(nothing.body.scheduled_for).toBeNull();
    for (const [weekStart, weekday] of [
      ['monday', 1],
      ['sunday', 0],
    ] as const) {
      const { body } = await once({ weekStart }, 'schedule.read', home);
      expect(new Date(String(body.week_start)).getUTCDay()).toBe(weekday);
      expect(strings(body.days)[0]).toBe(body.week_start);
    }
  });

  test('unknown properties and argument order', async () => {
    const odd = { ...home, odd: 1 };
    expect((await once({}, 'schedule.read', odd)).body.code).toBe('invalid_arguments');
    expect((await once({ strictUnknown: false }, 'schedule.read', odd)).body.ok).toBe(true);
    expect((await once({ strictUnknown: false }, 'content.create_request', odd)).body.code).toBe('invalid_arguments');
    expect((await once({}, 'credits.balance', odd)).body.ok).toBe(false);
    expect((await once({ unknownPropertiesOnBalance: 'ignore' }, 'credits.balance', odd)).body.ok).toBe(true);
    expect((await once({ argumentsBeforeWorkspace: false }, 'library.get', {})).body.code).toBe('workspace_ambiguous');
    expect((await once({}, 'library.get', {})).body.code).toBe('invalid_arguments');
  });

  test('looks: indentation, charset, escapes, spelling of headers, prefix', async () => {
    const plain = await once(
      { prettyJson: false, charset: false, chunked: false, escapedUnicode: true, pathPrefix: '', extraFields: false },
      'knowledge.search',
      { ...home, query: 'Ümit 🛳' },
    );
    expect(plain.body.query).toBe('Ümit 🛳');
    expect(plain.text).toMatch(/^[ -~]+$/);
    expect(plain.headers.get('content-type')).toBe('application/json');
    expect(plain.headers.get('content-length')).toBe(String(plain.text.length));
    const odd = await once({}, 'knowledge.search', { ...home, query: 'Ümit 🛳' });
    expect(odd.body.query).toBe('Ümit 🛳');
    expect(odd.text).toContain('\n   ');
    expect(odd.headers.get('connection')).toBe('close');
  });

  test('pinned keys with an argument', async () => {
    const outcome = async (pinnedWithArgument: OtherServerOptions['pinnedWithArgument']) => {
      await using it = await calling({ pinnedWithArgument });
      const { body } = await it.call('pinned', 'schedule.read', { workspace: 'q' });
      return body.ok === true ? body.workspace : body.code;
    };
    expect(await outcome('refuse')).toBe('desk_out_of_reach');
    expect(await outcome('honour')).toBe('q');
    expect(await outcome('keep-pin')).toBe('zz.archive');
  });

  test('empty places', async () => {
    expect((await once({ emptyLibrary: true }, 'library.search', { ...home, query: '' })).body.total).toBe(0);
    expect((await once({ noHits: true }, 'knowledge.search', { ...home, query: '' })).body.hits).toEqual([]);
    const needy = await once({ contentStatusNeedsArguments: true }, 'content.status', home);
    expect(needy.body.code).toBe('invalid_arguments');
  });

  test('who wins with a bad credential and an unknown tool', async () => {
    for (const unauthorizedAfterUnknownTool of [true, false]) {
      await using it = await calling({ unauthorizedAfterUnknownTool });
      expect((await it.call('expired', 'nothing')).status).toBe(unauthorizedAfterUnknownTool ? 404 : 401);
    }
  });

  test('working_in in full, and where it may be left out', async () => {
    const full = await once({ minimalWorkingIn: false }, 'schedule.read', home);
    expect(full.body.working_in).toMatchObject({ workspace: 'q', source: 'call-override' });
    const least = await once({}, 'schedule.read', home);
    expect(isJsonObject(least.body.working_in) && Object.keys(least.body.working_in)).toEqual(['label', 'note']);
  });

  test('a clock beside the API or on a port of its own, and a closed base address', async () => {
    for (const clockHost of ['same', 'own-port'] as const) {
      await using it = await calling({ controllableClock: true, clockHost, platformOffAt: 'own-base' });
      const before = await it.call('primary', 'schedule.read', home);
      const moved = await fetch(it.server.controlUrl ?? '', { method: 'POST', body: '{"seconds": 604800}' });
      expect(moved.status).toBe(204);
      const after = await it.call('primary', 'schedule.read', home);
      expect(Date.parse(String(after.body.week_start)) - Date.parse(String(before.body.week_start))).toBe(
        7 * 86_400_000,
      );
      const closed = await fetch(`${it.server.baseUrls.platformSwitchOff}/api/v1/tools/schedule.read`, {
        method: 'POST',
        headers: { authorization: `Bearer ${it.server.keys.platformSwitchOff}` },
      });
      expect(closed.status).toBe(403);
    }
    await using without = await calling();
    expect(without.server.controlUrl).toBeUndefined();
  });
});
