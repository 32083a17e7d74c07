import { expect, test } from 'vitest';
import { fixedCodeOr } from '../../fixtures/contract/codes.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import { openQuestions, type QuestionId } from '../../fixtures/open-questions.ts';
import type { StubOptions } from '../../stub/core.ts';
import { createStub } from '../../stub/index.ts';
import { defaultOptions } from '../../test/other-server/options.ts';
import { createOtherServer, type OtherOptions, otherTarget } from '../../test/other-target.ts';
import { inProcess } from '../../test/stub-target.ts';
import { audit } from '../engine/audit.ts';
import type { RunResult } from '../result.ts';
import { defaultPace, type Target } from '../target.ts';
import { answers as answering } from './index.ts';

type Answers = Partial<Record<QuestionId, readonly unknown[]>>;

/** Leaves out codes that the specification fixes, because they are not open questions. */
const ifOpen = (answers: Answers): Answers => {
  const open = new Set<string>(openQuestions.map(({ id }) => id));
  return Object.fromEntries(Object.entries(answers).filter(([id]) => open.has(id)));
};

const answersOf = (result: RunResult): Answers =>
  Object.fromEntries(result.observations.map(({ id, values }) => [id, values]));

async function ofStub(options: StubOptions = {}, given: Partial<Target> = {}, observe = true): Promise<RunResult> {
  const stub = createStub({ seed: 1, ...options });
  // The default limit leaves no image for the last question.
  return audit(inProcess(stub, { shape: '1:1', maxImages: 16, ...given }), { seed: 1, observe });
}

async function ofOther(options: OtherOptions): Promise<RunResult> {
  const server = await createOtherServer({ latencyMs: { min: 0, max: 0 }, connectionClose: false, ...options });
  try {
    // Finding a lifetime to the minute may take more images than the default limit allows.
    const target = otherTarget(server, { pace: { ...defaultPace, maxBurst: 600 }, maxImages: 40 });
    return await audit(target, { seed: 1 });
  } finally {
    await server.close();
  }
}

const { about, surelyAlive, surelyDead } = limits.confirmation;
const { codes } = defaultOptions;

/** Maximum number of further requests for observations in a run. */
const mostFurtherRequests = 120;

test('every open question has what answers it', () => {
  expect(Object.keys(answering)).toEqual(expect.arrayContaining(openQuestions.map(({ id }) => id)));
});

