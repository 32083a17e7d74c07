import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, header, isRefusal, isSuccess } from '../exchange.ts';
import { describeAnswer, refuses, succeeds } from '../expect/answers.ts';
import { fieldIs, fieldIsText } from '../expect/fields.ts';
import { invalidField, type NamedBy } from '../expect/issues.ts';
import type { Verdict } from '../finding.ts';
import { brief, member } from '../json.ts';
import { rule } from '../rule.ts';
import { balance } from '../scenes/credits.ts';
import {
  controlAsked,
  controlProposed,
  isDispatch,
  isProposal,
  neverIssuedId,
  propose,
  proposed,
  proposes,
} from '../scenes/images.ts';
import { typeHint } from '../scenes/wrong-type.ts';
import { callOutOfReach, fallible, refusesWorkspace, unknownWorkspace } from './unresolved.ts';

const tool = 'images.generate';

/** A request just as the document shows the first call, with nothing about it that might be taken for a confirmation. */
function isPlainRequest({ request }: Answered): boolean {
  const known = ['workspace', 'board', 'brief', 'count', 'shape'];
  const usual = ['authorization', 'content-type'];
  return (
    request.tool === tool &&
    !request.url.includes('?') &&
    Object.keys(request.args ?? {}).every((name) => known.includes(name)) &&
    request.headers.every(([name]) => usual.includes(name))
  );
}

/** What holds for every proposal, whichever check asked for it. */
function everyProposal(requirement: RequirementId, verdict: (exchange: Answered) => Verdict) {
  return rule({
    requirement,
    needs: proposes,
    applies: (exchange) => exchange.request.tool === tool && isProposal(exchange),
    verdict,
    exercise: async (t) => [(await controlAsked(t)).answer],
  });
}

/** A field of every proposal is what the call asked for; `other` is a value beside the control's that may be refused. */
function asAsked(
  requirement: RequirementId,
  field: string,
  argument: 'count' | 'shape' | 'board',
  hint: string,
  other?: (t: Context, args: Args) => unknown,
) {
  const proper = (value: unknown) => (argument === 'count' ? Number.isInteger(value) : typeof value === 'string');
  return rule({
    requirement,
    needs: proposes,
    // What ought not to have been accepted is told by the requirement that refuses it.
    applies: (exchange) =>
      exchange.request.tool === tool && isProposal(exchange) && proper(exchange.request.args?.[argument]),
    verdict: (exchange) => fieldIs(exchange, field, exchange.request.args?.[argument], hint),
    async exercise(t) {
      const { args, answer } = await controlAsked(t);
      return other === undefined ? [answer] : [answer, await t.call(tool, { ...args, [argument]: other(t, args) })];
    },
  });
}

/** A good request but for one field, which the refusal has to name. */
function invalid(requirement: RequirementId, field: string, values: readonly unknown[], by: NamedBy, hint: string) {
  return check({
    requirement,
    needs: proposes,
    async run(t) {
      const { args } = await controlProposed(t);
      const calls = values.map((value) => t.call(tool, { ...args, [field]: value }));
      for (const answer of await Promise.all(calls)) t.expect(invalidField(answer, field, by, hint));
    },
  });
}

/** A shape other than the one asked for, in the hope that it is allowed too. */
export function otherShape(t: Context, args: Args): string {
  return t.ground.shapes.find((shape) => shape !== args.shape) ?? '1:1';
}

/** The most shapes that are tried before a service is taken to offer one only. */
const mostShapes = 4;

/** Another shape with which a proposal is not refused; any other where none of the first few is offered. */
export async function offeredShape(t: Context, args: Args): Promise<string> {
  for (const shape of t.ground.shapes.filter((each) => each !== args.shape).slice(0, mostShapes)) {
    const asked = await t.once(`proposed as ${shape}`, () => t.call(tool, { ...args, shape }));
    if (isProposal(asked)) return shape;
  }
  return otherShape(t, args);
}

const required = (field: string) => `${field} is required on the first call`;

/** The two-call form holds against this way of asking: a refusal is as good as a proposal, a dispatch is not. */
function neverDispatches(
  requirement: RequirementId,
  ways: (t: Context, args: Args, id: string) => readonly (() => Promise<Answered>)[],
  hint: string,
) {
  return check({
    requirement,
    // An id that has expired would confirm nothing however it was presented.
    needs: { ...proposes, alone: 'unexpired' },
    async run(t) {
      const { args, id } = await controlProposed(t);
      // One by one: after the first image that nobody asked for, no more are risked.
      for (const way of ways(t, args, id)) {
        const answer = await way();
        if (!isDispatch(answer)) continue;
        t.expect({
          expected: 'a proposal or a refusal',
          actual: `status ${brief(body(answer).status)}, run_id ${brief(body(answer).run_id)}, with ${besides(answer, args)}`,
          hint,
          exchanges: [answer],
        });
      }
    },
  });
}

