import { formats } from '../../fixtures/contract/enums.ts';
import { counted, limits } from '../../fixtures/contract/limits.ts';
import { type Completed, isSuccess } from '../history/exchange.ts';
import { declinedWith } from '../rules/match/declined.ts';
import { flow } from './flow.ts';
import { dayAfter } from './preflight.ts';
import type { Args, Asked, Steps } from './steps.ts';

const tool = 'content.create_request';
const needs = { effects: ['writes'] } as const;
const uses = ['content'] as const;

/** The request that preflight found to be accepted, with these changes. */
export function creating(t: Steps, change: Args = {}, how: Partial<Asked> = {}): Asked {
  return { tool, args: { ...t.contentRequest(), ...change }, ...how };
}

/** Days after the usual one: a service may close single weekdays, or take only so many pieces for one day. */
const laterDays = [7, 14, 1, 2];

/** Creates; where the service declines by a rule of its own, such as on a full day, tries again on other days. */
async function create(t: Steps, step: string, change: Args = {}): Promise<Completed> {
  let reply = await t.send(step, creating(t, change));
  const usual = Date.parse(String(t.contentRequest().day));
  for (const later of change.day === undefined ? laterDays : []) {
    if (declinedWith(reply) === undefined) break;
    const day = dayAfter(usual, later);
    reply = await t.send(`${step}, on another day`, creating(t, { ...change, day }));
  }
  return reply;
}

/** A title by which what the kit created can be found again. */
export const titled = (t: Steps, text: string) => `tck ${t.known.runId} ${text}`;

export const contentRequests = flow(
  'content requests',
  {
    lane: 'writing',
    needs,
    uses,
    witnesses: [
      'content-requests.created',
      'content-requests.all-fields-present',
      'content-requests.piece-id',
      'content-requests.piece-id-new',
      'content-requests.scheduled-for-utc',
      'content-requests.week-block-id',
      'content-requests.filled-planned-slot',
      'content-requests.working-in-complete',
      'content-requests.works-in-named-workspace',
      'content-requests.format-posts',
      'content-requests.format-stories',
      'content-requests.format-shorts-clips',
      'content-requests.format-long-form',
      'content-requests.format-articles',
    ],
  },
  async (t) => {
    await create(t, 'create the same again');
    await create(t, 'create an untitled piece', { title: undefined });
    for (const format of formats.filter((each) => each !== 'posts')) {
      await create(t, `create ${format}`, { format, title: titled(t, format) });
    }
    await t.part(async () => {
      const workspace = t.setting('otherWorkspace');
      await t.send('read in the other workspace', { tool: 'schedule.read', args: { workspace } });
      await t.send('create in the other workspace', creating(t, { workspace, title: titled(t, 'elsewhere') }));
    });
  },
);

/** A title of this many ASCII characters, recognizable where there is room for it. */
const titleOf = (t: Steps, length: number, filling: string) => titled(t, '').padEnd(length, filling).slice(0, length);

/** Creates with one of these titles; a service may decline some for their words. */
async function createWithOneOf(t: Steps, step: string, titles: readonly string[]): Promise<void> {
  for (const title of titles) if (isSuccess(await create(t, step, { title }))) return;
}

/** Coming days of each kind: leap days, the last ones of long months, each weekday, near and far. */
function someDays(t: Steps): Readonly<Record<'leap' | 'last' | 'short' | 'first' | 'december' | 'sunday', string>> {
  const year = new Date(t.known.startedAt).getUTCFullYear() + 1;
  const turn = t.text('days').charCodeAt(0);
  const months = ['01', '03', '05', '07', '08', '10'];
  const leapYear = year + ((4 - (year % 4)) % 4);
  return {
    leap: `${leapYear}-02-29`,
    last: `${year}-${months[turn % months.length]}-31`,
    short: `${year}-${['04', '06', '09', '11'][turn % 4]}-30`,
    first: `${year + 1}-01-01`,
    december: `${year}-12-31`,
    sunday: dayAfter(t.known.startedAt, 14 - new Date(t.known.startedAt).getUTCDay()),
  };
}

/** Requests that fit the schema where a server may draw its bounds too narrow. */
function unusual(t: Steps): [step: string, change: Args][] {
  const { leap, last, short, first, december, sunday } = someDays(t);
  const turn = t.text('titles').charCodeAt(0);
  const letters = ['é', 'ß', 'ж', '日', 'ا'][turn % 5] ?? 'é';
  const signs = `a "b" 'c' <d> & e; f % g \\ h / {{i}} $j #k \u{1F98A} e\u0301`;
  return [
    ['on a leap day', { day: leap, title: titled(t, 'leap day') }],
    [`on the last day of a long month`, { day: last, title: titleOf(t, limits.title.most - 8 + (turn % 8), 'Long ') }],
    ['on the last day of a year', { day: december, title: titled(t, 'December') }],
    ['with letters of another kind', { title: titled(t, letters.repeat(120)) }],
    ['on the last day of a short month', { day: short, title: titled(t, 'short month') }],
    ['on the first day of a year', { day: first, title: titled(t, 'first day') }],
    ['with signs', { title: signs }],
    ['with digits alone', { title: '20270105' }],
    ['on a Sunday, with a title of spaces', { day: sunday, title: ' '.repeat(1 + (turn % 3)) }],
  ];
}

