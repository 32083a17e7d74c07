import { boundaryErrors, type RefusalRow, refusalCodes, refusals } from '../../fixtures/contract/codes.ts';
import { isToolName, isWorkspaceScoped, type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import { type Role, roles } from '../../fixtures/roles.ts';
import type { Call } from '../server/behavior.ts';
import type { Delivery } from '../server/handle.ts';
import { type ApiResponse, boundaryError, rateLimited, refusal } from '../server/responses.ts';
import { flag, type Member, oneOf, requireMembers, text, whole } from '../worlds/members.ts';

/** An injected fault for a future request. Omitted members leave the response unchanged. */
export interface Fault {
  /** Default: any tool. */
  readonly tool?: ToolName | undefined;
  /** Default: any key of the sandbox. */
  readonly role?: Role | undefined;
  /** For `images.generate`: matches only requests with a confirmation ID (true) or without one (false). */
  readonly confirming?: boolean | undefined;
  /** Number of requests to match (default: 1). */
  readonly times?: number | undefined;
  /** Probability that a matching request gets the fault, above 0 and at most 1 (default: 1). It depends on the seed. */
  readonly probability?: number | undefined;
  /**
   * Status of a response that replaces the normal one. The request then has no effect. 200 is a refusal by the tool;
   * other statuses are error responses.
   */
  readonly status?: number | undefined;
  /**
   * Error code of the response. Without `status` and `retryAfterSeconds`, the response is a refusal. Codes that the
   * specification does not define are valid, because it does not show all codes. A defined code needs its tool and
   * status.
   */
  readonly code?: string | undefined;
  /** Error message of the response. */
  readonly message?: string | undefined;
  /** Raw body of the response, such as the HTML page of a gateway. The default content type is text/html. */
  readonly body?: string | undefined;
  /** Additional headers of the response, such as `location` or `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Wait time in whole seconds, at least 1. Without `status`, the response is a 429. */
  readonly retryAfterSeconds?: number | undefined;
  /** Real time in milliseconds before the response is sent. */
  readonly latencyMs?: number | undefined;
  /** Real time in milliseconds over which the body is sent in chunks. */
  readonly trickleMs?: number | undefined;
  /** Closes the connection without a response, before or after the request takes effect. */
  readonly drop?: 'before' | 'after' | undefined;
  /** Closes the connection after this many bytes of the body. */
  readonly cutAtBytes?: number | undefined;
  /** Closes the connection of `drop` or `cutAtBytes` with a TCP reset, except over TLS. */
  readonly reset?: boolean | undefined;
  /** Bandwidth of the response body in bytes per second. */
  readonly bytesPerSecond?: number | undefined;
}

/** Headers that the transport sets, so a fault must not set them. */
const ofTransport = ['content-length', 'transfer-encoding', 'connection'];

function isHeaders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(
    ([name, text]) =>
      /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) &&
      !ofTransport.includes(name) &&
      typeof text === 'string' &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(text),
  );
}

