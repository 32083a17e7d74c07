import { z } from 'zod';
import { isToolName, type ToolName } from '../fixtures/contract/tools.ts';
import { roles } from '../fixtures/roles.ts';
import { parsed } from '../suites/json.ts';
import type { ExchangeEvent } from './journal/event.ts';
import { checked, object, whole } from './worlds/checked.ts';
import type { World } from './worlds/world.ts';

const wantedMembers = z
  .strictObject({
    /** Subset of the arguments. Can contain asymmetric matchers. */
    args: object(),
    role: z.enum(roles),
    status: whole(200, 599),
    /** Exact number of requests (default: at least one). */
    times: z.int().min(0),
  })
  .partial();

/** Criteria for the requests that a test expects. */
export type Received = Readonly<z.input<typeof wantedMembers>>;

/** The part of Vitest's matcher state that this module uses. */
interface State {
  readonly isNot: boolean;
  readonly equals: (a: unknown, b: unknown, testers?: never[]) => boolean;
  readonly utils: { readonly iterableEquality: unknown; readonly subsetEquality: unknown };
}

/** Vitest matcher for sandboxes. Throws a TypeError if `source` is not a sandbox. */
export function toHaveReceived(this: State, source: unknown, tool: ToolName, wanted: Received = {}) {
  if (!isSource(source)) throw new TypeError('toHaveReceived: expected a sandbox');
  if (!isToolName(tool)) throw new TypeError(`toHaveReceived: there is no tool '${String(tool)}'`);
  checked('toHaveReceived', wantedMembers, wanted);
  const exchanges = source.journal().events.filter((event) => event.kind === 'exchange');
  const found = exchanges.filter((exchange) => fits.call(this, exchange, { tool, ...wanted }));
  const { times } = wanted;
  return {
    pass: times === undefined ? found.length > 0 : found.length === times,
    message: () => {
      const often = times === undefined ? '' : ` ${times} times, got ${found.length}`;
      const lines = exchanges.slice(-mostLines).map(inOneLine);
      const what = Object.keys(wanted).length === 0 ? '' : ` with ${JSON.stringify(wanted)}`;
      const sought = `${this.isNot ? 'no request' : 'a request'} of ${tool}${what}`;
      return `expected ${sought}${often}; requests:${lines.join('') || ' none'}`;
    },
  };
}

/** Maximum number of requests in a failure message. */
const mostLines = 20;

function isSource(value: unknown): value is Pick<World, 'journal'> {
  return typeof value === 'object' && value !== null && 'journal' in value && typeof value.journal === 'function';
}

function fits(
  this: State,
  exchange: ExchangeEvent,
  { tool, args, role, status }: Received & { readonly tool: ToolName },
): boolean {
  if (exchange.tool !== tool || (role ?? exchange.role) !== exchange.role) return false;
  if (status !== undefined && exchange.answer?.status !== status) return false;
  if (args === undefined) return true;
  const { iterableEquality, subsetEquality } = this.utils;
  const sent = exchange.request.body ?? '{}';
  // Vitest exports no type for its own testers.
  return this.equals(parsed(sent) ?? sent, args, [iterableEquality, subsetEquality] as never[]);
}

function inOneLine({ tool, role, request, answer }: ExchangeEvent): string {
  const sent = `${tool ?? request.path} ${request.body ?? '{}'} by ${role ?? 'an unknown key'}`;
  return `\n  ${sent}: ${answer?.status ?? 'no response'}`;
}
