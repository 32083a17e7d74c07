import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { toolPath, toolsPath } from '../../../fixtures/contract/tools.ts';
import type { QuestionId } from '../../../fixtures/open-questions.ts';
import { closedRoles, type Role } from '../../../fixtures/roles.ts';
import { body, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { inWords } from '../../model/numerals.ts';
import { isDispatch, isProposal } from '../../model/world/ids.ts';
import { resolvingRoles } from '../../model/world/plain.ts';
import { noCredential } from '../../session/credentials.ts';
import { lowerCaseScheme } from '../authentication/made-credentials.ts';
import { readAll } from '../requests/library.ts';
import { otherThan, ownWorkspace } from '../requests/places.ts';
import { briefFor, confirming, type Proposal, propose, proposing } from '../requests/proposals.ts';
import type { Args, Steps } from '../steps.ts';
import { observing, type Story, toPropose, toSpend, toWrite } from '../story.ts';

/** Observes which of two errors takes precedence, and the responses to other methods and paths. */
const boundary = observing('observing the boundary', {
  needs: { roles: [] },
  observes: [
    'authentication.scheme-case',
    'order.body-or-credential',
    'order.credential-or-tool',
    'order.surface-or-body',
    'order.surface-or-tool',
    'paths.other-methods',
    'paths.other-paths',
  ],
  steps: async (t) => {
    const [unread, unknown] = [
      { tool: 'schedule.read', body: '{"workspace": ' },
      { tool: t.unknownTool(), args: {} },
    ];
    await t.observe('order.body-or-credential', '', { ...unread, as: noCredential });
    await t.observe('order.credential-or-tool', '', { ...unknown, as: noCredential });
    for (const as of t.present(closedRoles).slice(0, 1)) {
      await t.observe('order.surface-or-body', '', { ...unread, as });
      await t.observe('order.surface-or-tool', '', { ...unknown, as });
    }
    if (!t.has('primary')) return;
    const as = lowerCaseScheme(t.key('primary'));
    await t.observe('authentication.scheme-case', '', { tool: 'credits.balance', args: {}, as });
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const)
      await t.observe('paths.other-methods', method, { tool: 'schedule.read', method, odd: true });
    const path = toolPath('schedule.read');
    for (const other of [toolsPath, toolsPath.slice(0, -1), `${path}/`, `${path}/more`, path.replace('.', '%2E')]) {
      const asked = { tool: 'schedule.read', args: t.here(), path: other, odd: true };
      await t.observe('paths.other-paths', other, asked);
    }
  },
});

/** Returns a role whose key resolves to a workspace without the argument, or else `primary`. */
const roleThatResolves = (t: Steps): Role => t.present(resolvingRoles)[0] ?? 'primary';

const bodies = observing('observing bodies', {
  observes: [
    'bodies.content-type',
    'bodies.duplicate-keys',
    'bodies.invalid-utf-8',
    'bodies.omitted',
    'bodies.white-space',
  ],
  steps: async (t) => {
    const { workspace } = t.deployment;
    const place = workspace === undefined ? '' : `"workspace": ${JSON.stringify(workspace)}, `;
    const tool = 'knowledge.search';
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': type };
      await t.observe('bodies.content-type', type, { tool: 'schedule.read', args: t.here(), headers, odd: true });
    }
    const twice = `{${place}"query": "first", "query": "last"}`;
    await t.observe('bodies.duplicate-keys', '', { tool, body: twice, odd: true });
    const latin = Buffer.from(`{${place}"query": "caf\xE9"}`, 'latin1');
    await t.observe('bodies.invalid-utf-8', '', { tool, body: latin, odd: true });
    const as = roleThatResolves(t);
    for (const name of ['library.search', 'library.get', tool])
      await t.observe('bodies.omitted', name, { tool: name, as });
    await t.observe('bodies.white-space', '', { tool: 'credits.balance', body: ' \n\t', odd: true });
  },
});

