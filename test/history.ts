import type { RequirementId } from '../fixtures/requirements/model.ts';
import type { Role } from '../fixtures/roles.ts';
import type { Completed, Exchange, Headers, Request, Sender } from '../suites/exchange/exchange.ts';
import type { Knowledge } from '../suites/exchange/history.ts';
import { isRefusable } from '../suites/exchange/intermediaries.ts';
import { parsed } from '../suites/json.ts';
import { judge } from '../suites/model/judge/judge.ts';
import type { Judgement } from '../suites/model/judge/judgement.ts';
import { rules } from '../suites/topics/index.ts';

/** A request and its response, as tests of rules write them. */
export interface Said {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly as?: Role;
  /** Sender, unless it is the key of a role. */
  readonly sender?: Sender;
  readonly request?: Partial<Request>;
  readonly status?: number;
  readonly headers?: Headers;
  /** A string is used unchanged, any other value becomes JSON. */
  readonly body?: unknown;
  readonly invented?: readonly string[];
  readonly odd?: boolean;
  /** Seconds since the start. Default: one second after the previous exchange. */
  readonly at?: number;
  /** Seconds until the response arrives. */
  readonly took?: number;
  /** Seconds by which the clock had been advanced. */
  readonly moved?: number;
}

export const knowledge: Knowledge = {
  complete: true,
  clock: true,
  clockShared: false,
  roles: true,
  headers: true,
  startedAt: Date.UTC(2027, 0, 4),
  accounts: { otherAccount: 'other' },
  workspaces: [
    { account: 'own', workspace: 'north' },
    { account: 'other', workspace: 'harbour' },
  ],
  boards: [],
};

/** Returns an exchange that was never sent. */
export function answered(given: Partial<Said> = {}, number = 0): Completed {
  const { tool = 'schedule.read', args = {}, as = 'primary', status = 200, headers = [], body = {}, ...said } = given;
  const { at = number, took = 0.5, moved = 0, invented = [], odd = false } = said;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request: Request = {
    method: 'POST',
    url: `http://stub.invalid/api/v1/tools/${tool}`,
    tool,
    headers: [['content-type', 'application/json']],
    body: JSON.stringify(args),
    args,
    ...said.request,
  };
  return {
    kind: 'exchange',
    number,
    sender: said.sender ?? { label: as, kind: 'key', role: as },
    request,
    response: { status, headers, text, json: parsed(text) },
    sentAt: at * 1000,
    receivedAt: (at + took) * 1000,
    clockMoved: moved * 1000,
    together: 1,
    invented,
    observes: null,
    odd,
    refusable: isRefusable(request),
  };
}

/** Returns these exchanges in order, by default one per second. */
export const exchangesOf = (all: readonly Said[]): Exchange[] => all.map((said, number) => answered(said, number));

/** Returns the judgement of one rule on these exchanges. */
export function judgementOf(id: RequirementId, all: readonly Said[], known: Partial<Knowledge> = {}): Judgement {
  const chosen = rules.filter((rule) => rule.id === id);
  const [judgement] = judge(chosen, { knowledge: { ...knowledge, ...known }, exchanges: exchangesOf(all) });
  if (judgement === undefined) throw new Error(`no rule judges ${id}`);
  if (judgement.broke !== undefined) throw new Error(judgement.broke.reason);
  return judgement;
}

/** Returns the result of a requirement for these exchanges. */
export function verdictOf(id: RequirementId, ...all: readonly Said[]): 'failed' | 'passed' | 'not tested' {
  const { findings, tested } = judgementOf(id, all);
  if (findings.length > 0) return 'failed';
  return tested > 0 ? 'passed' : 'not tested';
}
