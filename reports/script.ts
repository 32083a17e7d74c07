import { isRole, roleEnv } from '../fixtures/roles.ts';
import type { Cause } from '../suites/causes/causes.ts';
import { member, membersOf, parsed } from '../suites/json.ts';
import type { ReportedExchange, ReportedFinding, RunResult } from '../suites/result.ts';
import {
  curlTo,
  type Expansion,
  joined,
  keysIn,
  output,
  type Part,
  type Shell,
  sh,
  shellWords,
  shortened,
  variable,
  word,
} from '../suites/session/shell.ts';
import { counted } from '../suites/usage/counted.ts';
import { pauseBetween, stepOf } from './chain.ts';
import { plain } from './plain.ts';
import type { Report } from './report.ts';

/** Scripts of all causes by path, numbered from 1 in the order of the causes. */
export function scriptsOf({ result, causes }: Report): Record<string, string> {
  return Object.fromEntries(
    causes.flatMap((cause) => (cause.script === undefined ? [] : [[cause.script, scriptOf(cause, result)]])),
  );
}

/** Most steps, so that a script stays short. A chain keeps its last steps. */
const mostSteps = 8;
/** Room for the large array of 10,000 numbers. */
const longestBody = 25_000;
const leastPauseMs = 5 * 60_000;

/** A script that repeats the requests of a cause, and shows what was expected and what comes. It decides nothing. */
export function scriptOf(cause: Cause, { exchanges, target }: Pick<RunResult, 'exchanges' | 'target'>): string {
  const { finding, chain } = writable(cause, exchanges);
  const variables = new Set<string>();
  const steps = stepsOf(chain, target.baseUrl, (name) => {
    const own = name.startsWith('TCK_KEY') ? name : `TCK_KEY_${name}`;
    variables.add(own);
    return own;
  });
  const keys = [...variables].sort();
  const costs = costsOf(chain);
  const cost = costs.length === 0 ? 'Spends nothing.' : `It may ${costs.join(' and ')}.`;
  const say = (text: string) => sh`echo ${word(plain(text))}`;
  const note = (text: string) => sh`# ${word(plain(text, 200))}`;
  return joined(
    [
      sh`#!/usr/bin/env bash`,
      note(cause.title),
      note(`Needs bash, curl, TCK_BASE_URL${keys.map((key) => `, ${key}`).join('')}. ${cost}`),
      sh`set -uo pipefail`,
      sh`: "\${TCK_BASE_URL:?is the deployment to send to}"`,
      ...keys.map((key) => sh`: "\${${shellWords([key])}:?is a key or a secret header of the configuration}"`),
      sh`curl() { command curl -q --globoff --path-as-is --max-time 60 "$@"; }`,
      sh`base=\${TCK_BASE_URL%/}`,
      sh`# Shows text of the server in visible ASCII, without keys.`,
      sh`show() {`,
      sh`  local LC_ALL=C key text=\${1//$'\\r'/}`,
      sh`  for key in ${joined(keys.map((key) => word(variable(key))))}; do text=\${text//"$key"/(key)}; done`,
      sh`  ((\${#text} <= 4000)) || text="\${text:0:2000} [...] \${text: -2000}"`,
      sh`  printf '%s\\n' "\${text//[^ -~$'\\n']/?}"`,
      sh`}`,
      sh`issued='"confirmation_id" *: *"([^"]+)"'`,
      sh`id_of() { [[ $1 =~ $issued ]] && printf %s "\${BASH_REMATCH[1]}"; }`,
      ...(costs.length > 0
        ? [sh`echo ${word(`${cost} Continue? [y/N]`)}; read -r go; [[ $go == [yY]* ]] || exit 0`]
        : []),
      ...steps,
      sh`echo`,
      say(`Expected: ${finding.expected}`),
      say(`The run got: ${finding.actual}`),
      say('To decide whether this is fixed, repeat the run with --last-failed.'),
      sh``,
    ],
    sh`\n`,
  );
}

