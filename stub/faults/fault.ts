import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { boundaryErrors, refusals } from '../../fixtures/contract/codes.ts';
import { isToolName, toolNames } from '../../fixtures/contract/tools.ts';
import { type Role, roles } from '../../fixtures/roles.ts';
import { isRecord, member, parsed, withoutUndefined } from '../../suites/json.ts';
import type { Call } from '../server/behavior.ts';
import type { StubResponse } from '../server/handle.ts';
import { type ApiResponse, boundaryError, rateLimited, refusal } from '../server/responses.ts';
import { checked, text, whole } from '../worlds/checked.ts';

/** Headers that the transport sets, so a fault must not set them. */
const ofTransport = ['content-length', 'transfer-encoding', 'connection'];
const headersForm = `expected header names in lower case, other than ${ofTransport.join(', ')}, and their values`;

const milliseconds = whole(1, 600_000);
const percentiles = z
  .strictObject({ p50: milliseconds, p95: milliseconds })
  .refine(({ p50, p95 }) => p50 <= p95, 'expected p50 at most p95');

const faultSchema = z
  .strictObject({
    /** Default: any tool. */
    tool: z.enum(toolNames),
    /** Default: any key of the sandbox. */
    role: z.enum(roles),
    /** For `images.generate`: matches only requests with a confirmation ID (true) or without one (false). */
    confirming: z.boolean(),
    /** Matches only requests whose arguments contain these; objects can be subsets. */
    args: z.record(z.string(), z.unknown()),
    /** Skips this many matching requests first (default: 0). */
    after: whole(1, 1_000_000),
    /** Number of requests that get the fault (default: 1), or `always`. */
    times: z.union([whole(1, 1_000_000), z.literal('always')], 'expected an integer from 1 to 1000000, or "always"'),
    /** Probability that a matching request gets the fault (default: 1). It depends on the seed. */
    probability: z.number().gt(0).max(1),
    /**
     * Status of a response that replaces the normal one. The request then has no effect. 200 is a refusal by the tool;
     * other statuses are error responses.
     */
    status: whole(200, 599),
    /**
     * Error code of the response. Without `status` and `retryAfterSeconds`, the response is a refusal. A code that the
     * specification defines needs its status. Other codes are valid, because the specification does not show all codes.
     */
    code: text(100),
    /** Error message of the response. */
    message: text(1000),
    /** Raw body of the response, such as the HTML page of a gateway. The default content type is text/html. */
    body: z.string().max(1_000_000),
    /** Additional headers of the response, such as `location` or `retry-after`. */
    headers: z.record(z.string(), z.string()).refine(areHeaders, headersForm),
    /** Wait time in whole seconds, at least 1. Without `status`, the response is a 429. */
    retryAfterSeconds: whole(1, 86_400),
    /** Members of the real response to change: new values by path, such as `items.0.title`. */
    change: z
      .record(z.string(), z.unknown())
      .refine((change) => Object.keys(change).length > 0, 'expected paths and their new values'),
    /** Real time in milliseconds before the response is sent, or the median and the 95th percentile of random times. */
    latencyMs: z.union(
      [milliseconds, percentiles],
      'expected an integer from 1 to 600000, or { "p50", "p95" } of such integers, p50 at most p95',
    ),
    /** Real time in milliseconds over which the body is sent in chunks. */
    trickleMs: milliseconds,
    /** Closes the connection without a response, before or after the request takes effect. */
    drop: z.enum(['before', 'after']),
    /** Closes the connection after this many bytes of the body. */
    cutAtBytes: whole(0, 1_000_000),
    /** Closes the connection of `drop` or `cutAtBytes` with a TCP reset, except over TLS. */
    reset: z.boolean(),
  })
  .partial();

/** An injected fault for a future request. Omitted members leave the response unchanged. */
export type Fault = Readonly<z.input<typeof faultSchema>>;

