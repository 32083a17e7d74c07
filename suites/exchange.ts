import type { Role } from '../fixtures/roles.ts';
import type { CredentialKind } from './history/exchange.ts';
import { isRecord, type JsonRecord } from './json.ts';
import { isOutcomeStatus } from './outcome-status.ts';
import type { HeaderList } from './result.ts';

/** What a call is authorised with. */
export interface Credential {
  /** What kind of credential it is; a key of the role as it is where a role is given and nothing is said. */
  kind?: CredentialKind;
  /** In words, without any secret: `primary`, `no credential`, `primary, one letter more`. */
  label: string;
  /** The role whose key is sent as it is. */
  role?: Role;
  /** Value of the Authorization header, or of what stands in its place; a secret. */
  header?: string;
  /**
   * Other headers that carry it, with commas; behind a question mark the names of query parameters, behind a brace
   * those of members of the body.
   */
  at?: string;
  /** The same value as a shell would write it, with the key as an environment variable. */
  curl?: string;
  /** Whether the deployment is expected to recognise the key, so that a call may have an effect. */
  good: boolean;
}

export type ConfiguredHeader = { name: string } & ({ value: string } | { variable: string });

export interface SentRequest {
  method: string;
  url: string;
  /** The tool named in the path, recognised or not; null for another path. */
  tool: string | null;
  /** Those of the call itself. */
  headers: HeaderList;
  /**
   * Headers of the configuration, which stand on every call, by the value or by the variable that stands for a secret
   * one.
   */
  configured: readonly ConfiguredHeader[];
  /** Null where the body was omitted. */
  body: string | null;
  /** The arguments, where the body is a JSON object. */
  args: JsonRecord | null;
  /** Arguments, or `tool`, whose values the kit made up, so that nothing on the deployment has them. */
  invented?: readonly string[];
  /** The open question that it was sent for, and what it tries. */
  observes?: { question: string; what: string };
  /** The flow and the step that sent it. */
  step?: string;
  /** A call that only an observation makes: other methods, paths or bodies that the specification does not describe. */
  odd: boolean;
}

export interface Answer {
  status: number;
  /** Lower-case names, in the order in which they came. */
  headers: HeaderList;
  text: string;
  /** The parsed body; undefined where it is not JSON. It may be parsed anew each time, so nothing can be left in it. */
  readonly json: unknown;
  /** How many bytes of the body are kept, where it was larger than the kit keeps. */
  cutAtBytes?: number;
  /** What about the body was larger than the kit keeps; only status and headers can then be judged. */
  unread?: string;
}

/** A request and what came of it; without an answer, `problem` says why. */
export interface Exchange {
  /** Order of sending within the run. */
  seq: number;
  credential: Credential;
  request: SentRequest;
  answer: Answer | null;
  problem: string | null;
  /** Milliseconds since the start of the run. */
  atMs: number;
  durationMs: number;
  /** Milliseconds by which the deployment's clock had been moved when it was sent. */
  clockMovedMs?: number;
  /** How many were sent at the same moment on purpose. */
  together?: number;
  /** On a 429 that was not wanted: how long it was waited out. */
  waitedMs?: number;
}

/** An exchange that has an answer; what checks see. */
export type Answered = Exchange & { answer: Answer };

/** The body of an answer where it is a JSON object, otherwise an object without members. */
export function body(exchange: Answered): JsonRecord {
  return isRecord(exchange.answer.json) ? exchange.answer.json : {};
}

export function isSuccess(exchange: Answered): boolean {
  return isOutcomeStatus(exchange.answer.status) && outcomeOf(exchange).ok === true;
}

export function isRefusal(exchange: Answered, code?: string): boolean {
  const { ok, code: actual } = outcomeOf(exchange);
  return isOutcomeStatus(exchange.answer.status) && ok === false && (code === undefined || actual === code);
}

/** What tells the outcome is asked of every response again and again, and is not parsed anew each time. */
const outcomes = new WeakMap<Answer, { ok: unknown; code: unknown }>();

function outcomeOf(exchange: Answered): { ok: unknown; code: unknown } {
  const known = outcomes.get(exchange.answer);
  if (known !== undefined) return known;
  const { ok, code } = body(exchange);
  const outcome = { ok: typeof ok === 'boolean' ? ok : undefined, code: typeof code === 'string' ? code : undefined };
  outcomes.set(exchange.answer, outcome);
  return outcome;
}
