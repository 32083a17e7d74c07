import { type ClientRuleId, clientRules } from '../../fixtures/client-rules.ts';
import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import type { ExchangeEvent } from '../../fixtures/journal.ts';
import type { ClientFinding, JudgedRule, Judgement, Session } from '../../fixtures/judgement.ts';
import { firstVersion } from '../../fixtures/requirements/model.ts';
import { isRole, roleEnv } from '../../fixtures/roles.ts';
import { kit } from '../../suites/kit.ts';
import { ordinal } from '../../suites/ordinal.ts';
import type { ReportedExchange, ReportedFinding, RequirementResult, RunResult } from '../../suites/result.ts';
import { curlLine } from '../../suites/session/curl.ts';
import { addedUp, conclude } from '../../suites/verdict.ts';

/** What judging a client came to. */
export interface Judged {
  readonly sessions: readonly Session[];
  readonly judgement: Judgement;
  /** Why the client could not be judged properly, if so. */
  readonly trouble: string | undefined;
}

export interface JudgedRun {
  /** The client as it was started, in words. */
  readonly client: string;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly interrupted: boolean;
}

/** A judgement as the result of a run, so that it is told in the same forms: the rules for clients stand as requirements. */
export function judgedResult({ sessions, judgement, trouble }: Judged, run: JudgedRun): RunResult {
  const { client, seed, startedAt, durationMs, interrupted } = run;
  const exchanges = new Exchanges(sessions);
  const requirements = judgement.rules.filter(isNeeded).map((rule) => requirementOf(rule, exchanges));
  const counts = { ...addedUp([]), requests: exchanges.count };
  const leftBehind = { contentRequests: [], runs: [], proposals: 0 };
  return {
    schemaVersion: 1,
    kit: { name: kit.name, version: kit.version },
    document: { version: documentVersion, contractSha256 },
    target: { baseUrl: client, kind: 'client', roles: [], workspaces: [], allow: [], clock: true },
    seed,
    runId: `seed-${seed}`,
    startedAt: startedAt.toISOString(),
    durationMs,
    notices: noticesOf(sessions, judgement),
    interrupted,
    ...conclude({ requirements, interrupted, trouble: trouble === undefined ? [] : [trouble], counts }),
    requirements,
    outsideReach: [],
    observations: [],
    leftBehind,
    exchanges: exchanges.reported(),
    timeline: exchanges.timeline(),
  };
}

/** What is asked only where no person is seen is not missing where one was. */
function isNeeded({ id, status }: JudgedRule, _index: number, rules: readonly JudgedRule[]): boolean {
  const instead = insteadOf.get(id);
  if (status !== 'not-tested' || instead === undefined) return true;
  return rules.some((other) => other.id === instead && other.status === 'not-tested');
}

const insteadOf: ReadonlyMap<ClientRuleId, ClientRuleId> = new Map([
  ['client-confirmations.time-to-read', 'client-confirmations.approved'],
  ['client-workspaces.choices-shown', 'client-workspaces.chosen-by-a-person'],
]);

function requirementOf({ id, status, reason, findings, more }: JudgedRule, exchanges: Exchanges): RequirementResult {
  const { topic, level, severity, statement, source } = clientRules[id];
  const reported = findings.map((finding, index) => reportedFinding(finding, index === 0 ? more : 0, exchanges));
  const why = reason === undefined ? {} : { reason };
  return {
    id: id satisfies ClientRuleId,
    topic,
    level,
    severity,
    since: firstVersion,
    statement,
    source,
    status,
    ...why,
    durationMs: 0,
    findings: reported,
  };
}

function reportedFinding(
  { expected, actual, hint, evidence }: ClientFinding,
  more: number,
  exchanges: Exchanges,
): ReportedFinding {
  return {
    expected,
    actual: `${actual} (scene: ${evidence.session})`,
    hint,
    exchanges: evidence.events.map((seq) => exchanges.refer(evidence.session, seq)),
    ...(more > 0 ? { times: more + 1 } : {}),
  };
}

