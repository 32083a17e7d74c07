import { roles } from '../../fixtures/roles.ts';
import type { ReportedExchange } from '../../suites/result.ts';
import { quoted } from '../../suites/session/curl.ts';
import { pauseBetween, stepOf } from '../chain.ts';
import { argumentsOf, responseMember } from './conditions.ts';
import { credentialOf } from './credential.ts';

/** Script lines that repeat exchanges of a report, in order. */
export interface Sending {
  readonly lines: readonly string[];
  /** Step number of each exchange, by ID. */
  readonly steps: ReadonlyMap<number, number>;
  /** Environment variables that the lines use. */
  readonly variables: ReadonlySet<string>;
  /** Number of simultaneous requests in a step that sends its request several times. */
  readonly together: number;
}

export interface Story {
  readonly exchanges: readonly ReportedExchange[];
  /** The valid twin of the request, which is sent first. */
  readonly twin: ReportedExchange | undefined;
  /** The exchange that shows the violation. */
  readonly judged: ReportedExchange;
  /** The last request waits for the time in the previous 429. */
  readonly waits: boolean;
}

/** Maximum length of a body in a script, in characters. */
const longestBody = 60_000;

/** Shorter pauses come from other requests of the run and are not part of the story. */
const leastPause = 5 * 60_000;

/** Placeholders for secrets in a report. */
const placeholders = ['secret', ...roles].map((words) => `<${words}>`);

/** Script lines that repeat a story, or the reason why this is impossible. */
export function sendingOf(story: Story, baseUrl: string): Sending | string {
  const lines: string[] = [];
  const steps = new Map<number, number>();
  const variables = new Set<string>();
  const taken = new Set<number>();
  const all = withoutRepetitions([...(story.twin === undefined ? [] : [story.twin]), ...story.exchanges]);
  let before: ReportedExchange | undefined;
  for (const exchange of all) {
    const number = steps.size + 1;
    const request = requestOf(exchange, baseUrl);
    if (typeof request === 'string') return `request #${exchange.id} ${request}`;
    const pause = before === undefined || exchange === story.twin ? 0 : pauseBetween(before, exchange);
    if (pause >= leastPause) lines.push(`pass ${Math.ceil(pause / 1000)}`);
    const over = before?.response?.status === 429 ? steps.get(before.id) : undefined;
    if (story.waits && exchange === story.judged && over !== undefined) lines.push(`wait_as_asked ${over}`);
    const role = exchange === story.twin ? ', without the error' : '';
    const label = `${exchange.tool ?? 'another path'} as ${exchange.credential}${role}`;
    const name = exchange === story.twin ? '' : stepOf(exchange);
    const id = idOf(exchange, all, steps);
    if (id !== undefined && !taken.has(id.step)) {
      taken.add(id.step);
      const missing = quoted(`step ${id.step} has to return a confirmation_id`);
      lines.push(`id_${id.step}=$(text ${id.step} .confirmation_id) || undecided ${missing}`);
    }
    const isOver = lines.some((line) => line.startsWith('exhaust'));
    lines.push(
      `step ${number} ${quoted(name === '' ? label : `${name}: ${label}`)}`,
      ...request.headers.map((header) => `header ${header}`),
      ...bodyLines(exchange, id),
      `${isOver ? 'send' : sendOf(exchange)} ${exchange.request.method} ${request.url}`,
    );
    const isOne = exchange.together === undefined && exchange !== story.judged;
    if (isOne && hasSucceeded(exchange)) lines.push(`succeeded ${number}`);
    for (const name of request.variables) variables.add(name);
    steps.set(exchange.id, number);
    if (exchange !== story.twin) before = exchange;
  }
  // Simultaneous requests are one step.
  const last = Math.max(...steps.values());
  for (const { id } of story.exchanges) if (!steps.has(id)) steps.set(id, last);
  return { lines, steps, variables, together: story.judged.together ?? 1 };
}

export function hasSucceeded(exchange: ReportedExchange): boolean {
  return responseMember(exchange, 'ok') === true;
}

function sendOf({ response, together }: ReportedExchange): string {
  if (response?.status === 429) return 'exhaust';
  return together === undefined ? 'send' : `send_together ${together}`;
}

/** Keeps only the first of identical simultaneous requests. */
function withoutRepetitions(exchanges: readonly ReportedExchange[]): ReportedExchange[] {
  return exchanges.filter((exchange, index) => {
    if (exchange.together === undefined) return true;
    const first = exchanges.findIndex(
      (each) => each.together === exchange.together && each.request.body === exchange.request.body,
    );
    return first === index;
  });
}

interface ScriptRequest {
  readonly url: string;
  readonly headers: readonly string[];
  readonly variables: readonly string[];
}

