import { formats } from '../../fixtures/contract/enums.ts';
import { toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import {
  bindingLeniencies,
  bodyLeniencies,
  negotiationLeniencies,
  textLeniencies,
  valueLeniencies,
} from '../../fixtures/leniencies/index.ts';
import type { ArgumentType } from '../../fixtures/leniencies/model.ts';
import type { Role } from '../../fixtures/roles.ts';
import { isSuccess } from '../history/exchange.ts';
import { flow } from './flow.ts';
import { readAll } from './read-all.ts';
import type { Args, Asked, Steps } from './steps.ts';

/** A number by seed and purpose: where in a list this run starts. */
const turn = (t: Steps, purpose: string): number => t.text(purpose).charCodeAt(0);

/** Values that violate the schema of an argument of this type. */
const badValues = (type: ArgumentType, accepted: string): unknown[] =>
  valueLeniencies.filter((leniency) => leniency.type === type).flatMap((leniency) => leniency.values(accepted));

/** Keys that resolve to a workspace by themselves: they spare `primary`, which sends most of the other requests. */
const sharing: readonly Role[] = ['defaulted', 'sole', 'pinned'];

/** A key for each request in turn: `primary` only if there is no other. */
function keysInTurn(t: Steps): (index: number) => Role {
  const keys = sharing.filter((role) => t.has(role));
  const first = turn(t, 'keys in turn');
  return (index) => keys[(first + index) % keys.length] ?? 'primary';
}

/** Values for a text argument that are no text: from each leniency one or two, chosen by seed and argument. */
function notTexts(t: Steps, name: string, accepted: unknown): unknown[] {
  const first = turn(t, `values of ${name}`);
  const text = valueLeniencies.filter(({ type }) => type === 'text');
  const chosen = text.map((leniency) => {
    const values = leniency.values(String(accepted ?? 'main'));
    return values[first % values.length];
  });
  return [true, false, ...chosen.filter((value) => typeof value !== 'boolean')];
}

/** The arguments with one of them replaced, once for each of its bad values. */
const textsReplaced = (t: Steps, args: Args, names: readonly string[]): Args[] =>
  names.flatMap((name) => notTexts(t, name, args[name]).map((value) => ({ ...args, [name]: value })));

/** A request with a key; those that resolve by themselves name no workspace, unless it is what is wrong. */
function placed(tool: string, args: Args, as: Role): Asked {
  const { workspace, ...unplaced } = args;
  const isWrong = typeof workspace !== 'string';
  return { tool, args: as === 'primary' || isWrong ? args : unplaced, as };
}

/** Bodies that lenient parsers read, each sent to one tool. */
export const lenientBodies = flow(
  'bodies that lenient parsers read',
  { lane: 'reading', witnesses: ['bodies.not-json', 'bodies.every-reading-tool'] },
  async (t) => {
    await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    const first = turn(t, 'tools of lenient bodies');
    const keyOf = keysInTurn(t);
    for (const [index, { does, bodies }] of bodyLeniencies.entries()) {
      const requests = bodies.map((body, at) => ({
        // The first goes where every malformed body is tried, the others to each tool in turn.
        tool:
          at === 0
            ? 'schedule.read'
            : (toolsWithoutSideEffects[(first + index + at) % toolsWithoutSideEffects.length] ?? 'schedule.read'),
        body,
        as: keyOf(index + at),
      }));
      await t.sendAll(`send a body for a parser that ${does}`, requests);
    }
  },
);

/** Arguments of reading tools that lenient frameworks convert. */
export const lenientReadings = flow(
  'arguments of reading tools that lenient frameworks convert',
  { lane: 'reading', witnesses: ['arguments.issues-listed', 'knowledge.query-echoed'] },
  async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    const keyOf = keysInTurn(t);
    for (const { asked } of readings) {
      const { tool, args } = asked;
      const names = ['workspace', ...Object.keys(args).filter((name) => name !== 'workspace')];
      // An item that `primary` found may be in no workspace of another key.
      const requests = textsReplaced(t, args, names).map((changed, index) =>
        placed(tool, changed, tool === 'library.get' ? 'primary' : keyOf(index)),
      );
      await t.sendAll('send a value of another type', requests);
    }
    for (const { does, texts } of textLeniencies) {
      for (const [index, query] of texts.entries()) {
        const asked = placed('knowledge.search', t.here({ query }), keyOf(index));
        await t.send(`ask with a text for a stack that ${does}`, asked);
      }
    }
  },
);

/** Headers and queries that choose the form of a response elsewhere; each goes to one tool. */
export const negotiated = flow(
  'headers that choose the form of a response',
  { lane: 'reading', witnesses: ['arguments.anything-answered', 'envelopes.json-200'] },
  async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    const balance = { tool: 'credits.balance', args: {} };
    await t.sendOnce('read the balance', balance);
    const plain = [...readings.map(({ asked }) => asked), balance];
    const first = turn(t, 'tools of negotiation');
    const keyOf = keysInTurn(t);
    for (const [index, { does, headers, query }] of negotiationLeniencies.entries()) {
      const { tool, args } = plain[(first + index) % plain.length] ?? balance;
      const how = query === undefined ? { headers } : { headers, query };
      // An item that `primary` found may be in no workspace of another key.
      const as = tool === 'library.get' ? 'primary' : keyOf(index);
      await t.send(`send headers to a stack that ${does}`, { ...placed(tool, args, as), ...how });
      // Codes do not depend on them either.
      const refused = { tool: 'schedule.read', args: { workspace: '' }, as: keyOf(index) };
      await t.send(`be refused by a stack that ${does}`, { ...refused, ...how });
    }
  },
);