function noticesOf(sessions: readonly Session[], { dropped }: Judgement): string[] {
  const ends = sessions.flatMap(({ name, command }) => {
    if (command === undefined || command.exitCode === 0) return [];
    return [`in the scene '${name}' the client ended with ${command.exitCode ?? 'a signal, since it took too long'}`];
  });
  return dropped === 0 ? ends : [...ends, `${dropped} calls were too many to be remembered, and were not judged`];
}

interface Placed {
  readonly session: string;
  readonly event: ExchangeEvent;
  /** Place among the calls of its session, from 1, as findings count them. */
  readonly place: number;
  readonly atMs: number;
}

/** Events of all sessions as exchanges of one run; one session follows the other in time. */
class Exchanges {
  readonly #all: Placed[] = [];
  readonly #referred = new Map<string, number>();

  constructor(sessions: readonly Session[]) {
    let offset = 0;
    for (const { name, events } of sessions) {
      const begin = events[0]?.at ?? 0;
      const calls = events.filter((event) => event.kind === 'exchange');
      for (const [index, event] of calls.entries()) {
        this.#all.push({ session: name, event, place: index + 1, atMs: offset + event.at - begin });
      }
      offset += (events.at(-1)?.at ?? 0) - begin + 1;
    }
  }

  get count(): number {
    return this.#all.length;
  }

  /** Id of an exchange, given out on first mention. */
  refer(session: string, seq: number): number {
    const name = `${session} ${seq}`;
    const id = this.#referred.get(name) ?? this.#referred.size + 1;
    this.#referred.set(name, id);
    return id;
  }

  reported(): ReportedExchange[] {
    return this.#all.flatMap((placed) => {
      const id = this.#referred.get(`${placed.session} ${placed.event.seq}`);
      return id === undefined ? [] : [reportedExchange(id, placed)];
    });
  }

  timeline(): RunResult['timeline'] {
    return this.#all.map(({ session, event, atMs }) => ({
      atMs,
      durationMs: event.delayMs,
      credential: credentialOf(session, event),
      tool: event.tool,
      status: event.delivery === 'whole' ? (event.answer?.status ?? null) : null,
    }));
  }
}

function credentialOf(session: string, { role }: ExchangeEvent): string {
  return `${role ?? 'no key of this world'}, scene: ${session}`;
}

/** Where `tck stub` listens unless told otherwise, so that a curl line can be tried there. */
const usualOrigin = 'http://127.0.0.1:4010';

const problems: Readonly<Record<ExchangeEvent['delivery'], string | null>> = {
  whole: null,
  cut: 'the connection was ended within the answer, on purpose',
  'dropped-before-effect': 'the connection was ended before the call had any effect, on purpose',
  'dropped-after-effect': 'the connection was ended after the call had its effect, on purpose',
};

function reportedExchange(id: number, { session, event, place, atMs }: Placed): ReportedExchange {
  const { method, path, headers, body } = event.request;
  const request = {
    method,
    url: `${usualOrigin}${path}`,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body,
  };
  const label = `${credentialOf(session, event)}, ${ordinal(place)} call`;
  const { answer, role } = event;
  const reached = event.delivery === 'whole' ? answer : null;
  const ofClient = request.headers.filter(([name]) => name === 'content-type' || name === 'authorization');
  const curl = role !== null && isRole(role) ? { curl: `Bearer $${roleEnv(role)}` } : {};
  return {
    id,
    tool: event.tool,
    role,
    credential: label,
    atMs,
    durationMs: event.delayMs,
    request,
    response:
      reached === null
        ? null
        : {
            status: reached.status,
            headers: reached.headers.map(([name, value]) => [name, value]),
            body: reached.body,
          },
    problem: problems[event.delivery],
    curl: curlLine({ ...request, headers: ofClient, configured: [] }, { label, good: role !== null, ...curl }),
  };
}