const reading = observing('observing reading tools', {
  observes: [
    'workspaces.null-argument',
    'workspaces.pinned-with-argument',
    'workspaces.unknown-properties',
    'order.arguments-or-workspace',
    'library.absent-query',
    'knowledge.absent-query',
    'knowledge.order',
    'credits.unknown-properties',
    'credits.workspace-argument',
  ],
  steps: async (t) => {
    const as = roleThatResolves(t);
    await t.observe('workspaces.null-argument', '', { tool: 'schedule.read', args: { workspace: null }, as });
    if (t.has('pinned')) {
      const args = { workspace: otherThan(await ownWorkspace(t, 'pinned'), t) };
      if (args.workspace !== undefined)
        await t.observe('workspaces.pinned-with-argument', '', { tool: 'schedule.read', args, as: 'pinned' });
    }
    const readings = await readAll(t, 'read', t.here());
    for (const { asked } of readings) {
      const args = { ...asked.args, tck_unknown: true };
      await t.observe('workspaces.unknown-properties', asked.tool, { ...asked, args });
    }
    const bad = { kind: 5, id: false };
    const unplaced = t.has('ambiguous')
      ? { tool: 'library.get', args: bad, as: 'ambiguous' as const }
      : { tool: 'library.get', args: { ...bad, workspace: t.unknownWorkspace() } };
    await t.observe('order.arguments-or-workspace', '', unplaced);
    await t.observe('library.absent-query', '', { tool: 'library.search', args: t.here() });
    await t.observe('knowledge.absent-query', '', { tool: 'knowledge.search', args: t.here() });
    const balance = 'credits.balance';
    await t.observe('credits.unknown-properties', '', { tool: balance, args: { tck_unknown: true } });
    const [workspace] = [t.deployment.workspace, ...readings.map(({ exchange }) => body(exchange).workspace)];
    if (typeof workspace === 'string')
      await t.observe('credits.workspace-argument', '', { tool: balance, args: { workspace } });
  },
});

/** Changes that turn a valid request into one that the specification leaves open. */
const trials: readonly (readonly [id: QuestionId, changeOf: (day: string) => Args])[] = [
  ['content-requests.impossible-day', (day) => ({ day: `${day.slice(0, 4)}-02-30` })],
  ['content-requests.past-day', () => ({ day: '2001-02-03' })],
  ['content-requests.trailing-newline', (day) => ({ day: `${day}\n` })],
  ['content-requests.other-digits', (day) => ({ day: inArabicIndic(day) })],
  ['content-requests.null-title', () => ({ title: null })],
];

const inArabicIndic = (day: string) => day.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

/** Possible lengths of a character outside the Basic Multilingual Plane. */
const units = [
  [1, '1, as a character'],
  [2, '2, as two UTF-16 units'],
  [4, '4, as four bytes of UTF-8'],
] as const;

const content = observing('observing content requests', {
  needs: toWrite,
  // Needs no request that preflight created.
  uses: [],
  observes: [...trials.map(([id]) => id), 'content-requests.astral-title'],
  steps: async (t) => {
    const tool = 'content.create_request';
    const start = `tck ${t.deployment.runId} `;
    const good = t.here({ format: 'posts', day: t.deployment.day, title: `${start}observed` });
    for (const [id, changeOf] of trials) {
      await t.observe(id, '', { tool, args: { ...good, ...changeOf(t.deployment.day) } });
    }
    for (const [each, unit] of units) {
      // The number of characters that fit into the longest title with this unit, but not with a larger one.
      const title = start + '\u{1F6F3}'.repeat(Math.floor((limits.title.most - start.length) / each));
      const reply = await t.observe('content-requests.astral-title', unit, { tool, args: { ...good, title } });
      if (reply !== undefined && isSuccess(reply)) return;
    }
  },
});

/** An uncommon ratio. A server that accepts it probably accepts any ratio. */
const unlikelyShape = '7:5';

/** Largest count to try, and the number of simultaneous attempts between an accepted and a refused count. */
const mostCount = 64;

const triedAtOnce = 3;