/** Slugs that name the workspace only to a lenient look-up. */
const slugsLike = (slug: string) => [
  ...['*', '%', `${slug},tck`, `tck/${slug}`, `../${slug}`, `${slug}\u0000`, `${slug}#tck`, `${slug}?`, `tck${slug}`],
  ...[`${slug}x`.repeat(60), `{${slug}}`, `"${slug}"`],
];

/** Workspaces that lenient look-ups find; each is asked for with one tool. */
export const lenientWorkspaces = flow(
  'workspaces that lenient look-ups find',
  { lane: 'reading', witnesses: ['workspaces.unknown-refused'] },
  async (t) => {
    const { workspace, otherWorkspace, otherAccountWorkspace } = t.known;
    if (workspace === undefined) return;
    const readings = (await readAll(t, 'read', t.here(), { once: true })).filter(({ exchange }) => isSuccess(exchange));
    const first = turn(t, 'tools of similar slugs');
    const keyOf = keysInTurn(t);
    const known = [workspace, otherWorkspace, otherAccountWorkspace];
    for (const [index, slug] of slugsLike(workspace)
      .filter((slug) => !known.includes(slug))
      .entries()) {
      const reading = readings[(first + index) % readings.length];
      if (reading === undefined) continue;
      const { tool, args } = reading.asked;
      const as = tool === 'library.get' ? 'primary' : keyOf(index);
      const asked = { tool, args: { ...args, workspace: slug }, as, invented: ['workspace'] };
      await t.send('name a workspace of a similar slug', asked);
    }
    await resolvedWithoutSlug(t);
  },
);

/** A key that needs no argument is tempted to ignore one that is no slug. */
async function resolvedWithoutSlug(t: Steps): Promise<void> {
  const as = (['defaulted', 'sole', 'pinned'] as const).find((role) => t.has(role));
  if (as === undefined) return;
  await t.sendOnce('name no workspace', { tool: 'schedule.read', args: {}, as });
  for (const workspace of [false, 0, {}, [], '']) {
    await t.send('name what is no slug', { tool: 'schedule.read', args: { workspace }, as });
  }
}

/** Requests that go out side by side, and the most that may be accepted: a run creates a limited number. */
const batch = 12;
const mostAccepted = 20;

/** Sends requests that must be refused, until enough of them were accepted. */
async function sendSome(t: Steps, step: string, requests: readonly Asked[]): Promise<void> {
  let accepted = 0;
  for (let sent = 0; sent < requests.length && accepted < mostAccepted; sent += batch) {
    const replies = await t.sendAll(step, requests.slice(sent, sent + batch));
    accepted += replies.filter(isSuccess).length;
  }
}

/** Content requests that lenient frameworks accept. */
export const lenientContentRequests = flow(
  'content requests that lenient frameworks accept',
  {
    lane: 'writing',
    needs: { effects: ['writes'] },
    uses: ['content'],
    witnesses: [
      'content-requests.format-unknown-refused',
      'content-requests.day-pattern-refused',
      'content-requests.unknown-property-refused',
    ],
  },
  async (t) => {
    const accepted = t.contentRequest();
    const keyOf = keysInTurn(t);
    // Only a format of two words can be spelled in several ways.
    const words = formats.filter((name) => name.includes('_'));
    const format = words[turn(t, 'format') % words.length] ?? 'long_form';
    const isFormat = (value: unknown) => formats.some((name) => name === value);
    const changes: Args[] = [
      ...badValues('enum', format)
        .filter((value) => !isFormat(value))
        .map((value) => ({ ...accepted, format: value })),
      ...badValues('day', String(accepted.day)).map((day) => ({ ...accepted, day })),
      ...textsReplaced(t, accepted, ['title', 'workspace', 'format']),
      ...bindingLeniencies.flatMap(({ bindings }) => bindings(accepted)),
    ];
    await sendSome(
      t,
      'create with what a lenient framework accepts',
      changes.map((args, index) => placed('content.create_request', args, keyOf(index))),
    );
  },
);

/** Proposals that lenient frameworks accept. */
export const lenientProposals = flow(
  'proposals that lenient frameworks accept',
  {
    lane: 'writing',
    needs: { effects: ['proposals'], settings: ['board'] },
    uses: ['proposal'],
    witnesses: ['image-proposals.count-wrong-type-refused', 'image-proposals.board-wrong-type-refused'],
  },
  async (t) => {
    const accepted = t.proposal();
    const changes: Args[] = [
      ...badValues('integer', String(accepted.count))
        .filter((_, index) => index % 3 === turn(t, 'counts') % 3)
        .map((count) => ({ ...accepted, count })),
      ...textsReplaced(t, accepted, turn(t, 'arguments') % 2 === 0 ? ['board', 'brief'] : ['shape', 'workspace']),
    ];
    await t.sendAll(
      'propose with what a lenient framework accepts',
      changes.map((args) => ({ tool: 'images.generate', args })),
    );
  },
);
