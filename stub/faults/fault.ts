import { isToolName, type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import { type Role, roles } from '../../fixtures/roles.ts';
import type { Call } from '../server/behavior.ts';
import type { Delivery } from '../server/handle.ts';
import { type ApiResponse, boundaryError, rateLimited, refusal } from '../server/responses.ts';
import { flag, type Member, oneOf, requireMembers, text, whole } from '../worlds/members.ts';

/** Something to go wrong with a call to come. What it says nothing about stays as it would be. */
export interface Fault {
  /** Any tool unless named. */
  readonly tool?: ToolName | undefined;
  /** Any key of the world unless named. */
  readonly role?: Role | undefined;
  /** For `images.generate`: calls that carry a confirmation id, or those that do not. */
  readonly confirming?: boolean | undefined;
  /** How many requests meet it, 1 by default. */
  readonly times?: number | undefined;
  /**
   * How likely a request that it fits meets it, from 0 to 1, by the seed; 1 by default. Others that it fits are served.
   */
  readonly probability?: number | undefined;
  /**
   * Responds with this status, and the call does nothing. 200 is a refusal by the tool, anything else a boundary error.
   */
  readonly status?: number | undefined;
  /** Code of that response; alone it makes a refusal. */
  readonly code?: string | undefined;
  /** Message of that response. */
  readonly message?: string | undefined;
  /**
   * Text of that response, such as the HTML page of a gateway; its content-type is text/html unless `headers` say
   * otherwise.
   */
  readonly body?: string | undefined;
  /** Headers of that response, which come on top of its own: `location`, `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whole seconds, from 1; alone it makes a 429. */
  readonly retryAfterSeconds?: number | undefined;
  /** Real time before the response goes out. */
  readonly latencyMs?: number | undefined;
  /** Real time over which the body goes out, in pieces. */
  readonly trickleMs?: number | undefined;
  /** Ends the connection without a response: before the call has done anything, or when all is done. */
  readonly drop?: 'before' | 'after' | undefined;
  /** Ends the connection after so many bytes of the body. */
  readonly cutAtBytes?: number | undefined;
}

/** Headers that a transport writes itself, and must not be given. */
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
};

const instead = ['status', 'code', 'message', 'body', 'headers', 'retryAfterSeconds'] as const;

/** What has no effect beside something else, or none at all: whether that is so, and why. */
const idle: readonly (readonly [is: (fault: Fault) => boolean, why: string])[] = [
  [
    ({ drop, cutAtBytes, ...fault }) =>
      drop !== undefined &&
      ((cutAtBytes ?? fault.trickleMs) !== undefined || instead.some((name) => fault[name] !== undefined)),
    `drop sends no response; leave out ${instead.join(', ')} cutAtBytes and trickleMs`,
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
    'it has no effect; give status, code, retryAfterSeconds, latencyMs, trickleMs, drop or cutAtBytes',
  ],
];

/** Throws a RangeError for a fault that cannot be, or that would do nothing that was meant. */
export function requireFault(given: object): asserts given is Fault {
  requireMembers<Fault>('A fault', given, faultMembers);
  const found = idle.find(([is]) => is(given));
  if (found !== undefined) throw new RangeError(`A fault: ${found[1]}.`);
}

/** Statuses whose responses have no body, whatever it says in their headers. */
export const bodiless: readonly number[] = [204, 205, 304];

/** The response that a fault puts in the place of the stub's; undefined where the stub responds. */
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

/** A written response with the text and the headers that a fault gives it. */
export function rewritten<T extends { readonly headers: Readonly<Record<string, string>>; readonly body: string }>(
  response: T,
  { body, headers }: Fault,
): T {
  if (body === undefined && headers === undefined) return response;
  const type = body === undefined ? {} : { 'content-type': 'text/html' };
  return { ...response, headers: { ...response.headers, ...type, ...headers }, body: body ?? response.body };
}

export function deliveryOf({ latencyMs, trickleMs, drop, cutAtBytes }: Fault): Delivery | undefined {
  const cut = drop === undefined ? cutAtBytes : -1;
  if ((latencyMs ?? trickleMs ?? cut) === undefined) return undefined;
  return {
    ...(latencyMs === undefined ? {} : { delayMs: latencyMs }),
    ...(trickleMs === undefined ? {} : { trickleMs }),
    ...(cut === undefined ? {} : { cutAtBytes: cut }),
  };
}

/** What a fault looks at in a call. */
export interface Aim {
  /** Of the nine, called as tools are; anything else meets no fault. */
  readonly tool: string;
  readonly role: Role | undefined;
  /** Whether the body carries a confirmation id; asked only where it matters. */
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
