import { expect, test } from 'vitest';
import { fixedCodeOr } from '../../fixtures/contract/codes.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import { openQuestions, type QuestionId } from '../../fixtures/open-questions.ts';
import { type CreateStubOptions, createStub } from '../../stub/index.ts';
import { inProcess } from '../../test/stub-target.ts';
import { combined } from '../../test/third-server/honest/index.ts';
import { startThirdServer } from '../../test/third-server/server.ts';
import { thirdTarget } from '../../test/third-server/target.ts';
import { audit } from '../engine/audit.ts';
import type { RunResult } from '../result.ts';
import { defaultMaxImages, type Target } from '../target/target.ts';

type Answers = Partial<Record<QuestionId, readonly unknown[]>>;

/** Leaves out codes that the specification fixes, because they are not open questions. */
const ifOpen = (answers: Answers): Answers => {
  const open = new Set<string>(openQuestions.map(({ id }) => id));
  return Object.fromEntries(Object.entries(answers).filter(([id]) => open.has(id)));
};

/** The default limit leaves no image for the last question. */
const mostImages = 20;

const answersOf = (result: RunResult): Answers =>
  Object.fromEntries(result.observations.map(({ id, values }) => [id, values]));

async function ofStub(
  options: CreateStubOptions = {},
  given: Partial<Target> = {},
  observe = true,
): Promise<RunResult> {
  const stub = createStub({ seed: 1, ...options });
  return audit(inProcess(stub, { shape: '1:1', maxImages: mostImages, ...given }), { seed: 1, observe });
}

const { about, surelyAlive, surelyDead } = limits.confirmation;

/** Maximum number of further requests for observations in a run. */
const mostFurtherRequests = 120;

test('the stub answers every open question, within the bounds', async () => {
  const [without, result] = [await ofStub({}, {}, false), await ofStub()];
  expect(result.notices).toEqual([]);
  expect(result.verdict).toBe('conformant');
  expect(Object.keys(answersOf(result)).toSorted()).toEqual(openQuestions.map(({ id }) => id).toSorted());
  expect(without.observations).toEqual([]);
  const further = result.summary.requests - without.summary.requests;
  expect(further).toBeLessThanOrEqual(mostFurtherRequests);
  expect(result.summary.imagesConfirmed).toBeLessThanOrEqual(mostImages);
  expect(result.summary.contentRequestsCreated).toBeLessThanOrEqual(45);
});

test('with the default number of images, only the last question stays open', async () => {
  const answers = answersOf(await ofStub({}, { maxImages: defaultMaxImages }));
  expect(openQuestions.map(({ id }) => id).filter((id) => !(id in answers))).toEqual(['expiry.minutes']);
});

test('what the stub is seen to do', async () => {
  const answers = answersOf(await ofStub());
  expect(answers['authentication.answer-times']).toHaveLength(4);
  expect(answers).toMatchObject({
    'confirmations.by-other-key': ['dispatched'],
    'content-requests.astral-title': ['1, as a character'],
    'credits.image-cost': [4],
    'expiry.minutes': [`valid at ${about - 1} minutes, expired at ${about}`],
    'image-proposals.count-bounds': [
      '0: refused with invalid_arguments',
      '12: accepted',
      '13: refused with invalid_arguments',
    ],
    'knowledge.order': ['the strongest first'],
    'rate-limit.cap': [30],
    'schedule.week-start': ['Monday'],
    'workspaces.pinned-with-argument': ['the argument decides'],
  });
});

test('without any effect nothing but reading is tried', async () => {
  const stub = createStub({ seed: 1 });
  const target = inProcess(stub, { allow: [], maxImages: 0 });
  const result = await audit(target, { seed: 1 });
  expect(stub.stats.proposals).toBe(0);
  expect(stub.stats.contentRequestsCreated).toBe(0);
  expect(answersOf(result)).toMatchObject({ 'schedule.week-start': ['Monday'], 'bodies.duplicate-keys': ['last'] });
  expect(answersOf(result)).not.toHaveProperty('expiry.minutes');
});

test('a run of some topics observes those topics only', async () => {
  const stub = createStub({ seed: 1 });
  const target = inProcess(stub, { allow: [], maxImages: 0 });
  const { observations: made } = await audit(target, { seed: 1, only: ['schedule'] });
  expect(made.map(({ id }) => id)).toEqual(['schedule.entries', 'schedule.week-start']);
});

