import { formats } from '../../../fixtures/contract/enums.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import { bindingRows } from '../../../fixtures/mutations/bodies.ts';
import { isOutcomeStatus, isSuccess } from '../../exchange/exchange.ts';
import { isRecord } from '../../json.ts';
import { argumentIds } from '../../model/rows/arguments.ts';
import { row, sameRequest } from '../../model/rule.ts';
import { isValid } from '../../model/world/violations.ts';
import { tellingBodies } from '../bodies/bodies.ts';
import { creating } from '../requests/content.ts';
import { readAll } from '../requests/library.ts';
import { badArgumentsOf, keysInTurn, namesCapitalized, placed, someOf, unruly } from '../requests/mutations.ts';
import { proposing } from '../requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story, toPropose, toWrite } from '../story.ts';
import { reads } from '../workspaces/named-workspaces.ts';
import { refusesInaccessible } from '../workspaces/reach.ts';

/** Changes with two errors, of which a server should name both. */
const pairs: readonly (readonly [tool: ToolName, change: Args])[] = [
  ['library.get', { kind: undefined, id: undefined }],
  ['library.get', { kind: 5, id: false }],
  ['library.get', { kind: 'tck-none', id: '' }],
  ['library.search', { workspace: '', query: 7 }],
  ['knowledge.search', { workspace: 5, query: ['a'] }],
  ['content.create_request', { format: 'reels', day: 'tomorrow' }],
  ['content.create_request', { title: 'x'.repeat(limits.title.most + 1), tck_unknown: 'x' }],
  ['content.create_request', { format: undefined, day: undefined }],
  ['images.generate', { board: undefined, shape: undefined }],
  ['images.generate', { count: '1', brief: 5 }],
];

const pairsOf = (tool: ToolName, args: Args): Args[] =>
  pairs.filter(([of]) => of === tool).map(([, change]) => ({ ...args, ...change }));

/** Requests whose body is not an object, such as a list with the accepted arguments. */
const malformed = (tool: ToolName, args: Args): StoryRequest[] =>
  [...tellingBodies, JSON.stringify([args])].map((body) => ({ tool, body }));

export const badReadings = story('invalid arguments of reading tools', {
  steps: async (t) => {
    const keyOf = keysInTurn(t);
    for (const { asked } of await readAll(t, 'read', t.here())) {
      const { tool, args } = asked;
      const required = tool === 'library.get' ? ['kind', 'id'] : [];
      await t.sendInParallel('send an invalid argument', [
        ...badArgumentsOf(t, tool, args, { keyOf }),
        ...namesCapitalized(args, required).map((changed, index) => placed(tool, changed, keyOf(index, tool))),
        ...pairsOf(tool, args).map((changed) => ({ tool, args: changed })),
      ]);
    }
    const nowhere = { workspace: t.unknownWorkspace() };
    const step = 'fetch without arguments in a workspace that does not exist';
    await t.send(step, { tool: 'library.get', args: nowhere, invented: ['workspace'] });
  },
  alsoTests: [
    'arguments.issues-listed',
    'arguments.all-fields-named',
    'headers.tool-error-on-invalid-arguments',
    ...(['envelopes.refusal-code', 'envelopes.refusal-message', 'envelopes.refusal-issues'] as const),
    'workspaces.empty-refused',
    'workspaces.wrong-type-refused',
    ...(['library.search', 'library.get', 'knowledge.search'] as const).flatMap((tool) => argumentIds(tool)),
  ],
});

/**
 * Number of parallel requests, and the most that the server may accept before the story stops. A run creates only a
 * limited number of objects.
 */
const batch = 12;

const mostAccepted = 20;

/** Most values of a row of unknown or renamed properties. Servers ignore some of them only. */
const mostBindings = 6;

/** Sends requests that the server must refuse, until it has accepted `mostAccepted` of them. */
async function sendSome(t: Steps, step: string, requests: readonly StoryRequest[]): Promise<void> {
  let accepted = 0;
  for (let sent = 0; sent < requests.length && accepted < mostAccepted; sent += batch) {
    const replies = await t.sendInParallel(step, requests.slice(sent, sent + batch));
    accepted += replies.filter(isSuccess).length;
  }
}

