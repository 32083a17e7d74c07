import { formats } from '../../../fixtures/contract/enums.ts';
import { type ToolName, toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { bindingRows, bodyRows, oneRenamed, textRows } from '../../../fixtures/mutations/bodies.ts';
import { headerRows } from '../../../fixtures/mutations/headers.ts';
import { capitalized, valueRows } from '../../../fixtures/mutations/values.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { header, isSuccess } from '../../exchange/exchange.ts';
import { normalizedSlug } from '../../model/world/scope.ts';
import { noCredential } from '../../session/credentials.ts';
import { isWrongDay } from '../content-requests/content-requests.ts';
import { lastReader } from '../credits/costs-nothing.ts';
import { readAll } from '../requests/library.ts';
import { isUsual, mutationsOf, resembling } from '../requests/mutations.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story, toPropose, toWrite } from '../story.ts';

/** Most items that `someOf` returns. Of a longer list, it returns every second or third item. */
const most = 6;
function someOf<T>(t: Steps, purpose: string, all: readonly T[]): readonly T[] {
  const step = Math.ceil(all.length / most);
  const first = t.turn(purpose) % step;
  return all.filter((_, index) => index % step === first);
}

/** Returns requests with values of the table for one argument of a tool: of each row, some. */
const withBadValues = (t: Steps, tool: ToolName, argument: string, args: Args): Args[] =>
  mutationsOf(tool, t.deployment)
    .filter((mutation) => mutation.argument === argument && /^(enum|day|integer)\./.test(mutation.row))
    .flatMap(({ row, requests }) => someOf(t, row, requests({ tool, args })))
    .map((request) => request.args ?? {});

/**
 * Roles that resolve to a workspace without the argument. Their requests do not count toward the limit of `primary`.
 */
const sharing: readonly Role[] = ['defaulted', 'sole', 'pinned'];

/**
 * Returns a function that rotates over the keys, with `primary` only if there is no other. For the balance, excludes
 * the key that reads it only after a dispatch.
 */
function keysInTurn(t: Steps): (index: number, tool?: string) => Role {
  const keys = t.present(sharing);
  const readers = keys.filter((role) => role !== lastReader(t));
  const first = t.turn('keys in turn');
  return (index, tool) => {
    const chosen = tool === 'credits.balance' ? readers : keys;
    return chosen[(first + index) % chosen.length] ?? 'primary';
  };
}

const convertedTexts = Object.entries(valueRows).filter(([row]) => row.startsWith('text.'));

/** Returns values that are not strings for a string argument: booleans, and one value of each row. */
function notTexts(t: Steps, name: string, accepted: unknown): unknown[] {
  const first = t.turn(`values of ${name}`);
  const chosen = convertedTexts.map(([, row]) => {
    const values = row.values(String(accepted ?? 'main'));
    return values[first % values.length];
  });
  return [true, false, ...chosen.filter((value) => typeof value !== 'boolean')];
}

/** Returns the arguments with one of them replaced, once for each invalid value. */
const textsReplaced = (t: Steps, args: Args, names: readonly string[]): Args[] =>
  names.flatMap((name) => notTexts(t, name, args[name]).map((value) => ({ ...args, [name]: value })));

/** Asks for a compressed response, as most clients do. */
const compressed = (request: StoryRequest): StoryRequest => ({
  ...request,
  headers: { ...request.headers, 'accept-encoding': 'gzip, deflate, br' },
});

/** Returns the arguments with one name capitalized, once for each name. Frameworks often ignore the case of names. */
const namesCapitalized = (args: Args, names: readonly string[]): Args[] =>
  names.map((name) => oneRenamed(args, name, capitalized(name)));

/** Returns a request with a key. Omits a valid workspace, except for `primary`. */
function placed(tool: string, args: Args, as: Role): StoryRequest {
  const { workspace, ...unplaced } = args;
  const isWrong = typeof workspace !== 'string';
  return { tool, args: as === 'primary' || isWrong ? args : unplaced, as };
}

export const lenientBodies = story('bodies that lenient parsers read', {
  steps: async (t) => {
    await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    const first = t.turn('tools of lenient bodies');
    const keyOf = keysInTurn(t);
    for (const [index, [row, { values }]] of Object.entries(bodyRows).entries()) {
      const requests = someOf(t, row, values).map((body, at) => {
        const next = toolsWithoutSideEffects[(first + index + at) % toolsWithoutSideEffects.length];
        // The first body goes to the tool that receives all malformed bodies; the others rotate.
        const tool = at === 0 || next === undefined ? 'schedule.read' : next;
        return { tool, body, as: keyOf(index + at, tool) };
      });
      await t.sendInParallel(
        `send a body that lenient parsers read: ${row}`,
        index % 2 === 0 ? requests : requests.map(compressed),
      );
    }
  },
  alsoTests: ['bodies.not-json', 'bodies.every-reading-tool'],
});

export const lenientReadings = story('arguments that lenient frameworks convert', {
  steps: async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    const keyOf = keysInTurn(t);
    for (const { asked } of readings) {
      const { tool, args } = asked;
      const names = ['workspace', ...Object.keys(args).filter((name) => name !== 'workspace')];
      // Other keys may not reach the item that `primary` found.
      const required = tool === 'library.get' ? ['kind', 'id'] : [];
      const changes = [...textsReplaced(t, args, names), ...namesCapitalized(args, required)];
      const requests = changes.map((changed, index) =>
        placed(tool, changed, tool === 'library.get' ? 'primary' : keyOf(index)),
      );
      await t.sendInParallel('send a value of another type', requests);
    }
    for (const [row, { values }] of Object.entries(textRows)) {
      for (const [index, query] of values.entries()) {
        const asked = placed('knowledge.search', t.here({ query }), keyOf(index));
        await t.send(`send a text that some stacks change: ${row}`, asked);
      }
    }
  },
  alsoTests: ['arguments.issues-listed', 'knowledge.query-echoed'],
});