/** URL and headers in shell syntax, or the reason why the request cannot be repeated. */
function requestOf({ request, response, curl }: ReportedExchange, baseUrl: string): ScriptRequest | string {
  const credential = credentialOf(curl);
  if (credential === undefined) return 'has a credential that a script cannot send';
  if (response === null) return 'has no response in the report';
  if (!/^(POST|GET|PUT|PATCH|DELETE)$/.test(request.method)) return `has the method ${JSON.stringify(request.method)}`;
  const body = request.body ?? '';
  if (body.length > longestBody || body.includes('\0')) return 'has a body that a script cannot hold';
  const texts = [body, ...request.headers.flat(), ...(credential.url === undefined ? [request.url] : [])];
  if (texts.some((text) => text.includes('\ufffd'))) return 'is not text, so the report does not have it';
  if (texts.some((text) => placeholders.some((placeholder) => text.includes(placeholder)))) {
    return 'contains a secret, so the report does not have it';
  }
  const carriers = new Set([
    'authorization',
    ...credential.headers.map((words) => words.split(':', 1)[0]?.toLowerCase()),
  ]);
  const configured = request.headers
    .filter(([name]) => !carriers.has(name.toLowerCase()))
    .map(([name, value]) => configuredHeader(name, value));
  return {
    url: addressOf(credential.url, request.url, baseUrl),
    headers: [...credential.headers.map((words) => `"${words}"`), ...configured.map(({ word }) => word)],
    variables: [...credential.variables, ...configured.flatMap(({ variable }) => variable ?? [])],
  };
}

/** A configured header in shell syntax. The report shows a secret value as a variable. */
function configuredHeader(name: string, value: string): { word: string; variable?: string } {
  const variable = /^\$([A-Za-z_]\w*)$/.exec(value)?.[1];
  if (variable === undefined || !/^[\w-]+$/.test(name)) return { word: quoted(`${name}: ${value}`) };
  return { word: `"${name}: $${variable}"`, variable };
}

/** URL relative to the base URL, which users of the script can replace. `words` is the URL if it contains a key. */
function addressOf(words: string | undefined, url: string, baseUrl: string): string {
  if (words !== undefined) {
    return words.startsWith(`${baseUrl}/`) ? `"$base"${`"${words.slice(baseUrl.length)}"`}` : `"${words}"`;
  }
  return url.startsWith(`${baseUrl}/`) ? `"$base"${quoted(url.slice(baseUrl.length))}` : quoted(url);
}

/** Source of a confirmation ID in a request. */
interface PresentedId {
  readonly step: number;
  /** The ID of the report as JSON. */
  readonly written: string;
  /** Shell expression for the new ID. */
  readonly words: string;
}

/** Undefined if the request has no confirmation ID, or no step of the story returns the ID. */
function idOf(
  exchange: ReportedExchange,
  story: readonly ReportedExchange[],
  steps: ReadonlyMap<number, number>,
): PresentedId | undefined {
  const presented = argumentsOf(exchange).confirmation_id;
  if (typeof presented !== 'string' || presented === '') return undefined;
  for (const proposal of story) {
    const step = steps.get(proposal.id);
    const issued = responseMember(proposal, 'confirmation_id');
    if (step === undefined || typeof issued !== 'string' || issued === '') continue;
    const words = madeFrom(presented, issued, `id_${step}`);
    if (words !== undefined) return { step, written: JSON.stringify(presented), words };
  }
  return undefined;
}

/** Shell expression that derives a presented ID from the issued ID: extended, shortened or in another case. */
function madeFrom(presented: string, issued: string, name: string): string | undefined {
  const at = presented.indexOf(issued);
  if (at >= 0) {
    const [before, after] = [presented.slice(0, at), presented.slice(at + issued.length)];
    return `${quoted(inJson(before))}"$${name}"${quoted(inJson(after))}`;
  }
  const left = issued.length - presented.length;
  if (left > 0 && left <= issued.length / 2) {
    if (issued.startsWith(presented)) return `"\${${name}%${'?'.repeat(left)}}"`;
    if (issued.endsWith(presented)) return `"\${${name}#${'?'.repeat(left)}}"`;
  }
  if (presented === issued.toUpperCase()) return `"$(printf %s "$${name}" | tr 'a-z' 'A-Z')"`;
  return presented === issued.toLowerCase() ? `"$(printf %s "$${name}" | tr 'A-Z' 'a-z')"` : undefined;
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function bodyLines({ request: { body } }: ReportedExchange, id: PresentedId | undefined): string[] {
  if (body === null) return [];
  const [before, after, ...more] = id === undefined ? [] : body.split(id.written);
  if (id === undefined || before === undefined || after === undefined || more.length > 0)
    return [`body ${quoted(body)}`];
  return [`body ${quoted(before)} '"'${id.words}'"' ${quoted(after)}`];
}
