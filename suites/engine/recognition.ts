import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Credential } from '../exchange.ts';
import type { Steps } from '../flows/steps.ts';
import type { Completed } from '../history/exchange.ts';
import { brief, isRecord, member, shorten } from '../json.ts';
import { Unanswered } from '../session/call.ts';
import { noCredential } from '../session/credentials.ts';
import { TooLarge } from '../session/too-large.ts';

/** Read-only tools, in the order in which they are tried: one that deviates does not make the API another one. */
const tools = ['credits.balance', 'schedule.read', 'connections.status', 'library.search'] as const;

/** Requests that look for the API, at most. */
const mostRequests = 10;

/** Tools that refuse a key before the key is given up: a tool that refuses it by mistake is for the rules to judge. */
const mostRefusals = 2;

/** Responses that do not come from the API, until the search ends. */
const mostForeign = 4;

const charactersShown = 160;

/** What one request shows. */
type Sign =
  | { readonly kind: 'served' }
  | { readonly kind: 'refused'; readonly response: Completed }
  | { readonly kind: 'foreign'; readonly response: Completed }
  | { readonly kind: 'silent'; readonly error: Unanswered };

/**
 * Why nothing can be checked: nobody responds, this is not the API, or it refuses every key. Undefined if a key is
 * served, or if the responses contradict each other. Sends at most ten requests.
 */
export async function troubleWith(t: Steps, served: readonly Role[]): Promise<string | undefined> {
  // Without a key that should be served, one request shows whether the API responds.
  if (served.length === 0) return describe([await probe(t, noCredential, tools[0])], []);
  const signs: Sign[] = [];
  const plan = served.flatMap((role, index) =>
    tools.slice(0, index === 0 ? undefined : mostRefusals).map((tool) => ({ role, tool })),
  );
  const refusalsOf = new Map<Role, number>();
  for (const [index, { role, tool }] of plan.entries()) {
    const refusals = refusalsOf.get(role) ?? 0;
    if (refusals >= mostRefusals) continue;
    const sign = await probe(t, role, tool);
    if (sign.kind === 'served') return undefined;
    signs.push(sign);
    if (sign.kind === 'silent') {
      // Side by side, so that all of them cost one more timeout.
      const rest = plan.slice(index + 1, mostForeign).map((next) => probe(t, next.role, next.tool));
      signs.push(...(await Promise.all(rest)));
      break;
    }
    if (sign.kind === 'refused') refusalsOf.set(role, refusals + 1);
    if (signs.length >= mostRequests || signs.filter(({ kind }) => kind === 'foreign').length >= mostForeign) break;
  }
  return describe(signs, served);
}

async function probe(t: Steps, as: Role | Credential, tool: string): Promise<Sign> {
  const args = tool === 'library.search' ? { query: '' } : {};
  try {
    const response = await t.send('look for the API', { tool, args, as, once: true });
    if (!isOfApi(response)) return { kind: 'foreign', response };
    const { status } = response.response;
    if (status !== 401 && status !== 403) return { kind: 'served' };
    return as === noCredential ? { kind: 'served' } : { kind: 'refused', response };
  } catch (error) {
    // A response that is too large comes from somebody.
    if (error instanceof TooLarge) return { kind: 'served' };
    if (error instanceof Unanswered) return { kind: 'silent', error };
    throw error;
  }
}

/**
 * Whether a response can come from the API. Lenient, because an API with a defect is still the API: its header or one
 * of its envelopes is enough, unless the status says that there is no such tool or that it is elsewhere.
 */
export function isOfApi({ response: { status, headers, json } }: Completed): boolean {
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
  return silent && unreachable(silent.error);
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

function unreachable({ message, exchange }: Unanswered): string {
  return exchange?.problem === null
    ? `the target responds, but serves no request: ${message}`
    : `the target is unreachable: ${message}`;
}

/** The base URL of a request's URL without segments that come twice; undefined if none does. */
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