/** Conforming deployments of the third server, and the answers that they imply. */
const expected: readonly (readonly [deployments: readonly string[], answers: Answers])[] = [
  [
    [],
    {
      'authentication.code': [fixedCodeOr('unauthenticated', 'gate.no_such_visitor')],
      'bodies.large-array': ['HTTP 400 tenant_api.malformed_body'],
      'confirmations.by-other-key': ['dispatched'],
      'confirmations.changed-board': ['refused with board_not_found'],
      'confirmations.changed-brief': ['dispatched'],
      'content-requests.past-day': ['accepted'],
      'content-requests.scheduled-on-day': ['on the day, in UTC'],
      'credits.image-cost': [1],
      'credits.unknown-properties': ['accepted'],
      'expiry.minutes': [`valid at ${about - 1} minutes, expired at ${about}`],
      'headers.tool-error-on-invalid-arguments': ['false'],
      'image-proposals.count-bounds': [
        '0: refused with invalid_arguments',
        '4: accepted',
        '5: refused with invalid_arguments',
      ],
      'library.kinds': ['clip', 'note', 'photo'],
      'library.unknown-id': ['refused with item_not_found'],
      'order.arguments-or-workspace': ['arguments first'],
      'order.body-or-credential': [`HTTP 401 ${fixedCodeOr('unauthenticated', 'gate.no_such_visitor')}`],
      'order.credential-or-tool': [`HTTP 401 ${fixedCodeOr('unauthenticated', 'gate.no_such_visitor')}`],
      'rate-limit.cap': [25],
      'schedule.week-start': ['Monday'],
      'surface.codes': [
        `accountSwitchOff: ${fixedCodeOr('accountSwitchOff', 'gate.house_closed')}`,
        `platformSwitchOff: ${fixedCodeOr('platformSwitchOff', 'gate.city_closed')}`,
        `withoutAccess: ${fixedCodeOr('withoutAccess', 'gate.not_this_visitor')}`,
      ],
      'unknown-tools.code': [fixedCodeOr('noSuchTool', 'gate.no_such_door')],
      'workspaces.pinned-with-argument': ['the argument decides'],
      'workspaces.unreachable-code': ['workspace_not_found'],
    },
  ],
  [
    [
      'changes-refused',
      'week-from-sunday',
      'pinned-ignores-the-argument',
      'unknown-tool-before-credential',
      'workspace-before-arguments',
      'credits-with-fractions',
      'short-lives',
      'issues-below-body',
      'large-arrays-are-batches',
    ],
    {
      'bodies.large-array': ['HTTP 400 tenant_mcp.batch_too_large'],
      'confirmations.changed-brief': ['refused with request_changed'],
      'credits.image-cost': [0.37],
      'expiry.minutes': [`valid at ${surelyAlive + 1} minutes, expired at ${surelyAlive + 2}`],
      'headers.tool-error-on-invalid-arguments': ['true'],
      'order.arguments-or-workspace': ['workspace first: refused with workspace_ambiguous'],
      'order.credential-or-tool': [`HTTP 404 ${fixedCodeOr('noSuchTool', 'gate.no_such_door')}`],
      'schedule.week-start': ['Sunday'],
      'workspaces.pinned-with-argument': ['the pin decides'],
    },
  ],
  [
    [
      'pinned-keeps-to-its-pin',
      'body-before-credential',
      'unknown-fields-refused',
      'long-lives',
      'times-with-fraction-and-offset',
      'only-json-bodies',
      'closed-before-tool',
    ],
    {
      'content-requests.scheduled-on-day': ['on another day, in UTC'],
      'credits.unknown-properties': ['refused with invalid_arguments'],
      'credits.workspace-argument': ['refused with invalid_arguments'],
      'expiry.minutes': [`valid at ${surelyDead - 2} minutes, expired at ${surelyDead - 1}`],
      'order.body-or-credential': ['HTTP 400 tenant_api.malformed_body'],
      'order.surface-or-tool': [`HTTP 403 ${fixedCodeOr('withoutAccess', 'gate.not_this_visitor')}`],
      'workspaces.pinned-with-argument': ['refused with key_is_pinned'],
    },
  ],
];

test.for(expected)('answers follow the third server: %j', async ([deployments, answers]) => {
  const difference = combined(...deployments);
  await using server = await startThirdServer(difference);
  // Finding a lifetime to the minute may take more images than the default limit allows.
  const result = await audit(thirdTarget(server, { maxImages: 40, ...difference.target(server) }), { seed: 1 });
  expect(result.notices).toEqual([]);
  expect(result.verdict).toBe('conformant');
  expect(answersOf(result)).toMatchObject(ifOpen(answers));
  expect(result.summary.imagesWorstCase).toBeLessThanOrEqual(40);
  expect(result.summary.contentRequestsCreated).toBeLessThanOrEqual(45);
});
