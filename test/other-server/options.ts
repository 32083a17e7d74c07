import { boundaryCodes, fixedCodeOr } from '../../fixtures/contract/codes.ts';
import { limits } from '../../fixtures/contract/limits.ts';

/** Options for behavior that the specification leaves open. Every value of every option conforms. */
export interface OtherServerOptions {
  /** Path before `/api/v1`; may be empty. */
  pathPrefix: string;
  /** Every response has `Connection: close`. */
  connectionClose: boolean;
  /** The server closes the socket after each response without announcing it. */
  closeAfterEachAnswer: boolean;
  /** Maximum idle time of a connection, in milliseconds. */
  keepAliveTimeoutMs: number;
  /** Responses with 200 have unspecified members, most of which change with each response. */
  extraFields: boolean;
  /** Every response has unspecified headers, which change with each response. */
  extraHeaders: boolean;
  /**
   * Every response names one of two nodes at random. The name explains no other difference, but may seem to by
   * coincidence.
   */
  servedBy: boolean;
  /** Codes that the specification leaves open. The three codes for 403 differ. */
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
  /** The server refuses an inaccessible workspace with its own code (and header `true`), or as invalid arguments. */
  unknownWorkspaceAs: 'own-code' | 'invalid';
  /** The refusal of an inaccessible workspace lists the accessible workspaces. */
  unknownWorkspaceLists: boolean;
  /** With a bad credential, an unknown tool returns 404, not 401. */
  unauthorizedAfterUnknownTool: boolean;
  /** Responses with 401 have `WWW-Authenticate`. */
  wwwAuthenticate: boolean;
  /** Value of `x-service-tool-error` with `invalid_arguments`. */
  toolErrorOnInvalidArguments: boolean;
  /** Value of `x-service-tool-error` if `ok` is true. */
  toolErrorOnSuccess: 'absent' | 'false';
  /** Value of `x-service-tool-error` in error responses. */
  toolErrorOnBoundary: 'absent' | 'true';
  /** The server checks arguments before it resolves the workspace. */
  argumentsBeforeWorkspace: boolean;
  /** Every tool except `credits.balance` refuses unknown properties, not only `content.create_request`. */
  strictUnknown: boolean;
  /** `credits.balance` refuses or ignores arguments. */
  unknownPropertiesOnBalance: 'refuse' | 'ignore';
  /** For an optional argument, `null` is a wrong type or counts as absent. */
  nullOptional: 'refuse' | 'absent';
  /** The server refuses an absent `query`, or treats it as empty. */
  absentQuery: 'refuse' | 'empty';
  /** The server refuses dates such as 2026-02-30. */
  impossibleDatesRefused: boolean;
  /** The server refuses a day more than two days ago with its own code. */
  pastDaysRefused: boolean;
  /** Minimum and maximum length of a title, and the unit of its length. */
  title: { least: number; most: number };
  titleUnit: 'utf16' | 'code-point';
  /** Form of a field name in an issue: `title`, `/title`, `$.title`, `arguments.title`, `#/title`. */
  issuesPathStyle: 'dot' | 'pointer' | 'jsonpath' | 'rooted' | 'fragment';
  /** Missing and unknown properties are named in the path, or in the message with the path of the parent. */
  absentNamedBy: 'path' | 'message';
  /** The server reports all invalid fields, or only the first. */
  multipleIssues: 'all' | 'first';
  /** Treatment of a body that contains only white space. */
  bodyWhitespace: 'malformed' | 'no-body';
  /** Treatment of a body that is not UTF-8. */
  invalidUtf8: 'malformed' | 'replaced';
  /** Longer top-level arrays are `tenant_mcp.batch_too_large`. With 0, every array is malformed. */
  batchLimit: number;
  /** IDs consist of digits. */
  numericIds: boolean;
  /** Boards of different workspaces have equal IDs. */
  boardIdsRepeat: boolean;
  /** `scheduled_for` ends with `+00:00` instead of `Z`. */
  plusZeroOffset: boolean;
  /** `scheduled_for` has milliseconds. */
  fraction: boolean;
  /** Hours from the start of `day` in UTC to `scheduled_for`, because the cadence has its own time zone. */
  scheduledShiftHours: number;
  /** `scheduled_for` is null. */
  scheduledForNull: boolean;
  /** `week_block_id` is null. */
  weekBlockNull: boolean;
  /** Value of `filled_planned_slot`. */
  filledPlannedSlot: boolean;
  /** First day of a week. */
  weekStart: 'monday' | 'sunday';
  /** Number of days in results of `schedule.read`. The specification only recommends seven. */
  weekDays: number;
  /** `rows` and `pieces` contain arrays, strings and nulls instead of objects. */
  oddRows: boolean;
  /** `meta_line` is an empty string. */
  metaLineEmpty: boolean;
  /** `content.status` has a required argument, so `{}` returns `invalid_arguments`. */
  contentStatusNeedsArguments: boolean;
  /** Libraries are empty until images are generated. */
  emptyLibrary: boolean;
  /** Maximum number of items in a result. If there are more, the result is `truncated`. */
  searchLimit: number;
  /** The server refuses an unknown item, or returns `ok` true without an item. */
  unknownItem: 'refuse' | 'nothing';
  /** The knowledge base is empty. */
  noHits: boolean;
  /** Provider entries are strings instead of objects. */
  connectionsAsStrings: boolean;
  /** Credits have a fraction. */
  balanceFraction: boolean;
  /** Another client spends just before the n-th balance is read. With 0, no other client spends. */
  othersSpendBeforeRead: number;
  /** `working_in` has only `label` and `note` where the specification allows it. */
  minimalWorkingIn: boolean;
  /** Dispatches have `working_in`. */
  workingInOnDispatch: boolean;
  /** Refusals have `working_in` if their workspace is known. */
  workingInOnRefusals: boolean;
  /** `workspace_ambiguous` lists only two of the accessible workspaces. */
  ambiguousListSubset: boolean;
  /**
   * For a pinned key that names another accessible workspace, the server refuses, uses that workspace, or keeps (and
   * names) the pin.
   */
  pinnedWithArgument: 'refuse' | 'honour' | 'keep-pin';
  /** How `primary` resolves its workspace if the request names none. */
  primaryIs: 'ambiguous' | 'defaulted' | 'pinned' | 'sole';
  /** Keys can access the same workspaces as `primary`, or other workspaces of the account. */
  reach: 'same' | 'different';
  /** The key `sole` belongs to the account of `primary`, or to its own account. */
  soleAccount: 'same' | 'own';
  /**
   * If a confirmation changes an argument, the server uses the proposed value or refuses the confirmation. Count and
   * shape are refused only if a proposal with them is refused, too.
   */
  changedOnConfirm: Record<'board' | 'brief' | 'count' | 'shape', 'original' | 'refuse'>;
  /** A confirmation is checked before the board, or after it. */
  confirmationBeforeBoard: boolean;
  /** Treatment of an empty `confirmation_id`. */
  emptyConfirmation: 'confirmation-invalid' | 'invalid' | 'proposal';
  /** Treatment of a confirmation by another key of the account. */
  confirmationByOtherKey: 'allowed' | 'invalid';
  /** Lifetime of a confirmation in minutes. */
  confirmationMinutes: number;
  /** The server refuses proposals for more images. */
  maxCount: number;
  /** Shapes that the server offers. It refuses all others. */
  shapes: readonly string[];
  /** Form of the refusal of a count or shape that the server does not offer. */
  overLimitAs: 'own-code' | 'invalid';
  /** Rate limit of a key: number of requests in a window, and how the window moves. */
  cap: { calls: number; windowMs: number; style: 'fixed' | 'sliding' | 'bucket' };
  /** The rate limit is too high for any burst, whatever `cap` says. */
  veryLargeCap: boolean;
  /** Seed for the order of everything without a specified order. */
  orderSeed: number;
  /** Members of 200 responses have a new order each time. */
  shuffledMembers: boolean;
  /** Bodies are indented. */
  prettyJson: boolean;
  /** Characters outside ASCII are written as `\uXXXX`. */
  escapedUnicode: boolean;
  /** The content type has a charset parameter. */
  charset: boolean;
  /** Case of header names. */
  headerCase: 'lower' | 'title' | 'upper';
  /** Bodies are sent in chunks without a length, which are cut inside characters. */
  chunked: boolean;
  /** Seeded delay of responses, in milliseconds. */
  latencyMs: { min: number; max: number };
  /** The clock can be advanced over HTTP (`controlUrl`). `advance` always works. */
  controllableClock: boolean;
  /** Address of the clock: next to the API, or on another port. */
  clockHost: 'same' | 'own-port';
  /** The closed platform has a second base address, or only a key. */
  platformOffAt: 'own-base' | 'same-base';
  /** Seed of IDs, keys, latency and data. */
  seed: number;
  /** Returns milliseconds since 1970, to which the server adds the offset of its clock. */
  now: () => number;
}

/** Defaults: an intentionally unusual mixture. */
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
    withoutAccess: fixedCodeOr('withoutAccess', 'edge.not_for_you'),
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