/** The finding whose requests can be written as text, with the least side effects and the shortest requests. */
function writable({ finding, findings }: Cause, exchanges: readonly ReportedExchange[]) {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const attempts = [finding, ...findings].map((each: ReportedFinding) => {
    const chain = (each.story ?? each.exchanges).flatMap((id) => byId.get(id) ?? []);
    const length = chain.reduce((sum, { request }) => sum + request.url.length + (request.body?.length ?? 0), 0);
    const rank =
      1e6 * Number(!chain.every(isWritable)) + 1e5 * Number(costsOf(chain).length > 0) + Math.min(length, 9e4);
    return { finding: each, chain, rank: chain.length === 0 ? Number.POSITIVE_INFINITY : rank };
  });
  return attempts.reduce((best, each) => (each.rank < best.rank ? each : best));
}

function isWritable({ request: { method, url, headers, body } }: ReportedExchange): boolean {
  const texts = [url, body ?? '', ...headers.flat()];
  return (
    /^[A-Z]+$/.test(method) && (body ?? '').length <= longestBody && !texts.some((text) => /[\0\ufffd]/.test(text))
  );
}

/** What the requests of a chain may cost: `spend credits for 2 images`. */
function costsOf(chain: readonly ReportedExchange[]): string[] {
  const images = chain.reduce((sum, exchange) => sum + imagesOf(exchange), 0);
  const created = chain.filter(({ tool, response }) => tool === createTool && response?.status === 200).length;
  return [
    ...(images > 0 ? [`spend credits for ${counted(images, 'image')}`] : []),
    ...(created > 0 ? [`create ${counted(created, 'content request')}`] : []),
  ];
}

/** Images of a confirmation, or of a proposal that the server dispatched. */
function imagesOf(exchange: ReportedExchange): number {
  const { confirmation_id: id, count } = membersOf(exchange.request.body);
  const isDispatched = typeof member(parsed(exchange.response?.body), 'run_id') === 'string';
  if (id === undefined && !isDispatched) return 0;
  return typeof count === 'number' && count > 0 ? count : 1;
}

const createTool = 'content.create_request';
const changing: readonly (string | null)[] = [createTool, 'images.generate'];

type Rename = (name: string) => string;

/** The steps as `echo` and `curl`. Simultaneous requests and equal requests in a row are one step. */
function stepsOf(chain: readonly ReportedExchange[], baseUrl: string, rename: Rename): Shell[] {
  const issued = new Map<string, string>();
  const groups: { first: ReportedExchange; count: number; curls: Shell[] }[] = [];
  const lines: Shell[] = [];
  let before: ReportedExchange | undefined;
  for (const exchange of chain.slice(-mostSteps * 40)) {
    const curl = curlOf(exchange, baseUrl, issued, rename);
    const last = groups.at(-1);
    const joins = last !== undefined && last.first.together === exchange.together && exchange.step === last.first.step;
    if (joins && (exchange.together !== undefined || last.curls.includes(curl))) {
      last.count += 1;
      if (!last.curls.includes(curl)) last.curls.push(curl);
    } else groups.push({ first: exchange, count: 1, curls: [curl] });
    const id = member(parsed(exchange.response?.body), 'confirmation_id');
    if (typeof id === 'string' && id.length > 3 && !issued.has(id)) issued.set(id, `id_${groups.length}`);
  }
  const from = Math.max(0, groups.length - mostSteps);
  groups.forEach(({ first, count, curls }, index) => {
    if (index < from && ![...issued.values()].includes(`id_${index + 1}`)) return;
    const pause = before === undefined ? 0 : pauseBetween(before, first);
    if (pause >= leastPauseMs) {
      const minutes = String(Math.ceil(pause / 60_000));
      lines.push(
        sh`echo; echo ${word(`Let ${minutes} minutes pass, or advance the clock. Then press Enter.`)}; read -r _`,
      );
    }
    before = first;
    const step = stepOf(first);
    const asked = `${first.tool ?? first.request.method} as ${first.credential}`;
    lines.push(sh`echo; echo ${word(plain(`${index + 1}. ${step === '' ? asked : `${step}: ${asked}`}`))}`);
    lines.push(sh`answer=$(${sendingOf(first, Math.max(count, first.together ?? 1), curls)}); show "$answer"`);
    const name = `id_${index + 1}`;
    if ([...issued.values()].includes(name)) lines.push(sh`${shellWords([name])}=$(id_of "$answer")`);
  });
  return lines;
}