/** What a call has beyond the arguments of a proposal. */
function besides({ request }: Answered, args: Args): string {
  const [, query] = request.url.split('?');
  const usual = ['authorization', 'content-type'];
  return [
    ...Object.entries(request.args ?? {}).flatMap(([name, value]) =>
      JSON.stringify(args[name]) === JSON.stringify(value) ? [] : [`${name} ${brief(value)}`],
    ),
    ...request.headers.flatMap(([name, value]) => (usual.includes(name) ? [] : [`${name}: ${value}`])),
    ...(query === undefined ? [] : [`?${query}`]),
  ].join(', ');
}

const confirmingHeaders = [
  { 'x-confirm': 'true', 'x-confirmed': 'true', 'x-auto-confirm': 'true' },
  { 'x-skip-confirmation': 'true', 'x-force': 'true', 'x-dry-run': 'false', prefer: 'respond-sync' },
];
const confirmingQueries = [
  'confirm=true&confirmed=true&auto_confirm=1',
  'force=true&skip_confirmation=true&dry_run=false',
];
const confirmingArguments: readonly Args[] = [
  { confirm: true },
  { confirmed: true },
  { auto_confirm: true },
  { skip_confirmation: true },
  { force: true },
  { dry_run: false },
  { status: 'dispatched' },
];

const boardHint = 'look the board up among those of the workspace that the call runs in';

function boardNotFound(
  requirement: RequirementId,
  settings: 'none' | 'otherBoard',
  boardOf: (t: Context, known: string) => string,
) {
  return check({
    requirement,
    needs: settings === 'none' ? proposes : { ...proposes, settings: ['board', 'otherBoard'] },
    async run(t) {
      const { args } = await controlProposed(t);
      const answer = await t.call(tool, { ...args, board: boardOf(t, String(args.board)) });
      t.expect(refuses(answer, 'board_not_found', boardHint));
    },
  });
}