export const badContentRequests = story('invalid content requests', {
  needs: toWrite,
  steps: async (t) => {
    const tool = 'content.create_request';
    const accepted = t.contentRequest();
    const keyOf = keysInTurn(t);
    // Only a format of two words has several spellings.
    const format = formats.find((name) => name.includes('_'));
    // The other keys may not reach a workspace that a wrapped member names.
    const { workspace: _, ...unplaced } = accepted;
    const bare = keyOf(0) === 'primary' ? accepted : unplaced;
    const changes: Args[] = [
      // Without types, a comparison takes `true` for any text.
      { ...accepted, day: true },
      ...Object.entries(bindingRows).flatMap(([row, { values }]) => someOf(t, row, values(bare), mostBindings)),
    ];
    const nowhere = { workspace: t.unknownWorkspace() };
    await t.send('create in a workspace that does not exist', creating(t, nowhere, { invented: ['workspace'] }));
    await t.part(async () => {
      const theirs = { workspace: t.setting('otherAccountWorkspace') };
      await t.send("create in another account's workspace", creating(t, theirs));
    });
    await sendSome(t, 'create with invalid arguments', [
      ...badArgumentsOf(t, tool, accepted, { of: ['workspace', 'day', 'title'], keyOf }),
      ...badArgumentsOf(t, tool, { ...accepted, format }, { of: ['format'], keyOf }),
      ...changes.map((args, index) => placed(tool, args, keyOf(index))),
      ...pairsOf(tool, accepted).map((args) => ({ tool, args })),
      ...malformed(tool, accepted),
    ]);
  },
  requirements: refusesInaccessible('content-requests', 'content.create_request'),
  alsoTests: [...argumentIds('content.create_request'), 'bodies.create-request'],
});

/** Values that break careless arithmetic, parsing or counting. The server may refuse them or propose. */
const odd: readonly Args[] = [
  ...[{ shape: '0:0' }, { count: 1e20 }],
  { brief: 'A grey square. '.repeat(333) },
  { brief: 'A grey square \u{1F98A}\non a white wall' },
];

/** Values that a server may silently truncate or replace. A proposal must repeat the requested value. */
const replaceable: readonly Args[] = [
  ...[-1, 0, 2 ** 8 + 1, 2 ** 16 + 1, 2 ** 31, 2 ** 32 + 1].map((count) => ({ count })),
  ...[{ shape: 'tck' }, { shape: 1 }],
];

export const badProposals = story('invalid proposals', {
  needs: toPropose,
  steps: async (t) => {
    const tool = 'images.generate';
    const args = t.proposal();
    const others = [...namesCapitalized(args, ['board', 'brief', 'count', 'shape']), ...pairsOf(tool, args)];
    await t.sendInParallel('propose with invalid arguments', [
      // On a server that fails for these, nobody knows what they cost, so that they come before the confirmations.
      ...malformed(tool, args),
      ...badArgumentsOf(t, tool, args),
      ...others.map((changed) => ({ tool, args: changed })),
    ]);
    await t.sendInParallel('propose with a value that may be replaced', [
      ...odd.map((change) => ({ ...proposing(t, change), odd: true })),
      ...replaceable.map((change) => proposing(t, change)),
    ]);
    const unknown = { workspace: t.unknownWorkspace(), board: `tck-${t.text('unknown board')}` };
    const nowhere = { ...proposing(t, unknown), invented: ['workspace', 'board'] };
    await t.send('propose for an unknown board in an unknown workspace', nowhere);
  },
  alsoTests: [...argumentIds('images.generate'), 'bodies.images-generate', 'envelopes.no-server-error'],
});

/** Unusual texts by tool. Another story sends such texts to `knowledge.search`, which repeats them. */
const oddTexts: Readonly<Record<string, readonly Args[]>> = {
  'library.search': unruly.slice(0, 6).map((query) => ({ query })),
  'library.get': [{ id: 'What? '.repeat(200) }, { id: 'constructor' }, { kind: '__proto__' }],
};

export const oddReadings = story('unusual values for read-only tools', {
  steps: async (t) => {
    for (const { asked } of await readAll(t, 'read', t.here())) {
      for (const odd of oddTexts[asked.tool] ?? []) {
        await t.send('send an unusual value', { ...asked, args: { ...asked.args, ...odd } });
      }
    }
  },
  requirements: [
    row('arguments.anything-answered', {
      must: 'The server MUST return a result, a refusal or a 400 for any JSON object sent to a tool that only reads.',
      source: 'What the service does, rules 1 and 5; Errors',
      applies: (exchange) => exchange.sender.kind === 'key' && reads(exchange) && isValid(exchange),
      // The control shows that the key is served in this workspace.
      control: (exchange, seen) => sameRequest(exchange, seen, { except: ['kind', 'id'] }),
      expect: ({ response: { status, json } }) => {
        if ((isOutcomeStatus(status) || status === 400) && isRecord(json)) return undefined;
        const want = { oneOf: [{ status: 200 }, { status: 400 }] };
        return { want, expected: 'HTTP 200 with a result or a refusal, or HTTP 400' };
      },
      hint: 'Return a result, a refusal or a 400 for any arguments: check how the tool handles these values.',
    }),
  ],
});