/** Headers and queries that change the format of responses in some frameworks. */
export const negotiated = story('headers that change the form of a response', {
  steps: async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    const balance = { tool: 'credits.balance', args: {} };
    await t.sendOnce('read the balance', balance);
    const plain = [...readings.map(({ asked }) => asked), balance];
    const first = t.turn('tools of negotiation');
    const keyOf = keysInTurn(t);
    const tagged = readings.find(({ exchange }) => header(exchange, 'etag') !== undefined);
    if (tagged !== undefined) {
      const etag = header(tagged.exchange, 'etag') ?? '';
      await t.send('read again with an ETag', { ...tagged.asked, headers: { 'if-none-match': etag } });
    }
    const asPage = { headers: { accept: 'text/html,application/xhtml+xml' } };
    await t.sendInParallel('send a request with an error, as browsers do', [
      { tool: t.unknownTool(), args: {}, invented: ['tool'], ...asPage },
      { tool: 'schedule.read', body: '{"workspace": ', ...asPage },
      { tool: 'schedule.read', args: {}, as: noCredential, ...asPage },
    ]);
    for (const [index, [row, { values, query, shownBy }]] of Object.entries(headerRows).entries()) {
      const { tool, args } = plain[(first + index) % plain.length] ?? balance;
      const chosen = { headers: values[first % values.length] ?? {} };
      const how = query === undefined ? chosen : { ...chosen, query };
      // Other keys may not reach the item that `primary` found.
      const as = tool === 'library.get' ? 'primary' : keyOf(index, shownBy ?? tool);
      await t.send(`send headers that some stacks obey: ${row}`, { ...placed(tool, args, as), ...how });
      if (shownBy !== undefined && shownBy !== tool) {
        await t.send(`send headers that some stacks obey: ${row}`, { ...balance, tool: shownBy, as, ...how });
      }
      // Error codes must not depend on the headers either. Tests every second one, depending on the seed.
      if (index % 2 !== first % 2) continue;
      const refused = { tool: 'schedule.read', args: { workspace: '' }, as: keyOf(index) };
      await t.send(`send an invalid request with ${row}`, { ...refused, ...how });
    }
  },
  alsoTests: ['arguments.anything-answered', 'envelopes.json-200'],
});