/** One request, several in a row or at once, or as many as a limit allows. */
function sendingOf({ together, tool, response }: ReportedExchange, count: number, curls: readonly Shell[]): Shell {
  const [curl = sh`true`, ...others] = curls;
  const times = (most: number) => sh`for _ in {1..${shellWords([String(most)])}}; do`;
  if (together !== undefined && others.length === 0) return sh`${times(count)} ${curl} & done; wait`;
  if (together !== undefined) return sh`${joined(curls, sh` & `)} & wait`;
  if (response?.status === 429 && !changing.includes(tool)) {
    return sh`${times(1000)} answer=$(${curl}); [[ $answer == HTTP/*' 429'* ]] && break; done; echo "$answer"`;
  }
  return count === 1 ? curl : sh`${times(count)} ${curl}; done`;
}

/** The curl command of an exchange below $base. Keys are in no arguments of a program. */
function curlOf(
  exchange: ReportedExchange,
  baseUrl: string,
  issued: ReadonlyMap<string, string>,
  rename: Rename,
): Shell {
  const { request, role } = exchange;
  const path = request.url.startsWith(`${baseUrl}/`)
    ? request.url.slice(baseUrl.length)
    : request.url.replace(/^(?:\w+:\/\/[^/?#]*)?\/?/, '/');
  const bearer = role !== null && isRole(role) ? [variable(rename(roleEnv(role)))] : undefined;
  const headers = request.headers.map(([name, value]): Part[] =>
    bearer !== undefined && name.toLowerCase() === 'authorization'
      ? [`${name}: Bearer `, ...bearer]
      : [`${name}: `, ...keysIn(value, rename)],
  );
  const body = request.body?.slice(0, longestBody);
  return joined([
    curlTo(
      /^[A-Z]+$/.test(request.method) ? request.method : 'POST',
      word({ expands: sh`$base` }, ...withKeys(path, rename)),
    ),
    ...headers.map((parts) =>
      parts.every((part) => typeof part === 'string')
        ? sh`-H ${word(...parts)}`
        : sh`-H @<(printf '%s\\n' ${word(...parts)})`,
    ),
    ...(body === undefined ? [] : [sh`--data-binary @<(printf %s ${word(...withId(body, exchange, issued, rename))})`]),
  ]);
}

/** Outside of headers, only variables with keys of the kit are expanded. */
function withKeys(text: string, rename: Rename): Part[] {
  return text.includes('$TCK_KEY_') ? keysIn(text, rename) : [text];
}

/** A body in which the ID that an earlier step issued is a variable. */
function withId(body: string, exchange: ReportedExchange, issued: ReadonlyMap<string, string>, rename: Rename): Part[] {
  const presented = membersOf(exchange.request.body).confirmation_id;
  if (typeof presented !== 'string') return withKeys(body, rename);
  const [before = '', ...after] = body.split(JSON.stringify(presented));
  const made = [...issued].map(([id, name]) => madeFrom(presented, id, name)).find((parts) => parts !== undefined);
  if (made === undefined || after.length !== 1) return [body];
  return [`${before}"`, ...made, `"${after.join('')}`];
}

/** How a presented ID was made from an issued one: extended, shortened or in another case. */
function madeFrom(presented: string, issued: string, name: string): Part[] | undefined {
  const id: Expansion = variable(name);
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const at = presented.indexOf(issued);
  if (at >= 0) return [inJson(presented.slice(0, at)), id, inJson(presented.slice(at + issued.length))];
  const left = issued.length - presented.length;
  if (left > 0 && left <= issued.length / 2) {
    if (issued.startsWith(presented)) return [shortened(name, '%', left)];
    if (issued.endsWith(presented)) return [shortened(name, '#', left)];
  }
  const printed = sh`printf %s ${word(id)}`;
  if (presented === issued.toUpperCase()) return [output(sh`${printed} | tr a-z A-Z`)];
  return presented === issued.toLowerCase() ? [output(sh`${printed} | tr A-Z a-z`)] : undefined;
}