const values = observing('observing counts and shapes', {
  needs: toPropose,
  observes: ['image-proposals.count-bounds', 'image-proposals.shapes'],
  steps: async (t) => {
    const brief = briefFor(t, 'to see what is accepted');
    const shapes = [...t.deployment.shapes.slice(0, 8), unlikelyShape];
    await Promise.all(
      shapes.map((shape) => t.observe('image-proposals.shapes', shape, proposing(t, { brief, shape }))),
    );
    let [most, refused] = [1, mostCount + 1];
    const tries = async (counts: readonly number[]) => {
      const question = 'image-proposals.count-bounds';
      const ask = (count: number) => t.observe(question, String(count), proposing(t, { brief, count }));
      const replies = await Promise.all(counts.map(ask));
      const accepted = counts.filter((_, index) => replies[index] !== undefined && isProposal(replies[index]));
      most = Math.max(most, ...accepted);
      refused = Math.min(refused, ...counts.filter((count) => count > most && !accepted.includes(count)));
    };
    await tries([0, 2, 4, 8, 16, 32, mostCount]);
    while (refused <= mostCount && refused - most > 1) {
      const step = (refused - most) / (triedAtOnce + 1);
      const between = Array.from({ length: triedAtOnce }, (_, index) => Math.round(most + step * (index + 1)));
      await tries([...new Set(between)].filter((count) => count > most && count < refused));
    }
  },
});

/** Roles whose keys may belong to the same account. A key that reaches the workspace of the proposal does. */
const colleagues = ['ambiguous', 'defaulted', 'pinned', 'throttled'] as const satisfies readonly Role[];

async function colleague(t: Steps, workspace: unknown): Promise<Role | undefined> {
  for (const as of colleagues.filter((role) => t.has(role) && t.key(role).key !== t.key('primary').key)) {
    const asked = { tool: 'connections.status', args: { workspace }, as };
    const reply = await t.send(`read in that workspace as ${as}`, asked);
    if (body(reply).workspace === workspace) return as;
  }
  return undefined;
}

/**
 * Observes the lifetime of an ID in minutes, and confirmations by another key and with another brief. Spends the
 * remaining images, and thus runs after the repetition of refutable findings, which needs an image.
 */
const confirmations = observing('observing confirmations', {
  turn: 'last',
  needs: toSpend,
  observes: ['confirmations.by-other-key', 'confirmations.changed-brief', 'expiry.minutes', 'credits.image-cost'],
  steps: async (t) => {
    await t.send('read the balance', { tool: 'credits.balance', args: {} });
    await t.part(() => presentedOtherwise(t));
    await t.part(() => agedToTheMinute(t));
    await t.send('read the balance again', { tool: 'credits.balance', args: {} });
  },
});

/**
 * Tries the variants in an order in which one dispatch answers several questions: all earlier variants were refused.
 */
async function presentedOtherwise(t: Steps): Promise<void> {
  const proposal = await propose(t, 'propose', { brief: briefFor(t, 'confirmed otherwise') });
  const { workspace } = body(proposal.exchange);
  const brief = briefFor(t, 'another brief than was proposed');
  const as = await colleague(t, workspace);
  let open: Proposal = proposal;
  if (as !== undefined) {
    const reply = await t.observe('confirmations.by-other-key', '', { ...confirming(proposal, { workspace }), as });
    if (reply !== undefined && isDispatch(reply))
      open = await propose(t, 'propose once more', { brief: briefFor(t, 'confirmed with another brief') });
  }
  await t.observe('confirmations.changed-brief', '', confirming(open, { brief }));
}

/** Ages in minutes. An ID most likely expires at the age `likely`. */
const { surelyAlive, surelyDead, about: likely } = limits.confirmation;

/**
 * Searches for the minute at which an ID expires. Starts at the most likely age, because each attempt may cost an
 * image, and stops when no images remain.
 */
async function agedToTheMinute(t: Steps): Promise<void> {
  if (t.target.clock === undefined) return;
  let [alive, dead] = [surelyAlive, surelyDead];
  for (let age = likely; dead - alive > 1; age = nextBetween(alive, dead)) {
    const proposal = await propose(t, `propose what will be ${age} minutes old`, {
      brief: briefFor(t, `${inWords(age)} minutes`),
    });
    await t.pass(age, `${age} minutes in the life of a confirmation`);
    const reply = await t.observe('expiry.minutes', '', confirming(proposal));
    if (reply === undefined) return;
    if (isDispatch(reply)) alive = age;
    else if (isRefusal(reply, refusalCodes.confirmationInvalid)) dead = age;
    else return;
  }
}

function nextBetween(alive: number, dead: number): number {
  if (dead === likely) return likely - 1;
  return alive === likely ? likely + 1 : Math.floor((alive + dead) / 2);
}

/** Stories that answer open questions and test no requirements. */
export const observingStories: readonly Story[] = [boundary, bodies, reading, content, values, confirmations];
