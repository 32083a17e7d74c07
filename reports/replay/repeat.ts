import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Topic } from '../../fixtures/requirements/index.ts';
import { roles } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Context } from '../../suites/engine/context.ts';
import type { Answered } from '../../suites/exchange.ts';
import { isRecord } from '../../suites/json.ts';
import type { HeaderList, ReportedExchange } from '../../suites/result.ts';
import type { Call } from '../../suites/session/call.ts';
import type { Target } from '../../suites/target.ts';
import { credentialOf } from './credential.ts';

/** Why a request is not sent again as it was, and the topics whose checks bring about one like it. */
export interface Unrepeatable {
  why: string;
  insteadBy: readonly Topic[];
  /** The effect that those checks have. */
  effect?: Effect;
}

/** Whether a request of a report can be sent again by itself; undefined where it can. */
export function whyNotAgain(exchange: ReportedExchange): Unrepeatable | undefined {
  const { request, response } = exchange;
  if (confirms(exchange)) {
    return {
      why: 'a confirmation works once',
      insteadBy: ['image-proposals', 'confirmations', 'race'],
      effect: 'spending',
    };
  }
  if (response?.status === 429) {
    return { why: 'it was one of a burst that met the rate cap', insteadBy: ['rate-limit'], effect: 'throttling' };
  }
  const texts = [request.url, request.body ?? '', ...request.headers.flat()];
  if (texts.some((text) => text.includes('\ufffd'))) {
    return { why: 'its body was not text, which a report does not keep', insteadBy: [] };
  }
  if (texts.some((text) => placeholders.some((placeholder) => text.includes(placeholder)))) {
    return { why: 'a secret stood in it, which a report does not keep', insteadBy: [] };
  }
  if (placeOf(exchange) === undefined) return { why: 'its address is not one of the tools', insteadBy: [] };
  return undefined;
}

const placeholders = ['secret', ...roles].map((words) => `<${words}>`);

function confirms({ tool, request }: ReportedExchange): boolean {
  const id = argumentsOf(request.body)?.confirmation_id;
  return tool === 'images.generate' && typeof id === 'string' && id !== '';
}

/** Sends a request of a report again, for the same tool with the same credential. The effects that are not allowed stay so. */
export async function sendAgain(t: Context, exchange: ReportedExchange): Promise<Answered> {
  const { request, response, credential: label } = exchange;
  const place = placeOf(exchange);
  const credential = credentialOf(t, label);
  if (place === undefined || credential === undefined) return t.cannot(`the kit knows no credential '${label}'`);
  // A server that dispatched without a confirmation then may do so again.
  if (response?.body.includes('"dispatched"') === true) t.session.budget.require('spending');
  const args = argumentsOf(request.body);
  const asArguments = args !== undefined && JSON.stringify(args) === request.body;
  const options: Omit<Call, 'tool' | 'credential' | 'args'> = {
    ...(place.query === undefined ? {} : { query: place.query }),
    ...(asArguments || request.body === null ? {} : { body: request.body }),
    headers: Object.fromEntries(ownHeaders(request.headers, t.target)),
    method: request.method,
    // What only an observation does is judged by nothing but that it is no 5xx.
    odd: (response?.status ?? 0) >= 500,
  };
  return t.call(place.tool, asArguments ? args : undefined, { ...options, as: credential, fresh: true });
}

/** Headers that the request itself brought. The session adds those of the configuration, of which a report tells secret ones by a variable. */
export function ownHeaders(sent: HeaderList, { headers }: Pick<Target, 'headers'>): HeaderList {
  const added = ['authorization', ...headers.map(({ name }) => name.toLowerCase())];
  return sent.filter(([name, value]) => !added.includes(name) && !/^\$\w+$/.test(value));
}

function placeOf({ tool, request: { url } }: ReportedExchange): { tool: string; query?: string } | undefined {
  if (tool === null) return undefined;
  const [path = '', ...query] = url.split('?');
  if (!path.endsWith(`${toolsPath}${tool}`)) return undefined;
  return query.length === 0 ? { tool } : { tool, query: query.join('?') };
}

function argumentsOf(body: string | null): Readonly<Record<string, unknown>> | undefined {
  if (body === null) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