export const titlesOfRequests = flow(
  'titles of content requests',
  {
    lane: 'writing',
    needs,
    uses,
    witnesses: [
      'content-requests.title-shortest',
      'content-requests.title-longest',
      'arguments.valid-never-refused',
      'content-requests.title-empty-refused',
      'content-requests.title-too-long-refused',
      'content-requests.title-wrong-type-refused',
    ],
  },
  async (t) => {
    const { least, most } = limits.title;
    for (const [step, change] of unusual(t)) await create(t, `create ${step}`, change);
    const shortest = ['t', 'A', '7'].map((letter) => letter.repeat(least));
    await createWithOneOf(t, `create with a title of ${counted(least, 'character')}`, shortest);
    const longest = ['x', 'a b ', 'Q'].map((filling) => titleOf(t, most, filling));
    await createWithOneOf(t, `create with a title of ${most} characters`, longest);
    // A server that trims a title before it counts would accept the last two. Each format may have bounds of its own.
    const tooLong = [titleOf(t, most + 1, 'x'), `${titleOf(t, most, 'x')} `, ` ${titleOf(t, most, 'x')}`];
    const turn = t.text('formats of long titles').charCodeAt(0);
    for (const [index, format] of [undefined, ...formats].entries()) {
      const title = tooLong[(index === 0 ? 0 : turn + index) % tooLong.length];
      const change = format === undefined ? { title } : { title, format };
      await t.send(`create with a title of ${most + 1} characters`, creating(t, change));
    }
    for (const title of ['x'.repeat(least - 1), 0, true, false, { text: 'x' }, ['x']]) {
      await t.send('create with a title that is too short or no string', creating(t, { title }));
    }
  },
);

const wrongFormats = [
  ...[undefined, null, 5, ['posts']],
  ...['reels', 'Posts', '', 'post', ' posts', 'posts ', 'long-form', 'constructor'],
];

const wrongDays = [
  ...[undefined, null, 20270105, ['2027-01-05']],
  ...['tomorrow', '', '2027-1-05', '2027/01/05', '20270105', '05-01-2027'],
];

/** Something before or after a day that would be accepted. */
const wrapped = (day: unknown) => [
  `${day}T09:00:00Z`,
  `${day} `,
  ` ${day}`,
  `x${day}`,
  `1${day}`,
  `${day}0`,
  `${day}\nx`,
];

/** Properties that a request does not have: of nobody, of other tools, of every object; with and without a title. */
const unknownProperties: readonly Args[] = [
  { tck_unknown: { at: { hour: 9 } } },
  { time: '09:00', title: undefined },
  { tck_unknown: null },
  { confirmation_id: 'x' },
  { constructor: 'x' },
  { _tck: 'x' },
  { 'x-tck': 'x' },
];

export const wrongRequests = flow(
  'content requests with wrong arguments',
  {
    lane: 'writing',
    needs,
    uses,
    witnesses: [
      'content-requests.format-missing-refused',
      'content-requests.format-unknown-refused',
      'content-requests.format-wrong-type-refused',
      'content-requests.day-missing-refused',
      'content-requests.day-pattern-refused',
      'content-requests.day-anchored-refused',
      'content-requests.day-wrong-type-refused',
      'content-requests.unknown-property-refused',
      'content-requests.workspace-empty-refused',
      'content-requests.workspace-wrong-type-refused',
      'content-requests.workspace-unknown-refused',
    ],
  },
  async (t) => {
    const { day, workspace } = t.contentRequest();
    for (const format of wrongFormats) await t.send('create with a wrong format', creating(t, { format }));
    for (const wrong of [...wrongDays, ...wrapped(day)]) {
      await t.send('create with a wrong day', creating(t, { day: wrong }));
    }
    for (const change of unknownProperties) await t.send('create with an unknown property', creating(t, change));
    for (const wrong of ['', 0, [workspace ?? 'main']]) {
      await t.send('create with a workspace that is no slug', creating(t, { workspace: wrong }));
    }
    await t.send('create in a workspace that does not exist', nowhere(t));
  },
);

function nowhere(t: Steps, how: Partial<Asked> = {}): Asked {
  const unknown = { workspace: `tck-${t.text('unknown workspace')}` };
  return { ...creating(t, unknown), invented: ['workspace'], ...how };
}

export const foreignRequests = flow(
  'content requests in a workspace of another account',
  {
    lane: 'writing',
    needs: { ...needs, settings: ['otherAccountWorkspace'] },
    uses,
    witnesses: ['content-requests.workspace-unreachable-refused'],
  },
  async (t) => {
    const workspace = t.setting('otherAccountWorkspace');
    await t.send("create in another account's workspace", { ...creating(t, { workspace }) });
  },
);

const resolving = ['pinned', 'defaulted', 'sole'] as const;

/** Keys that resolve by themselves leave the workspace out. */
export const unnamedRequests = flow(
  'content requests that name no workspace',
  {
    lane: 'writing',
    needs: { ...needs, roles: [] },
    uses,
    witnesses: ['content-requests.source-of-each-rung'],
  },
  async (t) => {
    const roles = resolving.filter((role) => t.has(role));
    const missing = resolving.map((role) => ({ kind: 'role' as const, role }));
    if (roles.length === 0) t.cannot('no key that resolves to a workspace without the argument', ...missing);
    for (const as of roles) {
      const own = await t.sendOnce('read where the key works by itself', { tool: 'schedule.read', args: {}, as });
      // A refusal that is repeated is no rule that meets a request now and then.
      const ways = [undefined, undefined, undefined, workspaceIn(own)].map((workspace) =>
        creating(t, { workspace, title: titled(t, `as ${as}`) }, { as }),
      );
      await t.firstAccepted('create without naming a workspace, or else with it', ways, isSuccess);
      const unknown = creating(t, { workspace: undefined, tck_unknown: 'x' }, { as });
      await t.send('create with an unknown property and no workspace', unknown);
      if (as !== 'pinned') await t.send('create in a workspace that does not exist', nowhere(t, { as }));
    }
  },
);

const workspaceIn = ({ response }: Completed): unknown =>
  response.json !== null && typeof response.json === 'object' && 'workspace' in response.json
    ? response.json.workspace
    : undefined;
