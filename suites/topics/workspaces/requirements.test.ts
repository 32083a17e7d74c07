import { describe, expect, test } from 'vitest';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

interface Place extends Pick<Partial<Said>, 'as' | 'tool'> {
  readonly named?: unknown;
  readonly in?: string;
  readonly source?: unknown;
}

/** Returns a result, by default of `schedule.read` and in the named workspace. */
function read({ named, in: workspace = String(named ?? 'north'), source, as = 'primary', tool }: Place): Said {
  const args = named === undefined ? {} : { workspace: named };
  const body = { ok: true, workspace, working_in: { label: 'A', note: 'B', source } };
  return { tool: tool ?? 'schedule.read', args, as, body };
}

const atBoundary = [['x-service-tool-error', 'true']] as const;

const refuse = (place: Place, code: string, workspaces?: unknown): Said => ({
  ...read(place),
  headers: atBoundary,
  body: { ok: false, code, message: 'No.', workspaces },
});

const listens = [read({}), read({ named: 'south' })];
const ambiguous = (workspaces: unknown = ['north', 'south']) =>
  refuse({ as: 'ambiguous' }, 'workspace_ambiguous', workspaces);

describe('a key whose source is not shown may be pinned', () => {
  const stays = read({ named: 'south', in: 'north' });
  test('until it is known to listen, where it works proves nothing', () =>
    expect(verdictOf('workspaces.argument-honoured', read({}), stays)).toBe('not tested'));
  test('another tool that listens proves that the argument decides', () =>
    expect(
      verdictOf('workspaces.argument-honoured', read({}), stays, read({ named: 'south', tool: 'connections.status' })),
    ).toBe('failed'));
  test('so does a source that is no pin', () =>
    expect(verdictOf('workspaces.argument-honoured', read({ source: 'stored-default' }), stays)).toBe('failed'));
  test('what a pinned key does is not shown, whatever other tools do', () => {
    const pinned = [read({ as: 'pinned' }), { ...stays, as: 'pinned' as const }];
    const elsewhere = read({ as: 'pinned', named: 'south', tool: 'connections.status' });
    expect(verdictOf('workspaces.argument-honoured', ...pinned, elsewhere)).toBe('passed');
  });
});

test('a slug in other case may stand for the workspace', () =>
  expect(verdictOf('workspaces.argument-honoured', ...listens, read({ named: 'NORTH', in: 'north' }))).toBe('passed'));

test('another account may have a workspace of the same slug', () => {
  const choices = refuse({}, 'workspace_ambiguous', ['north', 'harbour']);
  const own = [read({ named: 'north' }), choices, read({ named: 'harbour' })];
  expect(verdictOf('workspaces.unreachable-refused', ...own)).toBe('not tested');
});

test('a workspace that is not a string is ambiguous, unless the server checks arguments first', () => {
  const id = 'workspaces.wrong-type-refused';
  const ignored = refuse({ named: 7 }, 'workspace_ambiguous', ['north', 'south']);
  const history = [read({ named: 'north' }), ignored, ambiguous()];
  expect(verdictOf(id, ...history)).toBe('not tested');
  const misread = refuse({ as: 'ambiguous', tool: 'library.get' }, 'invalid_arguments');
  expect(verdictOf(id, ...history, misread)).toBe('failed');
});

test('a tool that contradicts the others about the own workspace leaves it open', () => {
  const contradicting = [read({ as: 'sole', in: 'south', tool: 'connections.status' }), read({ as: 'sole' })];
  const primary = read({ named: 'south' });
  const there = read({ as: 'sole', named: 'south' });
  const within = 'workspaces.unreachable-within-account';
  expect(verdictOf(within, read({ as: 'sole' }), primary, there)).toBe('failed');
  expect(verdictOf(within, ...contradicting, primary, there)).toBe('not tested');
  const pinned = [
    read({ as: 'pinned', source: 'key-pin' }),
    read({ named: 'south' }),
    read({ as: 'pinned', named: 'south' }),
    read({ as: 'pinned', source: 'key-pin', in: 'south', tool: 'connections.status' }),
  ];
  expect(verdictOf('workspaces.source-key-pin', ...pinned)).toBe('passed');
  const moved = read({ as: 'pinned', source: 'key-pin', in: 'south' });
  expect(judgementOf('workspaces.source-key-pin', [...pinned, moved]).findings).toMatchObject([
    {
      expected: 'workspace "north", as before without an argument',
      actual: 'workspace "south", which an earlier request named',
      hint: 'Use the workspace argument only for the request that contains it; do not store it.',
    },
  ]);
});