function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).every(
    ([name, value]) =>
      /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && !ofTransport.includes(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
}

const instead = ['status', 'code', 'message', 'body', 'headers', 'retryAfterSeconds'] as const;
const responding = ['status', 'code', 'retryAfterSeconds'] as const;

/** Members that have no effect without one of the others. */
const needs: readonly (readonly [keyof Fault, readonly (keyof Fault)[]])[] = [
  ['reset', ['drop', 'cutAtBytes']],
  ['message', responding],
  ['headers', responding],
  ['body', ['status']],
];

/** Members that have no effect beside others, and why. */
const excludes: readonly (readonly [keyof Fault, why: string, readonly (keyof Fault)[]])[] = [
  ['drop', 'sends no response', [...instead, 'cutAtBytes', 'trickleMs', 'change']],
  ['change', 'needs the real response', instead],
  ['body', 'is the whole body', ['code', 'message']],
  ['trickleMs', 'needs a body that goes out whole', ['cutAtBytes']],
];

const effects = [...responding, 'change', 'latencyMs', 'trickleMs', 'drop', 'cutAtBytes'] as const;

/** Returns why a member of a fault has no effect; undefined if each has one. */
function idleMember(fault: Fault): string | undefined {
  const has = (name: keyof Fault) => fault[name] !== undefined;
  const alone = needs.find(([name, others]) => has(name) && !others.some(has));
  if (alone !== undefined) return `${alone[0]} needs ${alone[1].join(' or ')}`;
  const [name, why, others = []] = excludes.find(([name, , others]) => has(name) && others.some(has)) ?? [];
  if (name !== undefined) return `${name} ${why}; leave out ${others.filter(has).join(', ')}`;
  const { code, status = 429, retryAfterSeconds, tool = 'images.generate', confirming } = fault;
  if (retryAfterSeconds !== undefined && status !== 429) return 'retryAfterSeconds needs the status 429';
  const coded = [...boundaryErrors, ...refusals].find((row) => row.fixed && row.code === code);
  const actual = retryAfterSeconds === undefined ? (fault.status ?? 200) : 429;
  if (coded !== undefined && coded.status !== actual) return `code ${code} needs the status ${coded.status}`;
  if (confirming !== undefined && tool !== 'images.generate') return 'confirming needs the tool images.generate';
  const ofBody = (['code', 'message', 'body', 'cutAtBytes', 'trickleMs'] as const).filter(has);
  if (!effects.some(has)) return `it has no effect; give one of ${effects.join(', ')}`;
  const isBodiless = bodiless.includes(status) && ofBody.length > 0;
  return isBodiless ? `responses of this status have no body; leave out ${ofBody.join(', ')}` : undefined;
}

/** Throws a RangeError for a fault that is invalid or has a member without effect. */
export function checkedFault(given: unknown, what = 'A fault'): Fault {
  const fault = checked(what, faultSchema, given);
  const problem = idleMember(fault);
  if (problem !== undefined) throw new RangeError(`${what}: ${problem}.`);
  return fault;
}

/** Statuses whose responses never have a body. */
const bodiless: readonly number[] = [204, 205, 304];

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

/** Applies the body, headers, changes and delivery of a fault to a response. */
export function withFault(response: StubResponse, fault: Fault, latencyMs: number | undefined): StubResponse {
  const { body, headers, change, drop, cutAtBytes = drop && -1, reset, trickleMs } = fault;
  const type = body === undefined ? {} : { 'content-type': 'text/html' };
  const empty = bodiless.includes(response.status) ? '' : response.body;
  const delays = (latencyMs ?? trickleMs ?? cutAtBytes) !== undefined;
  return {
    ...response,
    headers: { ...response.headers, ...type, ...headers },
    body: change === undefined ? (body ?? empty) : changed(empty, change),
    ...(delays && {
      delivery: {
        ...response.delivery,
        ...withoutUndefined({ delayMs: latencyMs, trickleMs, cutAtBytes, resets: reset }),
      },
    }),
  };
}

/** Sets members of a JSON text. Paths that lead through no object or array change nothing. */
function changed(text: string, change: Readonly<Record<string, unknown>>): string {
  const result = parsed(text);
  for (const [path, value] of Object.entries(change)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const parent = names.reduce((at, name) => (Object.hasOwn(Object(at), name) ? Object(at)[name] : undefined), result);
    if (typeof parent === 'object' && parent !== null) Reflect.set(parent, last, value);
  }
  return result === undefined ? text : JSON.stringify(result);
}

/** Properties of a request that faults match. */
export interface Aim {
  /** Tool name. Faults match only valid requests of known tools. */
  readonly tool: string;
  readonly role: Role | undefined;
  /** Returns the arguments; undefined if the body is no JSON. Parsed only if a fault needs them. */
  readonly args: () => unknown;
}

export function meets(fault: Fault, aim: Aim): boolean {
  const { tool = aim.tool, role = aim.role, confirming, args = {} } = fault;
  if (!isToolName(aim.tool) || aim.role === undefined || tool !== aim.tool || role !== aim.role) return false;
  if (confirming === undefined && fault.args === undefined) return true;
  const given = aim.args();
  const isConfirming = aim.tool === 'images.generate' && member(given, 'confirmation_id') !== undefined;
  if (confirming !== undefined && (aim.tool !== 'images.generate' || confirming !== isConfirming)) return false;
  return isPart(args, given);
}

/** Returns whether a value equals another one, or is an object of some of its members. */
function isPart(part: unknown, whole: unknown): boolean {
  if (!isRecord(part)) return isDeepStrictEqual(part, whole);
  return Object.entries(part).every(([name, value]) => isPart(value, member(whole, name)));
}
