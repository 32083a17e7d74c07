import { member, parsed } from '../../suites/json.ts';
import { createCore, type StubCore } from '../core.ts';
import { differenceOf } from './compare.ts';
import type { Derived } from './derive.ts';
import type { ToolExchange } from './exchanges.ts';
import { Ids } from './ids.ts';
import { MemberPaths } from './member-paths.ts';

/** A recorded response that the stub does not reproduce. */
export interface Difference {
  readonly entry: number;
  /** Undefined if the reason does not depend on the tool. */
  readonly tool: string | undefined;
  /** What differs, as a clause without a period. */
  readonly what: string;
}

/** Result of sending the recorded requests to the stub. */
export interface Replay {
  /** Number of recorded responses. */
  readonly responses: number;
  readonly reproduced: number;
  readonly differences: readonly Difference[];
  /** Members of recorded responses that the stub does not have, with their tools. */
  readonly unknownMembers: readonly string[];
}

/** Sends the recorded requests to a stub in memory, at the recorded times, and compares the responses. */
export function replay(exchanges: readonly ToolExchange[], derived: Derived, seed: number): Replay {
  const { data, problems, clockOffset } = derived;
  let now = Date.parse(data.now ?? '');
  const stub = createCore({ seed, data, clock: { now: () => now }, journal: false });
  const ids = new Ids(data);
  const paths = new MemberPaths();
  const differences: Difference[] = [];
  for (const exchange of exchanges) {
    now = Math.max(now, Math.round(exchange.at + clockOffset));
    const { entry, tool } = exchange;
    const reason = whyNotSent(exchange, derived);
    if (reason !== undefined) differences.push({ entry, tool: undefined, what: reason });
    const what = reason === undefined ? send(exchange, stub, derived, ids, paths) : undefined;
    const isOfTool = exchange.response?.status === 200;
    if (what !== undefined)
      differences.push({ entry, tool: isOfTool ? tool : undefined, what: problems.get(entry) ?? what });
  }
  const answered = exchanges.filter(({ response }) => response !== null);
  const failed = new Set(differences.map(({ entry }) => entry));
  return {
    responses: answered.length,
    reproduced: answered.filter(({ entry }) => !failed.has(entry)).length,
    differences,
    unknownMembers: paths.unknown(),
  };
}

function whyNotSent({ key, body, response }: ToolExchange, { roles }: Derived): string | undefined {
  if (response === null) return 'request without a response';
  if (response.status === 429) return '429: a recording does not show the rate limit. --rate-limit sets one';
  if (response.status >= 500) return `${response.status}: --fault injects one`;
  if (body === undefined) return 'request without its body';
  return key === null || roles.has(key) ? undefined : 'request with a key beyond the roles of the stub';
}

/** Sends a request to the stub. Returns why the recorded response is not reproduced. */
function send(
  exchange: ToolExchange,
  stub: StubCore,
  { roles }: Derived,
  ids: Ids,
  paths: MemberPaths,
): string | undefined {
  const { key, tool, body = null, args, response } = exchange;
  const role = roles.get(key ?? '');
  const authorization = role === undefined ? 'Bearer of-no-role' : `Bearer ${stub.keys[role]}`;
  const sent = ids.translated(body, args);
  const { status, body: text } = stub.handle({
    method: 'POST',
    path: exchange.path,
    headers: { ...Object.fromEntries(exchange.headers), ...(exchange.hasCredential ? { authorization } : {}) },
    body: sent === null ? null : Buffer.from(sent),
  });
  if (response === null || response.isUnread) return 'the recording lacks the body of the response';
  const json = parsed(text);
  if (response.status === 200 && member(response.json, 'ok') === member(json, 'ok'))
    paths.add(tool, response.json, json);
  return differenceOf(tool, response, { status, json }, ids);
}
