import { boundaryCodes, fixedCodeOr } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';

/** How the server may differ where the specification leaves room. Every value of every option conforms. */
export interface OtherServerOptions {
  /** Path before `/api/v1`; empty for none. */
  pathPrefix: string;
  /** Says `Connection: close` with every answer. */
  connectionClose: boolean;
  /** Closes the socket after every answer without having said so. */
  closeAfterEachAnswer: boolean;
  /** How long an idle connection is kept, in milliseconds. */
  keepAliveTimeoutMs: number;
  /** Members the specification does not know in 200 answers, most of them changing with every answer. */
  extraFields: boolean;
  /** Headers the specification does not know on every answer, changing with every answer. */
  extraHeaders: boolean;
  /**
   * One of two node names on every answer, drawn anew each time: like nothing that tells causes apart, though it may
   * look so by chance.
   */
  servedBy: boolean;
  /** Codes the specification does not give. The three of 403 differ. */
  codes: {
    unauthorized: string;
    unknownTool: string;
    withoutAccess: string;
    accountSwitchOff: string;
    platformSwitchOff: string;
    unknownWorkspace: string;
    unknownItem: string;
    overLimit: string;
    requestChanged: string;
  };
  /** An unreachable workspace is refused by a code of its own (and header `true`), or as invalid arguments. */
  unknownWorkspaceAs: 'own-code' | 'invalid';
  /** The refusal of an unreachable workspace lists what the key may pass. */
  unknownWorkspaceLists: boolean;
  /** With a bad credential an unknown tool is 404, not 401. */
  unauthorizedAfterUnknownTool: boolean;
  /** The 401 carries `WWW-Authenticate`. */
  wwwAuthenticate: boolean;
  /** `x-service-tool-error` on `invalid_arguments`. */
  toolErrorOnInvalidArguments: boolean;
  /** `x-service-tool-error` where `ok` is true. */
  toolErrorOnSuccess: 'absent' | 'false';
  /** `x-service-tool-error` on boundary errors. */
  toolErrorOnBoundary: 'absent' | 'true';
  /** Arguments are checked before the workspace is resolved. */
  argumentsBeforeWorkspace: boolean;
  /** Unknown properties are refused by every tool but `credits.balance`, not only by `content.create_request`. */
  strictUnknown: boolean;
  /** `credits.balance` refuses or ignores what it is given. */
  unknownPropertiesOnBalance: 'refuse' | 'ignore';
  /** `null` for an optional argument is a wrong type, or as good as leaving it out. */
  nullOptional: 'refuse' | 'absent';
  /** An absent `query` is refused, or taken as empty. */
  absentQuery: 'refuse' | 'empty';
  /** 2026-02-30 is refused. */
  impossibleDatesRefused: boolean;
  /** A day more than two days ago is refused, by a code of its own. */
  pastDaysRefused: boolean;
  /** How few and how many characters a title has, and what counts as one. */
  title: { least: number; most: number };
  titleUnit: 'utf16' | 'code-point';
  /** How an issue names a field: `title`, `/title`, `$.title`, `arguments.title`, `#/title`. */
  issuesPathStyle: 'dot' | 'pointer' | 'jsonpath' | 'rooted' | 'fragment';
  /** Missing and unknown properties are named in the path, or in the message with the path of the parent. */
  absentNamedBy: 'path' | 'message';
  /** All bad fields are reported, or only the first. */
  multipleIssues: 'all' | 'first';
  /** A body of white space only. */
  bodyWhitespace: 'malformed' | 'no-body';
  /** A body that is not UTF-8. */
  invalidUtf8: 'malformed' | 'replaced';
  /** Top-level arrays longer than this are `tenant_mcp.batch_too_large`; 0: never, they are malformed. */
  batchLimit: number;
  /** Ids are numbers in text. */
  numericIds: boolean;
  /** Boards of different workspaces have the same ids. */
  boardIdsRepeat: boolean;
  /** `scheduled_for` ends in `+00:00` instead of `Z`. */
  plusZeroOffset: boolean;
  /** `scheduled_for` has milliseconds. */
  fraction: boolean;
  /** Hours between the start of `day` in UTC and `scheduled_for`: the cadence lives in its own time zone. */
  scheduledShiftHours: number;
  /** `scheduled_for` is null. */
  scheduledForNull: boolean;
  /** `week_block_id` is null. */
  weekBlockNull: boolean;
  /** What `filled_planned_slot` says. */
  filledPlannedSlot: boolean;
  /** First day of a week. */
  weekStart: 'monday' | 'sunday';
  /** Days in the answer of `schedule.read`. Seven is advised only. */
  weekDays: number;
  /** `rows` and `pieces` hold arrays, strings and nulls instead of objects. */
  oddRows: boolean;
  /** `meta_line` is an empty string. */
  metaLineEmpty: boolean;
  /** `content.status` has a required argument: `{}` is then `invalid_arguments`. */
  contentStatusNeedsArguments: boolean;
  /** Nothing in any library until images are made. */
  emptyLibrary: boolean;
  /** At most this many items in an answer; the rest is `truncated`. */
  searchLimit: number;
  /** An unknown item is refused, or answered with `ok` true and nothing. */
  unknownItem: 'refuse' | 'nothing';
  /** Nothing in the knowledge base. */
  noHits: boolean;
  /** Provider entries are strings instead of objects. */
  connectionsAsStrings: boolean;
  /** Credits have a fraction. */
  balanceFraction: boolean;
  /** Someone else spends just before the n-th balance is read; 0: never. */
  othersSpendBeforeRead: number;
  /** `working_in` has only `label` and `note` where the specification allows it. */
  minimalWorkingIn: boolean;
  /** `working_in` is there on the dispatched reply. */
  workingInOnDispatch: boolean;
  /** `working_in` is there on refusals whose workspace is known. */
  workingInOnRefusals: boolean;
  /** `workspace_ambiguous` lists only two of the reachable workspaces. */
  ambiguousListSubset: boolean;
  /** A pinned key given another reachable workspace: refused, honoured, or the pin stays (and is named). */
  pinnedWithArgument: 'refuse' | 'honour' | 'keep-pin';
  /** Which way `primary` resolves its workspace when none is given. */
  primaryIs: 'ambiguous' | 'defaulted' | 'pinned' | 'sole';
  /** The roles reach the same workspaces as `primary`, or others of the account. */
  reach: 'same' | 'different';
  /** The `sole` key is of `primary`'s account or of one of its own. */
  soleAccount: 'same' | 'own';
  /**
   * What happens to a changed argument on call 2: what was shown runs, or it is refused. Count and shape only where a
   * proposal is refused too.
   */
  changedOnConfirm: Record<'board' | 'brief' | 'count' | 'shape', 'original' | 'refuse'>;
  /** Whether call 2 looks at the confirmation or at the board first. */
  confirmationBeforeBoard: boolean;
  /** An empty `confirmation_id`. */
  emptyConfirmation: 'confirmation-invalid' | 'invalid' | 'proposal';
  /** A confirmation used by another key of the account. */
  confirmationByOtherKey: 'allowed' | 'invalid';
  /** Lifetime of a confirmation. */
  confirmationMinutes: number;
  /** A proposal for more images than this is refused. */
  maxCount: number;
  /** The shapes there are; any other is refused. */
  shapes: readonly string[];
  /** How a count or shape that is not offered is refused. */
  overLimitAs: 'own-code' | 'invalid';
  /** How many calls a key may make in a window, and how the window moves. */
  cap: { calls: number; windowMs: number; style: 'fixed' | 'sliding' | 'bucket' };
  /** A cap no burst meets, whatever `cap` says. */
  veryLargeCap: boolean;
  /** Shuffles whatever has no order. */
  orderSeed: number;
  /** Members of 200 answers come in a new order every time. */
  shuffledMembers: boolean;
  /** Bodies are indented. */
  prettyJson: boolean;
  /** Characters outside ASCII are written as `\uXXXX`. */
  escapedUnicode: boolean;
  /** Content type with a charset parameter. */
  charset: boolean;
  /** How header names are spelled. */
  headerCase: 'lower' | 'title' | 'upper';
  /** Bodies come in pieces without a length, cut in the middle of characters. */
  chunked: boolean;
  /** Answers wait this long, drawn by seed, in milliseconds. */
  latencyMs: { min: number; max: number };
  /** The clock can be moved over HTTP (`controlUrl`). `advance` always works. */
  controllableClock: boolean;
  /** Where the clock's address is: beside the API, or on a port of its own. */
  clockHost: 'same' | 'own-port';
  /** Where the platform is closed: there is a second base address, or only the key knows. */
  platformOffAt: 'own-base' | 'same-base';
  /** Seed of ids, keys, latency and data. */
  seed: number;
  /** Milliseconds since 1970; the clock's offset is added to it. */
  now: () => number;
}

