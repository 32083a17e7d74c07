import { type RequirementId, requirements, type Topic } from '../../fixtures/requirements/index.ts';
import { audit } from '../../suites/engine/audit.ts';
import type { AuditOptions } from '../../suites/engine/options.ts';
import { type Flow, flow } from '../../suites/flows/flow.ts';
import type { Missing, ReportedExchange, RunResult } from '../../suites/result.ts';
import { NotTested } from '../../suites/session/budget.ts';
import { Unanswered } from '../../suites/session/call.ts';
import type { Target } from '../../suites/target.ts';
import type { FindingGroup } from '../findings.ts';
import { knownId } from './chosen.ts';
import { sendAgain, whyNotAgain } from './repeat.ts';

/** An answer as a report holds it. */
export type KeptAnswer = NonNullable<ReportedExchange['response']>;

/** An exchange of the report, and what came of sending its request again. */
export interface Repeated {
  before: ReportedExchange;
  /** Null where it was not sent, or not answered. */
  now: KeptAnswer | null;
  /** Why there is no answer now. */
  why?: string;
  /** It was sent, and no answer came. */
  errored: boolean;
  /** The kit sends nothing like it. */
  foreign: boolean;
  /** What would have to be allowed or configured for it to be sent; empty where nothing would help. */
  missing: readonly Missing[];
}

/** The run that a replay makes. */
export interface Again {
  result: RunResult;
  /** By the id of the exchange in the report. */
  repeated: ReadonlyMap<number, Repeated>;
}

/**
 * Sends the requests behind findings again, and tests their requirements, in one run with one budget: so the rules
 * judge the repeated requests too. What cannot be sent by itself, such as a confirmation, is brought about by the flows
 * of its topic.
 */
export async function runAgain(
  target: Target,
  report: RunResult,
  groups: readonly FindingGroup[],
  options: Pick<AuditOptions, 'signal' | 'onEvent' | 'kitVersion'>,
): Promise<Again> {
  const behind = exchangesBehind(groups, report);
  const repeated = new Map(behind.map(({ exchange }) => [exchange.id, notYet(exchange, target)]));
  const repeatable = behind.filter(({ exchange }) => whyNotAgain(exchange, target) === undefined);
  const result = await audit(target, {
    ...options,
    seed: report.seed,
    observe: false,
    only: [...requirementsToTest(groups, behind, target)],
    flows: repeatable.map(({ exchange }) => repetition(exchange, (came) => repeated.set(exchange.id, came))),
  });
  return { result, repeated };
}

/** What is known of a request before it is sent again. */
function notYet(before: ReportedExchange, target: Target): Repeated {
  const unrepeatable = whyNotAgain(before, target);
  const effect = unrepeatable?.effect;
  return {
    before,
    now: null,
    ...(unrepeatable === undefined ? {} : { why: unrepeatable.why }),
    errored: false,
    foreign: unrepeatable?.foreign === true,
    missing: effect === undefined || target.allow.includes(effect) ? [] : [{ kind: 'effect', effect }],
  };
}

/** Sends one request again, and tells what came of it. */
function repetition(before: ReportedExchange, told: (repeated: Repeated) => void): Flow {
  // What spends where it should not ends all spending: the flows of the kit come first, and say so.
  const lane = ['images.generate', 'credits.balance'].includes(before.tool ?? '') ? 'limits' : 'reading';
  const sofar = { before, now: null, errored: false, foreign: false, missing: [] };
  return flow(`request #${before.id} again`, { lane, needs: { roles: [] }, witnesses: [] }, async (t) => {
    try {
      const { status, headers, text: body } = (await sendAgain(t, before)).response;
      told({
        ...sofar,
        now: { status, headers: [...headers.map(([name, value]): [string, string] => [name, value])], body },
      });
    } catch (error) {
      if (error instanceof NotTested) told({ ...sofar, why: error.message, missing: error.missing });
      else if (error instanceof Unanswered) told({ ...sofar, why: error.message, errored: true });
      else throw error;
    }
  });
}

interface Behind {
  exchange: ReportedExchange;
  requirement: RequirementId;
}

/** Every exchange that shows some finding, with a requirement of which it shows one. */
function exchangesBehind(groups: readonly FindingGroup[], report: RunResult): Behind[] {
  const byId = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const behind = new Map<number, Behind>();
  for (const group of groups) {
    const requirement = knownId(group.requirement.id);
    for (const id of group.exchanges) {
      const exchange = byId.get(id);
      if (requirement !== undefined && exchange !== undefined && !behind.has(id)) {
        behind.set(id, { exchange, requirement });
      }
    }
  }
  return [...behind.values()];
}

function requirementsToTest(groups: readonly FindingGroup[], behind: readonly Behind[], target: Target): Set<string> {
  const own = groups.flatMap((group) => group.requirements.map(({ id }) => id));
  const topics = behind.flatMap(({ exchange, requirement }) => topicsInstead(exchange, requirement, target));
  return new Set([...own, ...requirements.filter(({ topic }) => topics.includes(topic)).map(({ id }) => id)]);
}

/** Topics whose flows bring about what cannot be sent again; none where those of the requirement itself do. */
function topicsInstead(exchange: ReportedExchange, requirement: RequirementId, target: Target): readonly Topic[] {
  const instead = whyNotAgain(exchange, target)?.insteadBy ?? [];
  const topic = requirement.split('.')[0];
  return topic === 'expiry' || instead.some((each) => each === topic) ? [] : instead;
}