export const faultMembers: Readonly<Record<keyof Fault, Member>> = {
  tool: oneOf(...toolNames),
  role: oneOf(...roles),
  confirming: flag,
  times: whole(1, 1_000_000),
  probability: [
    (value) => typeof value === 'number' && value > 0 && value <= 1,
    'a number above 0, and at most 1',
    { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  ],
  status: whole(200, 599),
  code: text(100),
  message: text(1000),
  body: [
    (value) => typeof value === 'string' && value.length <= 1_000_000,
    'a string of at most 1000000 characters',
    { type: 'string', maxLength: 1_000_000 },
  ],
  headers: [
    isHeaders,
    `an object of header names in lower case, other than ${ofTransport.join(', ')}, and their values`,
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  retryAfterSeconds: whole(1, 86_400),
  latencyMs: whole(1, 600_000),
  trickleMs: whole(1, 600_000),
  drop: oneOf('before', 'after'),
  cutAtBytes: whole(0, 1_000_000),
  reset: flag,
  bytesPerSecond: whole(1, 1_000_000_000),
};

const instead = ['status', 'code', 'message', 'body', 'headers', 'retryAfterSeconds'] as const;

/** Combinations of members in which a member has no effect, with error messages. */
const idle: readonly (readonly [is: (fault: Fault) => boolean, why: string])[] = [
  [
    ({ drop, cutAtBytes, trickleMs, bytesPerSecond, ...fault }) =>
      drop !== undefined &&
      ((cutAtBytes ?? trickleMs ?? bytesPerSecond) !== undefined || instead.some((name) => fault[name] !== undefined)),
    `drop sends no response; leave out ${instead.join(', ')}, cutAtBytes, trickleMs and bytesPerSecond`,
  ],
  [
    ({ reset, drop, cutAtBytes }) => reset !== undefined && (drop ?? cutAtBytes) === undefined,
    'reset needs drop or cutAtBytes',
  ],
  [
    ({ bytesPerSecond, trickleMs, cutAtBytes }) =>
      bytesPerSecond !== undefined && (trickleMs ?? cutAtBytes) !== undefined,
    'bytesPerSecond leaves no trickleMs and cutAtBytes',
  ],
  [
    ({ status, retryAfterSeconds }) => retryAfterSeconds !== undefined && (status ?? 429) !== 429,
    'retryAfterSeconds needs the status 429, which is its default',
  ],
  [
    ({ message, status, code, retryAfterSeconds }) =>
      message !== undefined && (status ?? code ?? retryAfterSeconds) === undefined,
    'message needs status, code or retryAfterSeconds',
  ],
  [
    ({ status, code, message, body, cutAtBytes }) =>
      status !== undefined && bodiless.includes(status) && (code ?? message ?? body ?? cutAtBytes) !== undefined,
    'responses of this status have no body; leave out code, message, body and cutAtBytes',
  ],
  [({ body, status }) => body !== undefined && status === undefined, 'body needs status'],
  [
    ({ trickleMs, cutAtBytes, body, status }) =>
      trickleMs !== undefined && (cutAtBytes !== undefined || body === '' || bodiless.includes(status ?? 0)),
    'trickleMs needs a body that goes out whole; leave out cutAtBytes, and statuses without a body',
  ],
  [
    ({ body, code, message }) => body !== undefined && (code ?? message) !== undefined,
    'body leaves no code and message',
  ],
  [
    ({ headers, status, code, retryAfterSeconds }) =>
      headers !== undefined && (status ?? code ?? retryAfterSeconds) === undefined,
    'headers need status, code or retryAfterSeconds',
  ],
  [
    ({ tool, confirming }) => confirming !== undefined && (tool ?? 'images.generate') !== 'images.generate',
    'confirming needs the tool images.generate',
  ],
  [
    ({ tool, role, confirming, times, probability, ...what }) =>
      Object.values(what).every((value) => value === undefined),
    'it has no effect; give status, code, retryAfterSeconds, latencyMs, trickleMs, bytesPerSecond, drop or cutAtBytes',
  ],
];

/** Returns why no response can have the code of a fault; undefined if one can. */
function impossibleCode({ code, tool, confirming, status, retryAfterSeconds }: Fault): string | undefined {
  const boundary = boundaryErrors.find((row) => row.fixed && row.code === code);
  const actual = status ?? (retryAfterSeconds === undefined ? 200 : 429);
  if (boundary !== undefined && boundary.status !== actual) return `code ${code} needs the status ${boundary.status}`;
  const refusal = refusals.find((row: RefusalRow) => row.code === code);
  if (refusal === undefined) return undefined;
  if (actual !== 200) return `code ${code} is the code of a refusal; leave out status and retryAfterSeconds`;
  const only = confirming === undefined ? tool : 'images.generate';
  if (refusal.only !== undefined && refusal.only !== only) return `code ${code} needs the tool ${refusal.only}`;
  if (code === refusalCodes.confirmationInvalid && confirming !== true) {
    return `code ${code} needs confirming true, because a proposal presents no confirmation_id`;
  }
  if (code === refusalCodes.workspaceAmbiguous && tool !== undefined && !isWorkspaceScoped(tool)) {
    return `code ${code} needs another tool, because ${tool} takes no workspace`;
  }
  return undefined;
}

/** Throws a RangeError for a fault that is invalid, has a member without effect, or has a code that cannot occur. */
export function requireFault(given: object): asserts given is Fault {
  requireMembers<Fault>('A fault', given, faultMembers);
  const problem = idle.find(([is]) => is(given))?.[1] ?? impossibleCode(given);
  if (problem !== undefined) throw new RangeError(`A fault: ${problem}.`);
}

/** Statuses whose responses never have a body. */
export const bodiless: readonly number[] = [204, 205, 304];

/** Returns a function that creates the fault's response, or undefined if the stub responds itself. */
export function responseOf(fault: Fault): ((call: Call) => ApiResponse) | undefined {
  const { status, code, message, retryAfterSeconds } = fault;
  if (status === undefined && code === undefined && retryAfterSeconds === undefined) return undefined;
  return ({ behavior }) => {
    if (status === 429 || (status === undefined && retryAfterSeconds !== undefined)) {
      return rateLimited(code ?? behavior.codes.rateLimited, retryAfterSeconds ?? 1, message);
    }
    if (status === undefined || status === 200) {
      return refusal('tool', {
        code: code ?? 'declined',
        message: message ?? 'This stub was asked to refuse this request.',
      });
    }
    return boundaryError(status, code ?? `stub.status_${status}`, message ?? 'This stub was asked for this status.');
  };
}

/** Applies the body and headers of a fault to a response. */
export function rewritten<T extends { readonly headers: Readonly<Record<string, string>>; readonly body: string }>(
  response: T,
  { body, headers }: Fault,
): T {
  if (body === undefined && headers === undefined) return response;
  const type = body === undefined ? {} : { 'content-type': 'text/html' };
  return { ...response, headers: { ...response.headers, ...type, ...headers }, body: body ?? response.body };
}

/** Returns the delivery of a body, or undefined if it is sent immediately and completely. */
export function deliveryOf(fault: Fault, body: string): Delivery | undefined {
  const { latencyMs, drop, cutAtBytes, reset, bytesPerSecond } = fault;
  const cut = drop === undefined ? cutAtBytes : -1;
  const trickleMs = fault.trickleMs ?? timeFor(Buffer.byteLength(body), bytesPerSecond);
  if ((latencyMs ?? trickleMs ?? cut) === undefined) return undefined;
  return {
    ...(latencyMs === undefined ? {} : { delayMs: latencyMs }),
    ...(cut === undefined && trickleMs !== undefined ? { trickleMs } : {}),
    ...(cut === undefined ? {} : { cutAtBytes: cut }),
    ...(reset === true ? { resets: true } : {}),
  };
}

function timeFor(bytes: number, perSecond: number | undefined): number | undefined {
  return perSecond === undefined || bytes === 0 ? undefined : Math.ceil((bytes / perSecond) * 1000);
}

/** Properties of a request that faults match. */
export interface Aim {
  /** Tool name. Faults match only valid requests of known tools. */
  readonly tool: string;
  readonly role: Role | undefined;
  /** Whether the body has a confirmation ID; parsed only if a fault needs it. */
  readonly confirming: () => boolean;
}

export function meets(fault: Fault, aim: Aim): boolean {
  return (
    isToolName(aim.tool) &&
    (fault.tool ?? aim.tool) === aim.tool &&
    aim.role !== undefined &&
    (fault.role ?? aim.role) === aim.role &&
    (fault.confirming === undefined || (aim.tool === 'images.generate' && fault.confirming === aim.confirming()))
  );
}
