import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Completed, Exchange, Headers, Request, Sender } from '../history/exchange.ts';
import type { Knowledge } from '../history/history.ts';
import { isRefusable } from '../history/intermediaries.ts';
import type { Judgement } from '../rules/docket.ts';
import { rules } from '../rules/index.ts';
import { judge } from '../rules/judge.ts';

/** A request and its response, as a test of a rule writes them down. */
export interface Said {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly as?: Role;
  /** Who sent it, where that is not the key of a role. */
  readonly sender?: Sender;
  readonly request?: Partial<Request>;
  readonly status?: number;
  readonly headers?: Headers;
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly invented?: readonly string[];
  readonly odd?: boolean;
  /** Seconds since the beginning; one after the other where absent. */
  readonly at?: number;
  /** Seconds until the response. */
  readonly took?: number;
  /** Seconds by which the clock had been moved. */
  readonly moved?: number;
}

export const knowledge: Knowledge = {
  complete: true,
  onlyClient: true,
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

/** A history of these exchanges, one after the other, a second each. */
export function exchangesOf(all: readonly Said[]): Exchange[] {
  return all.map(
    ({ tool, args = {}, as = 'primary', status = 200, headers = [], body = {}, ...said }, number): Completed => {
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
    },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What one rule says of these exchanges. */
export function judgementOf(id: RequirementId, all: readonly Said[], known: Partial<Knowledge> = {}): Judgement {
  const chosen = rules.filter((rule) => rule.id === id);
  const [judgement] = judge(chosen, { knowledge: { ...knowledge, ...known }, exchanges: exchangesOf(all) });
  if (judgement === undefined) throw new Error(`no rule judges ${id}`);
  if (judgement.broke !== undefined) throw new Error(judgement.broke.reason);
  return judgement;
}

/** In a word: what became of a requirement in a history of these exchanges. */
export function verdictOf(id: RequirementId, ...all: readonly Said[]): 'failed' | 'passed' | 'not tested' {
  const { findings, tested } = judgementOf(id, all);
  if (findings.length > 0) return 'failed';
  return tested > 0 ? 'passed' : 'not tested';
}
