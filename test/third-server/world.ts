import { createHash } from 'node:crypto';
import { fixedCodeOr } from '../../fixtures/contract/codes.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import { type Role, roles } from '../../fixtures/roles.ts';
import type { Item, Key, Settings, Workspace, World } from './model.ts';

/** Returns hexadecimal digits that depend only on the seed. */
export function digits(seed: string, length: number): string {
  return createHash('sha512').update(seed).digest('hex').slice(0, length);
}

export const usualSettings: Settings = {
  shapes: ['1:1', '4:5', '16:9', '9:16'],
  counts: [1, 2, 3, 4],
  brief: [1, 2000],
  title: limits.title,
  lifetimeMinutes: limits.confirmation.about,
  pageSize: 10,
  price: 1,
  confirmationId: (serial) => `conf_${digits(`confirmation ${serial}`, 24)}`,
};

const shelves = ['clip', 'note', 'photo'];

function itemsOf(slug: string, count: number): Item[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: shelves[index % shelves.length] ?? 'clip',
    // IDs are unique only within a kind. Some contain characters with a special meaning in URLs and searches.
    id: index % 5 === 4 ? `${slug}/Take ${index}` : String(4000 + Math.floor(index / shelves.length)),
    roll: index % 2 === 0 ? 'a-roll' : 'b-roll',
    title: `Item ${index} of ${slug}`,
    pinned: index % 4 === 0,
    source_board_name: `Board of ${slug}`,
  }));
}

export function workspace(slug: string, boards: string[], items = 0): [string, Workspace] {
  return [slug, { slug, boards, items: itemsOf(slug, items), pieces: [] }];
}

function keyOf(role: Role): Key {
  const key: Key = {
    secret: `Wq7_${digits(role, 30)}Zk`,
    role,
    account: 'harbour',
    reach: ['dock', 'pier'],
    perMinute: 4000,
  };
  switch (role) {
    case 'pinned':
      return { ...key, pin: 'pier' };
    case 'primary':
    case 'defaulted':
      return { ...key, fallback: 'dock' };
    case 'sole':
      return { ...key, reach: ['dock'] };
    case 'otherAccount':
      return { ...key, account: 'meadow', reach: ['barn'] };
    case 'revoked':
    case 'expired':
      return { ...key, dead: true };
    case 'withoutAccess':
      return { ...key, closed: fixedCodeOr(role, 'gate.not_this_visitor') };
    case 'accountSwitchOff':
      return { ...key, account: 'quarry', reach: ['pit'], closed: fixedCodeOr(role, 'gate.house_closed') };
    case 'platformSwitchOff':
      return { ...key, account: 'summit', reach: ['hut'], closed: fixedCodeOr(role, 'gate.city_closed') };
    case 'throttled':
      return { ...key, fallback: 'dock', perMinute: 25 };
    case 'ambiguous':
      return key;
  }
}

/** Creates a separate world for each server; `now` is its clock. */
export function createWorld(settings: Settings, now: () => number): World {
  return {
    // Each role has a key.
    keys: Object.fromEntries(roles.map((role) => [role, keyOf(role)])) as Record<Role, Key>,
    workspaces: new Map([
      workspace('dock', ['brd-11', 'brd-12'], 14),
      workspace('pier', ['brd-21', 'brd-22'], 7),
      workspace('barn', ['brd-91'], 5),
      workspace('pit', ['brd-71'], 1),
      workspace('hut', ['brd-81'], 1),
    ]),
    credits: { harbour: 640, meadow: 90, quarry: 0, summit: 0, third: 0 },
    proposals: new Map(),
    served: new Map(),
    settings,
    serial: 100,
    now,
  };
}