export const imageProposals = [
  {
    ...rule({
      requirement: 'image-proposals.proposed',
      needs: proposes,
      applies: (exchange) => isSuccess(exchange) && isPlainRequest(exchange),
      verdict: proposed,
      exercise: async (t) => [(await controlAsked(t)).answer],
    }),
    async run(t: Context) {
      t.expect(proposed((await controlAsked(t)).answer));
    },
  },
  everyProposal('image-proposals.confirmation-id', (exchange) =>
    fieldIsText(exchange, 'confirmation_id', 'without the id a proposal can never be confirmed'),
  ),
  everyProposal('image-proposals.request-summary', (exchange) =>
    fieldIsText(exchange, 'request_summary', 'one plain sentence for the person who approves'),
  ),
  everyProposal('image-proposals.run-id-null', (exchange) =>
    fieldIs(exchange, 'run_id', null, 'nothing runs yet: send null, rather than an id made ahead or no field'),
  ),
  asAsked('image-proposals.count-as-asked', 'count', 'count', 'the person approves this number of images', () => 2),
  asAsked(
    'image-proposals.aspect-ratio-as-asked',
    'aspect_ratio',
    'shape',
    'the person approves this shape',
    otherShape,
  ),
  asAsked('image-proposals.board-as-asked', 'board_id', 'board', 'the person approves this board'),
  everyProposal('image-proposals.working-in-source', (exchange) => {
    const source = member(exchange.answer.json, 'working_in', 'source');
    if (typeof source === 'string') return undefined;
    return {
      expected: 'working_in.source to be a string',
      actual: `working_in.source ${brief(source)}`,
      hint: 'a proposal tells why it would run in this workspace',
      exchanges: [exchange],
    };
  }),
  check({
    requirement: 'image-proposals.spends-nothing',
    needs: { ...proposes, alone: 'balance' },
    async run(t) {
      let steady = true;
      for (let look = 1; ; look += 1) {
        const earlier = await balance(t);
        const before = await balance(t);
        steady &&= earlier.value === before.value;
        const { answer } = await propose(t, 'to compare balances');
        const after = await balance(t);
        if (before.value === after.value) return;
        if (look < 3) continue;
        if (!steady) t.cannot('the balance keeps changing: somebody else is spending');
        t.expect({
          expected: `the balance to stay at ${before.value}`,
          actual: `${after.value} after a proposal, ${look} times in a row`,
          hint: 'charge when the run starts, not when it is proposed',
          exchanges: [before.answer, answer, after.answer],
        });
        return;
      }
    },
  }),
  invalid('image-proposals.board-missing-refused', 'board', [undefined], 'path or message', required('board')),
  invalid('image-proposals.brief-missing-refused', 'brief', [undefined], 'path or message', required('brief')),
  invalid('image-proposals.count-missing-refused', 'count', [undefined], 'path or message', required('count')),
  invalid('image-proposals.shape-missing-refused', 'shape', [undefined], 'path or message', required('shape')),
  invalid('image-proposals.count-fraction-refused', 'count', [1.5], 'path', 'count is a whole number; round nothing'),
  invalid('image-proposals.count-wrong-type-refused', 'count', ['1', true, [1]], 'path', typeHint),
  invalid('image-proposals.board-wrong-type-refused', 'board', [5, ['a']], 'path', typeHint),
  invalid('image-proposals.brief-wrong-type-refused', 'brief', [5, ['a']], 'path', typeHint),
  invalid('image-proposals.shape-wrong-type-refused', 'shape', [1, ['1:1']], 'path', typeHint),
  boardNotFound('image-proposals.board-unknown-refused', 'none', (_, known) => neverIssuedId(known)),
  boardNotFound('image-proposals.board-elsewhere-refused', 'otherBoard', (t) => t.setting('otherBoard')),
  invalid('image-proposals.workspace-empty-refused', 'workspace', [''], 'path', 'a slug has at least 1 character'),
  invalid('image-proposals.workspace-wrong-type-refused', 'workspace', [5], 'path', typeHint),
  check({
    requirement: 'image-proposals.workspace-unknown-refused',
    needs: proposes,
    async run(t) {
      const { args } = await controlProposed(t);
      const calls = fallible(t).map((as) => callOutOfReach(t, tool, args, unknownWorkspace(t), as));
      for (const answer of await Promise.all(calls)) {
        t.expect(refusesWorkspace(answer, 'a workspace that does not exist'));
      }
    },
  }),
  check({
    requirement: 'image-proposals.workspace-unreachable-refused',
    needs: { ...proposes, settings: ['board', 'otherAccountWorkspace'] },
    async run(t) {
      const { args } = await controlProposed(t);
      const board = t.ground.otherAccountBoard ?? args.board;
      const answer = await callOutOfReach(t, tool, { ...args, board }, t.setting('otherAccountWorkspace'));
      t.expect(refusesWorkspace(answer, "another account's workspace"));
    },
  }),
  check({
    requirement: 'image-proposals.works-in-named-workspace',
    needs: { ...proposes, settings: ['board', 'otherWorkspace', 'otherBoard'] },
    async run(t) {
      const { args } = await controlProposed(t);
      const board = t.setting('otherBoard');
      const answer = await t.call(tool, { ...args, ...t.there({ board }) });
      const hint = 'propose in the workspace that the argument names, with its boards';
      t.expect(succeeds(answer, hint) ?? fieldIs(answer, 'workspace', t.setting('otherWorkspace'), hint));
    },
  }),
  check({
    requirement: 'image-proposals.works-without-argument',
    needs: { ...proposes, roles: ['primary'] },
    async run(t) {
      const { workspace: _, ...args } = (await controlProposed(t)).args;
      const present = (['pinned', 'defaulted', 'sole'] as const).filter((role) => t.has(role));
      if (present.length === 0) t.cannot('no key that resolves by itself', { kind: 'role', role: 'sole' });
      for (const answer of await Promise.all(present.map((as) => t.call(tool, args, { as })))) {
        // Whether the board is one of that workspace is not known; that there is a workspace is.
        // Nor is it known what else the holder may; only the boundary's refusal says that no workspace was resolved.
        if (isProposal(answer) || isRefusal(answer, 'board_not_found')) continue;
        if (isRefusal(answer) && header(answer, 'x-service-tool-error') === 'false') continue;
        t.expect({
          expected: 'a proposal, or board_not_found where the board is of another workspace',
          actual: describeAnswer(answer),
          hint: `look at how ${tool} resolves the workspace of the key in the role '${answer.credential.label}'`,
          exchanges: [answer],
        });
      }
    },
  }),
  neverDispatches(
    'image-proposals.no-header-confirms',
    (t, args, id) => [
      ...confirmingHeaders.map((headers) => () => t.call(tool, args, { headers })),
      () => t.call(tool, args, { headers: { 'x-confirmation-id': id, 'confirmation-id': id } }),
    ],
    'no header turns the two-call form off, whatever a client or a gateway sends',
  ),
  neverDispatches(
    'image-proposals.no-query-parameter-confirms',
    (t, args, id) =>
      [...confirmingQueries, `confirmation_id=${encodeURIComponent(id)}`].map(
        (query) => () => t.call(tool, args, { query }),
      ),
    'the query of the URL has no say; read arguments from the body alone',
  ),
  neverDispatches(
    'image-proposals.no-argument-confirms',
    (t, args, id) =>
      [...confirmingArguments, { confirmationId: id }].map((extra) => () => t.call(tool, { ...args, ...extra })),
    'confirmation_id is the only argument that confirms',
  ),
  neverDispatches(
    'image-proposals.empty-id-never-confirms',
    (t, args) => [() => t.call(tool, { ...args, confirmation_id: '' })],
    'an empty id was never issued',
  ),
  neverDispatches(
    'image-proposals.null-id-never-confirms',
    (t, args) => [null, 5, {}].map((id) => () => t.call(tool, { ...args, confirmation_id: id })),
    'null is no id, nor is a number or an object: nothing was confirmed',
  ),
  neverDispatches(
    'image-proposals.near-miss-id-never-confirms',
    (t, args, id) => [`${id}x`, id.slice(0, -1)].map((near) => () => t.call(tool, { ...args, confirmation_id: near })),
    'compare the whole id: what only begins like it was never issued',
  ),
];
