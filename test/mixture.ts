import { createHash } from 'node:crypto';
import { limits } from '../fixtures/contract/limits.ts';
import type { OtherOptions } from './other-target.ts';

/** Returns a generator of choices that depends only on the seed. */
function chooser(seed: number) {
  let count = 0;
  const next = (below: number): number => {
    count += 1;
    return createHash('sha256').update(`${seed}/${count}`).digest().readUInt32BE(0) % below;
  };
  return {
    flag: () => next(2) === 1,
    of: <const T>(...choices: readonly [T, ...T[]]): T => choices[next(choices.length)] ?? choices[0],
  };
}

/**
 * Returns a conforming configuration of the second server that depends on the seed. Each option has one of its values,
 * and the specification allows all of them. This creates combinations that a person would not think of.
 */
export function mixture(seed: number): OtherOptions {
  const { flag, of } = chooser(seed);
  const pathPrefix = of('', '/edge/v9', '/a/b/c');
  return {
    seed,
    orderSeed: seed,
    pathPrefix,
    connectionClose: flag(),
    closeAfterEachAnswer: of(false, false, false, true),
    extraFields: flag(),
    extraHeaders: flag(),
    servedBy: flag(),
    unknownWorkspaceAs: of('own-code', 'invalid'),
    unknownWorkspaceLists: flag(),
    unauthorizedAfterUnknownTool: flag(),
    wwwAuthenticate: flag(),
    toolErrorOnInvalidArguments: flag(),
    toolErrorOnSuccess: of('absent', 'false'),
    toolErrorOnBoundary: of('absent', 'true'),
    argumentsBeforeWorkspace: flag(),
    strictUnknown: flag(),
    unknownPropertiesOnBalance: of('refuse', 'ignore'),
    nullOptional: of('refuse', 'absent'),
    absentQuery: of('refuse', 'empty'),
    impossibleDatesRefused: flag(),
    pastDaysRefused: flag(),
    titleUnit: of('utf16', 'code-point'),
    issuesPathStyle: of('dot', 'pointer', 'jsonpath', 'rooted', 'fragment'),
    absentNamedBy: of('path', 'message'),
    multipleIssues: of('all', 'first'),
    bodyWhitespace: of('malformed', 'no-body'),
    invalidUtf8: of('malformed', 'replaced'),
    batchLimit: of(0, 50),
    numericIds: flag(),
    boardIdsRepeat: of(false, false, true),
    plusZeroOffset: flag(),
    fraction: flag(),
    scheduledShiftHours: of(-11, -4, 0, 9),
    scheduledForNull: flag(),
    weekBlockNull: flag(),
    filledPlannedSlot: flag(),
    weekStart: of('monday', 'sunday'),
    weekDays: of(7, 7, 5),
    oddRows: flag(),
    metaLineEmpty: flag(),
    contentStatusNeedsArguments: of(false, false, true),
    emptyLibrary: of(false, false, true),
    searchLimit: of(1, 5, 50),
    unknownItem: of('refuse', 'nothing'),
    noHits: of(false, false, true),
    connectionsAsStrings: flag(),
    balanceFraction: flag(),
    othersSpendBeforeRead: of(0, 0, 2, 3),
    minimalWorkingIn: flag(),
    workingInOnDispatch: flag(),
    workingInOnRefusals: flag(),
    ambiguousListSubset: flag(),
    pinnedWithArgument: of('refuse', 'honour', 'keep-pin'),
    primaryIs: of('ambiguous', 'defaulted', 'pinned', 'sole'),
    reach: of('same', 'different'),
    soleAccount: of('same', 'own'),
    changedOnConfirm: {
      board: of('original', 'refuse'),
      brief: of('original', 'refuse'),
      count: of('original', 'refuse'),
      shape: of('original', 'refuse'),
    },
    confirmationBeforeBoard: flag(),
    emptyConfirmation: of('confirmation-invalid', 'invalid', 'proposal'),
    confirmationByOtherKey: of('allowed', 'invalid'),
    confirmationMinutes: Math.round(limits.confirmation.about * of(5 / 6, 14 / 15, 1, 16 / 15, 4 / 3)),
    maxCount: of(1, 2, 4, 12),
    shapes: of(['1:1'], ['4:5', '1:1'], ['16:9', '9:16', '21:9']),
    overLimitAs: of('own-code', 'invalid'),
    cap: of(
      { calls: 600, windowMs: 60_000, style: 'fixed' },
      { calls: 600, windowMs: 60_000, style: 'sliding' },
      { calls: 600, windowMs: 60_000, style: 'bucket' },
      { calls: 120, windowMs: 1000, style: 'bucket' },
      { calls: 100, windowMs: 1000, style: 'sliding' },
    ),
    shuffledMembers: flag(),
    prettyJson: flag(),
    escapedUnicode: flag(),
    charset: flag(),
    headerCase: of('lower', 'title', 'upper'),
    chunked: flag(),
    latencyMs: of({ min: 0, max: 0 }, { min: 0, max: 3 }),
    platformOffAt: pathPrefix === '' ? 'same-base' : of('own-base', 'same-base'),
  };
}
