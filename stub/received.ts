import type { ToolName } from '../fixtures/contract/tools.ts';
import type { Role } from '../fixtures/roles.ts';
import type { ExchangeEvent, Journal } from './journal/event.ts';

/** Requests that a test looks for. */
export interface Received {
  readonly tool: ToolName;
  /** Members that the arguments have, among others; asymmetric matchers may stand in it. */
  readonly args?: object;
  readonly role?: Role;
  /** Status of the response. */
  readonly status?: number;
  /** How many of them there are; at least one unless given. */
  readonly times?: number;
}

/** As much of vitest's matcher state as is used here. */
interface State {
  readonly isNot: boolean;
  readonly equals: (a: unknown, b: unknown, testers?: never[]) => boolean;
  readonly utils: { readonly iterableEquality: unknown; readonly subsetEquality: unknown };
}

interface Source {
  readonly journal: () => Journal | Promise<Journal>;
}

interface Told {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * A matcher for a sandbox, in this process or behind a control plane: there, it gives a promise. Throws a TypeError for
 * what is no sandbox.
 */
export function toHaveReceived(
  this: State,
  source: unknown,
  tool: ToolName,
  wanted: Omit<Received, 'tool'> = {},
): Told | Promise<Told> {
  if (!isSource(source)) throw new TypeError('toHaveReceived: expected a sandbox');
  const tell = ({ events }: Journal): Told => {
    const exchanges = events.filter((event) => event.kind === 'exchange');
    const found = exchanges.filter((exchange) => fits.call(this, exchange, { tool, ...wanted }));
    const { times } = wanted;
    return {
      pass: times === undefined ? found.length > 0 : found.length === times,
      message: () => {
        const often = times === undefined ? '' : ` ${times} times, got ${found.length}`;
        const lines = exchanges.slice(-mostLines).map((exchange) => `  ${inOneLine(exchange)}`);
        const all = lines.length === 0 ? ['  (none)'] : lines;
        return [`expected ${this.isNot ? 'no request' : 'a request'} of ${tool}${often}; requests:`, ...all].join('\n');
      },
    };
  };
  const journal = source.journal();
  return journal instanceof Promise ? journal.then(tell) : tell(journal);
}

/** The latest requests that a failure shows. */
const mostLines = 20;

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && 'journal' in value && typeof value.journal === 'function';
}

function fits(this: State, exchange: ExchangeEvent, { tool, args, role, status }: Received): boolean {
  if (exchange.tool !== tool || (role ?? exchange.role) !== exchange.role) return false;
  if (status !== undefined && exchange.answer?.status !== status) return false;
  if (args === undefined) return true;
  const { iterableEquality, subsetEquality } = this.utils;
  // Vitest has no name for the type of its own testers.
  return this.equals(argumentsOf(exchange), args, [iterableEquality, subsetEquality] as never[]);
}

function argumentsOf({ request }: ExchangeEvent): unknown {
  try {
    return JSON.parse(request.body ?? '{}');
  } catch {
    return request.body;
  }
}

function inOneLine({ tool, role, request, answer }: ExchangeEvent): string {
  return (
    `${tool ?? request.path} ${request.body ?? '{}'} by ${role ?? 'an unknown key'}: ` +
    `${answer?.status ?? 'no response'}`
  );
}