export const lenientWorkspaces = story('workspaces that lenient look-ups find', {
  steps: async (t) => {
    const { workspace, otherWorkspace, otherAccountWorkspace } = t.deployment;
    if (workspace === undefined) return;
    const readings = (await readAll(t, 'read', t.here(), { once: true })).filter(({ exchange }) => isSuccess(exchange));
    const first = t.turn('tools of similar slugs');
    const keyOf = keysInTurn(t);
    const known = [workspace, otherWorkspace, otherAccountWorkspace];
    // Observing stories cover white space and case.
    const others = ['*', '%', ...resembling(t, 'slugs', workspace)].filter(
      (slug) => normalizedSlug(slug) !== normalizedSlug(workspace) && !known.includes(slug),
    );
    for (const [index, slug] of others.entries()) {
      const reading = readings[(first + index) % readings.length];
      if (reading === undefined) continue;
      const { tool, args } = reading.asked;
      const as = tool === 'library.get' ? 'primary' : keyOf(index);
      const asked = { tool, args: { ...args, workspace: slug }, as, invented: isUsual(slug) ? [] : ['workspace'] };
      await t.send('request a similar slug', asked);
    }
    await resolvedWithoutSlug(t);
  },
  alsoTests: ['workspaces.unknown-refused'],
});

/** Sends invalid slugs with a key that resolves without the argument, because a server may ignore them. */
async function resolvedWithoutSlug(t: Steps): Promise<void> {
  const [as] = t.present(['defaulted', 'sole', 'pinned']);
  if (as === undefined) return;
  await t.sendOnce('omit the workspace', { tool: 'schedule.read', args: {}, as });
  for (const workspace of [false, 0, {}, [], '']) {
    await t.send('request an invalid slug', { tool: 'schedule.read', args: { workspace }, as });
  }
}

/**
 * Number of parallel requests, and the most that the server may accept before the story stops. A run creates only a
 * limited number of objects.
 */
const batch = 12;

const mostAccepted = 20;

/** Sends requests that the server must refuse, until it has accepted `mostAccepted` of them. */
async function sendSome(t: Steps, step: string, requests: readonly StoryRequest[]): Promise<void> {
  let accepted = 0;
  for (let sent = 0; sent < requests.length && accepted < mostAccepted; sent += batch) {
    const replies = await t.sendInParallel(step, requests.slice(sent, sent + batch));
    accepted += replies.filter(isSuccess).length;
  }
}

export const lenientContentRequests = story('content requests that lenient frameworks accept', {
  needs: toWrite,
  steps: async (t) => {
    const accepted = t.contentRequest();
    const keyOf = keysInTurn(t);
    // Only a format of two words has several spellings.
    const words = formats.filter((name) => name.includes('_'));
    const format = words[t.turn('format') % words.length] ?? 'long_form';
    // The other keys may not reach a workspace that a wrapped member names.
    const { workspace: _, ...unplaced } = accepted;
    const bare = keyOf(0) === 'primary' ? accepted : unplaced;
    const changes: Args[] = [
      ...withBadValues(t, 'content.create_request', 'format', { ...accepted, format }),
      ...withBadValues(t, 'content.create_request', 'day', accepted).filter(
        ({ day }) => !isWrongDay(accepted.day, day),
      ),
      ...textsReplaced(t, accepted, ['title', t.turn('arguments') % 2 === 0 ? 'format' : 'workspace']),
      // Booleans that a comparison without types takes for any text.
      { ...accepted, format: true },
      { ...accepted, day: true },
      ...Object.entries(bindingRows).flatMap(([row, { values }]) => someOf(t, row, values(bare))),
    ];
    await sendSome(
      t,
      'create with values that lenient frameworks accept',
      changes.map((args, index) => placed('content.create_request', args, keyOf(index))),
    );
  },
  alsoTests: [
    'content-requests.format-unknown-refused',
    'content-requests.day-pattern-refused',
    'content-requests.unknown-property-refused',
  ],
});

export const lenientProposals = story('proposals that lenient frameworks accept', {
  needs: toPropose,
  steps: async (t) => {
    const accepted = t.proposal();
    const changes: Args[] = [
      ...withBadValues(t, 'images.generate', 'count', accepted).filter(
        (_, index) => index % 2 === t.turn('counts') % 2,
      ),
      ...textsReplaced(t, accepted, t.turn('arguments') % 2 === 0 ? ['board', 'brief'] : ['shape', 'workspace']),
      ...namesCapitalized(accepted, ['board', 'brief', 'count', 'shape']),
    ];
    await t.sendInParallel(
      'propose with values that lenient frameworks accept',
      changes.map((args) => ({ tool: 'images.generate', args })),
    );
  },
  alsoTests: ['image-proposals.count-wrong-type-refused', 'image-proposals.board-wrong-type-refused'],
});
