import { isRole, roleEnv } from '../fixtures/roles.ts';
import type { Cause } from '../suites/causes/causes.ts';
import { member, membersOf, parsed } from '../suites/json.ts';
import type { ReportedExchange, RunResult } from '../suites/result.ts';
import {
  curlTo,
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
import { longestBody, pauseBetween, repeatableIn, stepOf } from './chain.ts';
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
const leastPauseMs = 5 * 60_000;

/** A script that repeats the requests of a cause, and shows what was expected and what comes. It decides nothing. */
function scriptOf(cause: Cause, { exchanges, target }: RunResult): string {
  const { finding, chain, costs } = repeatableIn(cause, exchanges);
  const keys = new Set<string>();
  const steps = stepsOf(chain, target.baseUrl, (name) => {
    const key = name.startsWith('TCK_KEY') ? name : `TCK_KEY_${name}`;
    keys.add(key);
    return key;
  }).flatMap(linesOf);
  const names = [...keys].sort();
  const cost = costs.length === 0 ? 'Spends nothing.' : `It may ${costs.join(' and ')}.`;
  const note = (text: string) => sh`# ${word(plain(text, 200))}`;
  return joined(
    [
      sh`#!/usr/bin/env bash`,
      note(cause.title),
      note(`Needs ${['bash', 'curl', 'TCK_BASE_URL', ...names].join(', ')}. ${cost}`),
      sh`set -uo pipefail`,
      sh`: "\${TCK_BASE_URL:?is the deployment to send to}"`,
      ...names.map((key) => sh`: "\${${shellWords([key])}:?is a key or a secret header of the configuration}"`),
      sh`curl() { command curl -q --globoff --path-as-is --max-time 60 "$@"; }`,
      sh`base=\${TCK_BASE_URL%/}`,
      sh`# Shows text of the server in visible ASCII, without keys.`,
      sh`show() {`,
      sh`  local LC_ALL=C key text=\${1//$'\\r'/}`,
      sh`  for key in ${joined(names.map((key) => word(variable(key))))}; do text=\${text//"$key"/(key)}; done`,
      sh`  ((\${#text} <= 4000)) || text="\${text:0:2000} [...] \${text: -2000}"`,
      sh`  printf '%s\\n' "\${text//[^ -~$'\\n']/?}"`,
      sh`}`,
      sh`issued='"confirmation_id" *: *"([^"]+)"'`,
      sh`id_of() { [[ $1 =~ $issued ]] && printf %s "\${BASH_REMATCH[1]}"; }`,
      ...(costs.length > 0 ? [sh`${say(`${cost} Continue? [y/N]`)}; read -r go; [[ $go == [yY]* ]] || exit 0`] : []),
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

const say = (text: string) => sh`echo ${word(plain(text))}`;

type Rename = (name: string) => string;

/** Equal requests in a row, or simultaneous requests. */
interface Step {
  readonly number: number;
  readonly first: ReportedExchange;
  count: number;
  readonly curls: Shell[];
  /** Name of the variable for the confirmation ID that the response issues. */
  idName?: string;
}

/** The last steps of a chain, and earlier ones that issue an ID. */
function stepsOf(chain: readonly ReportedExchange[], baseUrl: string, rename: Rename): Step[] {
  const issued = new Map<string, string>();
  const steps: Step[] = [];
  for (const exchange of chain.slice(-mostSteps * 40)) {
    const curl = curlOf(exchange, baseUrl, issued, rename);
    let step = steps.at(-1);
    const { together } = exchange;
    const isSame = step?.first.together === together && step?.first.step === exchange.step;
    if (step === undefined || !isSame || (together === undefined && !step.curls.includes(curl))) {
      step = { number: steps.length + 1, first: exchange, count: 0, curls: [] };
      steps.push(step);
    }
    step.count += 1;
    if (!step.curls.includes(curl)) step.curls.push(curl);
    const id = member(parsed(exchange.response?.body), 'confirmation_id');
    if (typeof id !== 'string' || id.length < 4 || issued.has(id)) continue;
    step.idName = `id_${step.number}`;
    issued.set(id, step.idName);
  }
  return steps.filter(({ number, idName }) => number > steps.length - mostSteps || idName !== undefined);
}

function linesOf({ number, first, count, curls, idName }: Step, index: number, steps: readonly Step[]): Shell[] {
  const before = steps[index - 1]?.first;
  const pause = before === undefined ? 0 : pauseBetween(before, first);
  const minutes = Math.ceil(pause / 60_000);
  const wait = say(`Let ${minutes} minutes pass, or advance the clock. Then press Enter.`);
  const step = stepOf(first);
  const asked = `${first.tool ?? first.request.method} as ${first.credential}`;
  return [
    ...(pause >= leastPauseMs ? [sh`echo; ${wait}; read -r _`] : []),
    sh`echo; ${say(`${number}. ${step === '' ? asked : `${step}: ${asked}`}`)}`,
    sh`answer=$(${sendingOf(first, Math.max(count, first.together ?? 1), curls)}); show "$answer"`,
    ...(idName === undefined ? [] : [sh`${shellWords([idName])}=$(id_of "$answer")`]),
  ];
}

const changing: readonly (string | null)[] = ['content.create_request', 'images.generate'];

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
  const { method, url, headers, body } = exchange.request;
  const { role } = exchange;
  const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url.replace(/^(?:\w+:\/\/[^/?#]*)?\/?/, '/');
  const bearer = role !== null && isRole(role) ? ['Bearer ', variable(rename(roleEnv(role)))] : undefined;
  const ofHeader = ([name, value]: readonly [string, string]): Shell => {
    const isBearer = bearer !== undefined && name.toLowerCase() === 'authorization';
    const parts = isBearer ? bearer : keysIn(value, rename);
    const line = word(`${name}: `, ...parts);
    return parts.every((part) => typeof part === 'string') ? sh`-H ${line}` : sh`-H @<(printf '%s\\n' ${line})`;
  };
  const sent = body === null ? [] : withId(body.slice(0, longestBody), exchange, issued, rename);
  return joined([
    curlTo(method, word({ expands: sh`$base` }, ...withKeys(path, rename))),
    ...headers.map(ofHeader),
    ...(body === null ? [] : [sh`--data-binary @<(printf %s ${word(...sent)})`]),
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
  const id = variable(name);
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const at = presented.indexOf(issued);
  if (at >= 0) return [inJson(presented.slice(0, at)), id, inJson(presented.slice(at + issued.length))];
  const left = issued.length - presented.length;
  const isPart = left > 0 && left <= issued.length / 2;
  if (isPart && issued.startsWith(presented)) return [shortened(name, '%', left)];
  if (isPart && issued.endsWith(presented)) return [shortened(name, '#', left)];
  if (presented === issued.toUpperCase()) return [output(sh`printf %s ${word(id)} | tr a-z A-Z`)];
  return presented === issued.toLowerCase() ? [output(sh`printf %s ${word(id)} | tr A-Z a-z`)] : undefined;
}
