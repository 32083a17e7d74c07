import { effectOfTool, isToolName, toolsPath } from '../../fixtures/contract/tools.ts';
import type { Topic } from '../../fixtures/requirements/model.ts';
import { roles, servedRoles } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Completed } from '../../suites/history/exchange.ts';
import { isRecord } from '../../suites/json.ts';
import type { ReportedExchange } from '../../suites/result.ts';
import { noCredential } from '../../suites/session/credentials.ts';
import type { Target } from '../../suites/target.ts';
import { otherMethods } from '../../suites/topics/open-questions/boundary.ts';
import type { Steps } from '../../suites/topics/steps.ts';
import { credentialOf } from './credential.ts';

/** Why a request cannot be repeated, and the topics whose stories send a similar request. */
export interface Unrepeatable {
  why: string;
  insteadBy: readonly Topic[];
  /** Side effect of these stories. */
  effect?: Effect;
  /** The kit never sends requests like this one, so the replay is inconclusive. */
  foreign?: true;
}

/**
 * Returns why a request of a report cannot be repeated alone, or undefined if it can. A report can come from anyone, so
 * the kit repeats only requests that it could send itself. Their URLs must name a tool or a clearly unknown tool.
 */
export function whyNotAgain(
  exchange: ReportedExchange,
  { headers }: Pick<Target, 'headers'>,
): Unrepeatable | undefined {
  const { request, response } = exchange;
  const tool = toolOf(exchange);
  if (tool === undefined) return foreign('its URL is not the URL of a tool');
  if (confirms(exchange)) {
    return {
      why: 'a confirmation ID works once',
      insteadBy: ['image-proposals', 'confirmations', 'race'],
      effect: 'spending',
    };
  }
  if (response?.status === 429) {
    return {
      why: 'it is one of many requests that exhausted the rate limit',
      insteadBy: ['rate-limit'],
      effect: 'throttling',
    };
  }
  const texts = [request.url, request.body ?? '', ...request.headers.flat()];
  if (texts.some((text) => text.includes('\ufffd'))) return lost('its body was not text, so the report lacks it');
  if (texts.some((text) => placeholders.some((placeholder) => text.includes(placeholder)))) {
    return lost('it contained a secret, so the report lacks it');
  }
  const extra = request.headers.find(([name, value]) => isExtra(name, value, headers));
  if (extra !== undefined) {
    const why = 'the configuration does not have one of its headers';
    return tool === 'images.generate' ? { why, insteadBy: ['image-proposals'], effect: 'proposals' } : foreign(why);
  }
  return whyNotByMethod(exchange) ?? whyNotByBody(exchange, tool);
}

/** The stories of the requirement send a similar request. */
const lost = (why: string): Unrepeatable => ({ why, insteadBy: [] });

const foreign = (why: string): Unrepeatable => ({ why, insteadBy: [], foreign: true });

const placeholders = ['secret', ...roles].map((words) => `<${words}>`);

/**
 * Whether a header is neither a standard header nor from the configuration. Reports show secrets of the configuration
 * as variables.
 */
function isExtra(name: string, value: string, configured: Target['headers']): boolean {
  const known = ['authorization', 'content-type', ...configured.map((each) => each.name.toLowerCase())];
  return !known.includes(name.toLowerCase()) && !/^\$\w+$/.test(value);
}

function whyNotByMethod({ request: { method }, credential }: ReportedExchange): Unrepeatable | undefined {
  if (method === 'POST') return undefined;
  const observed = credential === noCredential.label && otherMethods.some((other) => other === method);
  return observed ? undefined : foreign('the kit sends a key only with POST');
}

/** Only sends arguments that the kit could send, because a lenient server can react to others with side effects. */
function whyNotByBody({ credential, request: { body } }: ReportedExchange, tool: string): Unrepeatable | undefined {
  if (body === null || body === '{}') return undefined;
  if (!isToolName(tool)) return foreign('the kit sends no arguments to an unknown tool');
  if (effectOfTool(tool) === undefined) return undefined;
  if (!servedRoles.some((role) => role === credential))
    return foreign('the kit sends no arguments to this tool without a valid key');
  if (JSON.stringify(argumentsOf(body)) !== body) return foreign('the kit never writes a body in this form');
  return undefined;
}

/** Whether a request is a confirmation, or a server could mistake it for one. */
function confirms({ tool, request }: ReportedExchange): boolean {
  const id = argumentsOf(request.body)?.confirmation_id;
  return tool === 'images.generate' && id !== undefined && id !== null && id !== '';
}

/**
 * Tool name with an unambiguous URL, however a server decodes and normalizes it. Allows a trailing space, which the kit
 * also sends.
 */
const cleanName = /^[\w.~-]+(?:%20)?$/;

/** Tool name in the normalized URL. Undefined if the URL has another path, a query or a fragment. */
function toolOf({ tool, request }: ReportedExchange): string | undefined {
  const url = URL.parse(request.url);
  if (tool === null || url === null || !cleanName.test(tool) || url.search !== '' || url.hash !== '') return undefined;
  // A server that trims names would run a tool with side effects.
  if (tool.endsWith('%20') && effectOfTool(tool.slice(0, -3)) !== undefined) return undefined;
  return url.pathname.endsWith(`${toolsPath}${tool}`) ? tool : undefined;
}

/** Repeats a request of a report with the same tool and credential. Respects the allowed side effects. */
export async function sendAgain(t: Steps, exchange: ReportedExchange): Promise<Completed> {
  const { request, response, credential: label } = exchange;
  const tool = toolOf(exchange);
  const credential = credentialOf(t, label);
  if (tool === undefined || credential === undefined) return t.cannot(`the kit knows no credential '${label}'`);
  if (credential.kind === 'other-scheme' && effectOfTool(tool) !== undefined) {
    return t.cannot('the kit sends a valid key with another scheme only to tools that only read');
  }
  // A server that dispatched without a confirmation may do so again.
  if (response?.body.includes('"dispatched"') === true) t.require('spending');
  const args = argumentsOf(request.body);
  const asArguments = args !== undefined && JSON.stringify(args) === request.body;
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return t.send('send it again', {
    tool,
    ...(asArguments ? { args } : request.body === null ? {} : { body: request.body }),
    // The session adds the configured headers.
    headers: type === undefined ? {} : { 'content-type': type },
    method: request.method,
    // A request that got a 5xx can come from an observation. Only rules for every response judge the repetition.
    odd: (response?.status ?? 0) >= 500,
    as: credential,
  });
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