/** The default: an odd mixture on purpose. */
export const defaultOptions: OtherServerOptions = {
  pathPrefix: '/edge/v9',
  connectionClose: true,
  closeAfterEachAnswer: false,
  keepAliveTimeoutMs: 1000,
  extraFields: true,
  extraHeaders: true,
  servedBy: false,
  codes: {
    unauthorized: fixedCodeOr('unauthenticated', 'edge.who_are_you'),
    unknownTool: fixedCodeOr('noSuchTool', 'edge.nothing_here'),
    withoutAccess: fixedCodeOr('withoutAccess', 'edge.capability_missing'),
    accountSwitchOff: boundaryCodes.accountSwitchOff,
    platformSwitchOff: fixedCodeOr('platformSwitchOff', 'edge.closed_everywhere'),
    unknownWorkspace: 'desk_out_of_reach',
    unknownItem: 'item_gone',
    overLimit: 'not_offered',
    requestChanged: 'request_changed',
  },
  unknownWorkspaceAs: 'own-code',
  unknownWorkspaceLists: true,
  unauthorizedAfterUnknownTool: true,
  wwwAuthenticate: true,
  toolErrorOnInvalidArguments: true,
  toolErrorOnSuccess: 'absent',
  toolErrorOnBoundary: 'absent',
  argumentsBeforeWorkspace: true,
  strictUnknown: true,
  unknownPropertiesOnBalance: 'refuse',
  nullOptional: 'refuse',
  absentQuery: 'refuse',
  impossibleDatesRefused: true,
  pastDaysRefused: true,
  titleUnit: 'code-point',
  issuesPathStyle: 'pointer',
  absentNamedBy: 'message',
  multipleIssues: 'first',
  bodyWhitespace: 'malformed',
  invalidUtf8: 'malformed',
  batchLimit: 50,
  numericIds: true,
  boardIdsRepeat: false,
  plusZeroOffset: true,
  fraction: false,
  scheduledShiftHours: -4,
  scheduledForNull: false,
  weekBlockNull: true,
  filledPlannedSlot: false,
  weekStart: 'sunday',
  weekDays: 7,
  oddRows: true,
  metaLineEmpty: false,
  contentStatusNeedsArguments: false,
  emptyLibrary: false,
  searchLimit: 5,
  unknownItem: 'refuse',
  noHits: false,
  connectionsAsStrings: true,
  balanceFraction: true,
  othersSpendBeforeRead: 0,
  minimalWorkingIn: true,
  workingInOnDispatch: false,
  workingInOnRefusals: true,
  ambiguousListSubset: false,
  pinnedWithArgument: 'refuse',
  primaryIs: 'ambiguous',
  reach: 'different',
  soleAccount: 'own',
  changedOnConfirm: { board: 'refuse', brief: 'refuse', count: 'original', shape: 'original' },
  confirmationBeforeBoard: true,
  emptyConfirmation: 'confirmation-invalid',
  confirmationByOtherKey: 'invalid',
  title: limits.title,
  confirmationMinutes: limits.confirmation.about + 1,
  maxCount: 4,
  shapes: ['4:5', '1:1'],
  overLimitAs: 'own-code',
  cap: { calls: 25, windowMs: 2000, style: 'sliding' },
  veryLargeCap: false,
  orderSeed: 7,
  shuffledMembers: true,
  prettyJson: true,
  escapedUnicode: false,
  charset: true,
  headerCase: 'title',
  chunked: true,
  latencyMs: { min: 0, max: 2 },
  controllableClock: false,
  clockHost: 'same',
  platformOffAt: 'same-base',
  seed: 1,
  now: Date.now,
};
