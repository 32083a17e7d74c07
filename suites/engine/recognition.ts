import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import { type Completed, type Exchange, isCompleted, isKeyRefused } from '../exchange/exchange.ts';
import { brief, isRecord, member, shorten } from '../json.ts';
import { type Credential, TooLarge, Unanswered } from '../session/call.ts';
import { noCredential } from '../session/credentials.ts';
import type { Steps } from '../topics/steps.ts';

/** Read-only tools to try in this order. If one tool deviates, another may still show that this is the API. */
const tools = ['credits.balance', 'schedule.read', 'connections.status', 'library.search'] as const;

const mostRequests = 10;

/**
 * Refusals by different tools after which a key counts as refused. A single refusal may be a defect, which the rules
 * report.
 */
const mostRefusals = 2;

/** Responses from another server after which the search ends. */
const mostForeign = 4;

const charactersShown = 160;

type Sign =
  | { readonly kind: 'served' }
  | { readonly kind: 'refused'; readonly response: Completed }
  | { readonly kind: 'foreign'; readonly response: Completed }
  | { readonly kind: 'silent'; readonly error: Unanswered };

/**
 * Returns why nothing can be checked: the target does not respond, is not the API, or refuses every key. Undefined if
 * it serves a key, or if responses contradict each other. Sends at most ten requests.
 */
export async function troubleWith(t: Steps, served: readonly Role[]): Promise<string | undefined> {
  // Without a key that should be served, one request shows whether the API responds.
  if (served.length === 0) return describe([await probe(t, noCredential, tools[0])], []);
  const signs: Sign[] = [];
  const plan = served.flatMap((role, index) =>
    tools.slice(0, index === 0 ? undefined : mostRefusals).map((tool) => ({ role, tool })),
  );
  for (const [index, { role, tool }] of plan.slice(0, mostRequests).entries()) {
    const refusals = signs.filter((sign) => sign.kind === 'refused' && sign.response.sender.role === role);
    if (refusals.length >= mostRefusals) continue;
    const sign = await probe(t, role, tool);
    if (sign.kind === 'served') return undefined;
    signs.push(sign);
    if (sign.kind === 'silent') {
      // Sent simultaneously, so that together they cost only one more timeout.
      const rest = plan.slice(index + 1, mostForeign).map((next) => probe(t, next.role, next.tool));
      signs.push(...(await Promise.all(rest)));
      break;
    }
    if (signs.filter(({ kind }) => kind === 'foreign').length >= mostForeign) break;
  }
  return describe(signs, served);
}

async function probe(t: Steps, as: Role | Credential, tool: string): Promise<Sign> {
  const args = tool === 'library.search' ? { query: '' } : {};
  try {
    const response = await t.send('find the API', { tool, args, as, once: true });
    if (!isOfApi(response)) return { kind: 'foreign', response };
    if (!isKeyRefused(response)) return { kind: 'served' };
    return as === noCredential ? { kind: 'served' } : { kind: 'refused', response };
  } catch (error) {
    if (error instanceof TooLarge) return signOfLarge(error.exchange);
    if (error instanceof Unanswered) return { kind: 'silent', error };
    throw error;
  }
}

/** Of a response that is too large, only the header of the API is evidence: any site can have a large page (R59). */
function signOfLarge(response: Exchange): Sign {
  if (!isCompleted(response) || response.response.headers.some(([name]) => name === responseHeaders.api)) {
    return { kind: 'served' };
  }
  return { kind: 'foreign', response };
}

/**
 * Returns whether a response can come from the API. Lenient, because an API with a defect is still the API: its header
 * or one of its envelopes is enough. A redirect, a 404 and a 405 do not count.
 */
function isOfApi({ response: { status, headers, json } }: Completed): boolean {
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return false;
  if (headers.some(([name]) => name === responseHeaders.api)) return true;
  if (status < 300) return typeof member(json, 'ok') === 'boolean';
  const error = member(json, 'error');
  return status < 500 && isRecord(error) && typeof error.code === 'string' && typeof error.message === 'string';
}

function describe(signs: readonly Sign[], served: readonly Role[]): string | undefined {
  if (signs.some(({ kind }) => kind === 'served')) return undefined;
  const refused = signs.find((sign) => sign.kind === 'refused');
  const silent = signs.find((sign) => sign.kind === 'silent');
  const foreign = signs.find((sign) => sign.kind === 'foreign');
  if (refused !== undefined) return silent === undefined ? refusal(refused.response, served) : undefined;
  if (foreign !== undefined) return notTheApi(foreign.response);
  return silent && withoutResponse(silent.error);
}

function refusal({ response }: Completed, served: readonly Role[]): string {
  const code = member(response.json, 'error', 'code');
  const message = member(response.json, 'error', 'message');
  const said = code === undefined ? firstLine(response.text) : `${brief(code)}, ${brief(message)}`;
  const keys = served.join(', ');
  const advice = 'Check that they are valid for this base URL';
  return `the deployment refuses every key (${keys}) with ${response.status}: ${said}. ${advice}`;
}

function notTheApi({ request, response }: Completed): string {
  const location = response.headers.find(([name]) => name === 'location')?.[1];
  const to = location === undefined ? '' : ` with a redirect to ${brief(location, charactersShown)}`;
  const line = firstLine(response.text);
  const content = line === '' ? 'an empty body' : `a body that begins with ${line}`;
  const better = withoutRepetition(request.url);
  const advice = better === undefined ? '' : `. The URL repeats a path segment. Try the base URL ${better}`;
  return `this is not the API: ${request.url} returned ${response.status}${to} and ${content}${advice}`;
}

function firstLine(text: string): string {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  return shorten(line.trimEnd(), charactersShown);
}

function withoutResponse({ message, exchange }: Unanswered): string {
  return exchange !== undefined && exchange.problem === undefined
    ? `the target responds, but serves no request: ${message}`
    : message;
}

/** Returns the base URL of a request without repeated path segments; undefined if none is repeated. */
export function withoutRepetition(url: string): string | undefined {
  const at = url.lastIndexOf(toolsPath);
  const base = at < 0 ? undefined : URL.parse(url.slice(0, at));
  if (!base) return undefined;
  const ofTools = toolsPath.split('/').filter((segment) => segment !== '');
  const segments = base.pathname.split('/').filter((segment) => segment !== '');
  const end = segments.findIndex((segment) => ofTools.includes(segment));
  const own = end < 0 ? segments : segments.slice(0, end);
  const distinct = own.filter((segment, index) => segment !== own[index - 1]);
  if (distinct.length === segments.length) return undefined;
  return [base.origin, ...distinct].join('/');
}
