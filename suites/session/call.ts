import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Credential, Exchange } from '../exchange.ts';

/** A call as a check describes it. */
export interface Call {
  /** The last segment of the path; any text. */
  tool: string;
  credential: Credential;
  /** JSON arguments; leave out for a call without a body. */
  args?: Readonly<Record<string, unknown>>;
  /** A body as it is, instead of `args`. */
  body?: string | Uint8Array;
  headers?: Readonly<Record<string, string>>;
  /** The body is sent in chunks, without its length. */
  chunked?: boolean;
  /** Without the question mark. */
  query?: string;
  method?: string;
  /** Path below the base URL, instead of the tool's. */
  path?: string;
  baseUrl?: string;
  /** An answer 429 is what the call is after: it is neither waited out nor repeated. */
  wants429?: boolean;
  /** Arguments, or `tool`, whose values the kit made up, so that nothing on the deployment has them. */
  invented?: readonly string[];
  /** The open question that it is sent for, and what it tries. */
  observes?: { question: QuestionId; what: string };
  /** It goes out before others that wait: a request of the chain that takes the longest. */
  goesFirst?: boolean;
  /** The flow and the step that send it. */
  step?: string;
  /** It is sent once: a 5xx or a broken connection does not make the kit repeat it. */
  once?: boolean;
  /** Made only to be observed; what the specification does not describe may be answered in any way but a 5xx. */
  odd?: boolean;
}

/** Thrown where a call got no answer; the check that made it cannot be judged. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  // Private, so that whoever prints the error prints no credential.
  readonly #exchange: Exchange | undefined;

  constructor(problem: string, exchange?: Exchange) {
    super(problem);
    this.#exchange = exchange;
  }

  /** The exchange that shows it, where there was one. */
  get exchange(): Exchange | undefined {
    return this.#exchange;
  }
}

/** What a call may do to the deployment, beyond reading: a broken one may run even what it should refuse. */
export function effectOf(call: Pick<Call, 'credential' | 'path' | 'tool'>): Effect | undefined {
  if (!call.credential.good) return undefined;
  // What counts is where the URL leads when it is normalized, not how the name is written.
  const { pathname } = new URL(call.path ?? `${toolsPath}${call.tool}`, 'http://localhost');
  return effectOfTool(pathname.slice(pathname.lastIndexOf('/') + 1));
}

/** What a request to a tool may do beyond reading, with a good key. */
export function effectOfTool(name: string): Effect | undefined {
  if (name === 'content.create_request') return 'writes';
  if (name === 'images.generate') return 'proposals';
  return undefined;
}