test('the stub answers every open question, within the bounds', async () => {
  const [without, result] = [await ofStub({}, {}, false), await ofStub()];
  expect(result.notices).toEqual([]);
  expect(result.verdict).toBe('conformant');
  expect(Object.keys(answersOf(result)).toSorted()).toEqual(openQuestions.map(({ id }) => id).toSorted());
  expect(without.observations).toEqual([]);
  const further = result.summary.requests - without.summary.requests;
  expect(further).toBeLessThanOrEqual(mostFurtherRequests);
  expect(result.summary.imagesConfirmed).toBeLessThanOrEqual(16);
  expect(result.summary.contentRequestsCreated).toBeLessThanOrEqual(30);
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

/** Options of the second server, and the answers that they imply. */
const expected: readonly (readonly [what: string, options: OtherOptions, answers: Answers])[] = [
  [
    'as it is, but for a cap that takes less time',
    { cap: { calls: 400, windowMs: 2000, style: 'sliding' } },
    {
      'authentication.code': [codes.unauthorized],
      'unknown-tools.code': [codes.unknownTool],
      'surface.codes': [
        `accountSwitchOff: ${codes.accountSwitchOff}`,
        `platformSwitchOff: ${codes.platformSwitchOff}`,
        `withoutAccess: ${codes.withoutAccess}`,
      ],
      'workspaces.unreachable-code': ['desk_out_of_reach'],
      'bodies.large-array': ['HTTP 400 tenant_mcp.batch_too_large'],
      'order.credential-or-tool': [`HTTP 404 ${codes.unknownTool}`],
      'order.body-or-credential': [`HTTP 401 ${codes.unauthorized}`],
      'order.arguments-or-workspace': ['arguments first'],
      'schedule.week-start': ['Sunday'],
      'expiry.minutes': [`valid at ${about} minutes, expired at ${about + 1}`],
      'credits.image-cost': [1.5],
      'image-proposals.count-bounds': ['0: refused with not_offered', '4: accepted', '5: refused with not_offered'],
      'confirmations.changed-board': ['refused with board_not_found'],
      'confirmations.changed-brief': ['refused with request_changed'],
      'content-requests.astral-title': ['1, as a character'],
      'content-requests.past-day': ['refused with day_gone'],
      'content-requests.impossible-day': ['refused with invalid_arguments'],
      'library.unknown-id': ['refused with item_gone'],
      'library.kinds': ['clip', 'note', 'picture'],
      'headers.tool-error-on-invalid-arguments': ['true'],
      'workspaces.pinned-with-argument': ['refused with desk_out_of_reach'],
    },
  ],
  [
    'otherwise',
    {
      codes: {
        unauthorized: fixedCodeOr('unauthenticated', 'a'),
        unknownTool: fixedCodeOr('noSuchTool', 'b'),
        withoutAccess: 'c',
        accountSwitchOff: 'd',
        platformSwitchOff: 'e',
        unknownWorkspace: 'f',
        unknownItem: 'g',
        overLimit: 'h',
        requestChanged: 'i',
      },
      unauthorizedAfterUnknownTool: false,
      argumentsBeforeWorkspace: false,
      strictUnknown: false,
      unknownPropertiesOnBalance: 'ignore',
      nullOptional: 'absent',
      absentQuery: 'empty',
      impossibleDatesRefused: false,
      pastDaysRefused: false,
      titleUnit: 'utf16',
      bodyWhitespace: 'no-body',
      invalidUtf8: 'replaced',
      batchLimit: 0,
      weekStart: 'monday',
      scheduledShiftHours: 9,
      toolErrorOnInvalidArguments: false,
      toolErrorOnBoundary: 'true',
      pinnedWithArgument: 'honour',
      unknownItem: 'nothing',
      workingInOnRefusals: false,
      connectionsAsStrings: false,
      reach: 'same',
      changedOnConfirm: { board: 'original', brief: 'original', count: 'original', shape: 'original' },
      confirmationByOtherKey: 'allowed',
      confirmationMinutes: surelyDead - 3,
      maxCount: 23,
      shapes: ['1:1', '4:5', '7:5'],
      overLimitAs: 'invalid',
      cap: { calls: 500, windowMs: 20_000, style: 'fixed' },
    },
    {
      'authentication.code': ['a'],
      'unknown-tools.code': ['b'],
      'surface.codes': ['accountSwitchOff: d', 'platformSwitchOff: e', 'withoutAccess: c'],
      'workspaces.unreachable-code': ['f'],
      'bodies.large-array': ['HTTP 400 tenant_api.malformed_body'],
      'bodies.white-space': ['accepted'],
      'bodies.invalid-utf-8': ['accepted'],
      'order.credential-or-tool': [`HTTP 401 ${fixedCodeOr('unauthenticated', 'a')}`],
      'order.arguments-or-workspace': ['workspace first: refused with workspace_ambiguous'],
      'schedule.week-start': ['Monday'],
      'expiry.minutes': [`valid at ${surelyDead - 4} minutes, expired at ${surelyDead - 3}`],
      'image-proposals.count-bounds': [
        '0: refused with invalid_arguments',
        '23: accepted',
        '24: refused with invalid_arguments',
      ],
      'confirmations.changed-board': ['dispatches the original'],
      'confirmations.changed-brief': ['dispatched'],
      'confirmations.by-other-key': ['dispatched'],
      'content-requests.astral-title': ['2, as two UTF-16 units'],
      'content-requests.past-day': ['accepted'],
      'content-requests.impossible-day': ['accepted'],
      'content-requests.null-title': ['accepted'],
      'content-requests.scheduled-on-day': ['on the day, in UTC'],
      'workspaces.null-argument': ['accepted'],
      'library.unknown-id': ['accepted'],
      'library.absent-query': ['accepted, and finds something'],
      'connections.entries': ['provider'],
      'headers.tool-error-on-invalid-arguments': ['false'],
      'workspaces.pinned-with-argument': ['the argument decides'],
      'credits.unknown-properties': ['accepted'],
      'credits.workspace-argument': ['accepted'],
      'rate-limit.cap': [500],
    },
  ],
  [
    'a pin that stays, another key that is refused, and a life of 21 minutes',
    {
      pinnedWithArgument: 'keep-pin',
      reach: 'same',
      confirmationByOtherKey: 'invalid',
      changedOnConfirm: { board: 'original', brief: 'original', count: 'original', shape: 'original' },
      confirmationMinutes: surelyAlive + 1,
      cap: { calls: 600, windowMs: 60_000, style: 'fixed' },
      maxCount: 100,
    },
    {
      'workspaces.pinned-with-argument': ['the pin decides'],
      'confirmations.by-other-key': ['refused with confirmation_invalid'],
      'confirmations.changed-brief': ['dispatched'],
      'expiry.minutes': [`valid at ${surelyAlive} minutes, expired at ${surelyAlive + 1}`],
      'image-proposals.count-bounds': ['0: refused with not_offered', '64: accepted'],
    },
  ],
];

// The run waits for a window of the rate limit to end.
test.for(expected)('answers follow the second server: %s', { timeout: 150_000 }, async ([, options, answers]) => {
  const result = await ofOther(options);
  expect(result.notices).toEqual([]);
  expect(result.verdict).toBe('conformant');
  expect(answersOf(result)).toMatchObject(ifOpen(answers));
  expect(result.summary.imagesWorstCase).toBeLessThanOrEqual(40);
  expect(result.summary.contentRequestsCreated).toBeLessThanOrEqual(30);
});
