import { type RequirementId, requirements, type Topic } from '../../fixtures/requirements/index.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import { type Check, check } from '../../suites/check.ts';
import { checks as allChecks } from '../../suites/checks/index.ts';
import { auditChecks } from '../../suites/engine/audit.ts';
import type { AuditOptions } from '../../suites/engine/options.ts';
import type { Outcome } from '../../suites/engine/outcome.ts';
import type { Answered } from '../../suites/exchange.ts';
import type { Missing, ReportedExchange, RunResult, Status } from '../../suites/result.ts';
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

/** How a check of a requirement ended in a replay. */
export interface Checked {
  requirement: string;
  status: Status;
  reason: string | undefined;
  missing: readonly Missing[];
}

/** The run that a replay makes. */
export interface Again {
  result: RunResult;
  /** The checks of the kit, without those that only send a request again. */
  checked: readonly Checked[];
  /** By the id of the exchange in the report. */
  repeated: ReadonlyMap<number, Repeated>;
}

/**
 * Sends the requests behind findings again, and runs the checks of their requirements, in one run with one budget: so the rules judge the
 * repeated requests too. What cannot be sent by itself, such as a confirmation, is brought about by the checks of its topic.
 */
export async function runAgain(
  target: Target,
  report: RunResult,
  groups: readonly FindingGroup[],
  options: Pick<AuditOptions, 'signal' | 'onEvent' | 'kitVersion'>,
): Promise<Again> {
  const answers = new Map<number, KeptAnswer>();
  const keep = (id: number, { answer }: Answered) => {
    answers.set(id, { status: answer.status, headers: answer.headers, body: answer.text });
  };
  const behind = exchangesBehind(groups, report);
  const repeats = behind.flatMap(({ exchange, requirement }) =>
    whyNotAgain(exchange, target) === undefined ? [repetition(exchange, requirement, keep)] : [],
  );
  const { result, outcomes } = await auditChecks(target, {
    ...options,
    seed: report.seed,
    observe: false,
    only: [...requirementsToCheck(groups, behind, target)],
    checks: [...allChecks, ...repeats],
    flows: true,
  });
  const ended = new Map(outcomes.map((outcome) => [outcome.check.title, checkedAs(outcome)]));
  const repeated = behind.map(({ exchange }): [number, Repeated] => {
    const outcome = ended.get(titleOf(exchange));
    const unrepeatable = whyNotAgain(exchange, target);
    const why = unrepeatable?.why ?? outcome?.reason;
    const lacking = missingOf(unrepeatable?.effect, target);
    return [
      exchange.id,
      {
        before: exchange,
        now: answers.get(exchange.id) ?? null,
        ...(why === undefined ? {} : { why }),
        errored: outcome?.status === 'errored',
        foreign: unrepeatable?.foreign === true,
        missing: outcome?.missing ?? lacking,
      },
    ];
  });
  const own = outcomes.filter(({ check: { title } }) => !title.startsWith(titleBefore));
  return { result, checked: own.map((outcome) => checkedAs(outcome)), repeated: new Map(repeated) };
}

function checkedAs({ check: { requirement }, status, reason, missing = [] }: Outcome): Checked {
  return { requirement, status, reason, missing };
}

function missingOf(effect: Effect | undefined, { allow }: Target): readonly Missing[] {
  return effect === undefined || allow.includes(effect) ? [] : [{ kind: 'effect', effect }];
}

const titleBefore = 'request #';

function titleOf({ id }: ReportedExchange): string {
  return `${titleBefore}${id} again`;
}

function repetition(
  exchange: ReportedExchange,
  requirement: RequirementId,
  keep: (id: number, answered: Answered) => void,
): Check {
  return check({
    requirement,
    title: titleOf(exchange),
    // What spends where it should not ends all spending: the checks come first, and say so.
    needs: { roles: [], alone: ['images.generate', 'credits.balance'].includes(exchange.tool ?? '') ? 'cap' : false },
    run: async (t) => keep(exchange.id, await sendAgain(t, exchange)),
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

function requirementsToCheck(groups: readonly FindingGroup[], behind: readonly Behind[], target: Target): Set<string> {
  const own = groups.flatMap((group) => group.requirements.map(({ id }) => id));
  const topics = behind.flatMap(({ exchange, requirement }) => topicsInstead(exchange, requirement, target));
  return new Set([...own, ...requirements.filter(({ topic }) => topics.includes(topic)).map(({ id }) => id)]);
}

/** Topics whose checks bring about what cannot be sent again; none where those of the requirement itself do. */
function topicsInstead(exchange: ReportedExchange, requirement: RequirementId, target: Target): readonly Topic[] {
  const instead = whyNotAgain(exchange, target)?.insteadBy ?? [];
  const topic = requirement.split('.')[0];
  return topic === 'expiry' || instead.some((each) => each === topic) ? [] : instead;
}
