import type { Requirement, RequirementId, Topic } from '../../fixtures/requirements/model.ts';
import type { Cause } from '../../suites/causes/causes.ts';
import { audit } from '../../suites/engine/audit.ts';
import type { AuditOptions } from '../../suites/engine/options.ts';
import { requirements } from '../../suites/requirements.ts';
import type { Missing, ReportedExchange, RunEvent, RunResult } from '../../suites/result.ts';
import { NotTested } from '../../suites/session/budget.ts';
import { Unanswered } from '../../suites/session/call.ts';
import type { Target } from '../../suites/target.ts';
import { type Story, story } from '../../suites/topics/story.ts';
import { knownId } from './chosen.ts';
import { sendAgain, whyNotAgain } from './repeat.ts';

/** A response in a report. */
export type KeptAnswer = NonNullable<ReportedExchange['response']>;

/** An exchange of the report, and the result of repeating its request. */
export interface Repeated {
  before: ReportedExchange;
  /** Null if the request was not sent or got no response. */
  now: KeptAnswer | null;
  /** Why `now` is null. */
  why?: string;
  /** The request was sent but got no response. */
  errored: boolean;
  /** The kit never sends requests like this one. */
  foreign: boolean;
  /** Stories send a similar request instead. */
  inStory: boolean;
  /** Prerequisites to add so that the request can be sent. Empty if additions do not help. */
  missing: readonly Missing[];
}

/** The run of a replay. */
export interface Again {
  result: RunResult;
  /** By exchange ID in the report. */
  repeated: ReadonlyMap<number, Repeated>;
  /** All requests of stories, in sending order. */
  sent: readonly SentStep[];
}

/** A request that was sent. `text` includes its result: `POST images.generate as primary: 200`. */
export interface SentStep {
  story: string;
  step: string;
  text: string;
}

/**
 * Repeats the requests behind findings and tests their requirements. Both happen in a single run, so one budget applies
 * and the rules also judge the repeated requests. If a request cannot be repeated alone, for example a confirmation,
 * the stories of its topic run instead.
 */
export async function runAgain(
  target: Target,
  report: RunResult,
  causes: readonly Cause[],
  options: Pick<AuditOptions, 'signal' | 'onEvent'>,
): Promise<Again> {
  const behind = exchangesBehind(causes, report, requirements);
  const repeated = new Map(behind.map(({ exchange }) => [exchange.id, notYet(exchange, target)]));
  const repeatable = behind.filter(({ exchange }) => whyNotAgain(exchange, target) === undefined);
  const sent: SentStep[] = [];
  const result = await audit(target, {
    ...options,
    verbose: true,
    onEvent: (event) => {
      options.onEvent?.(event);
      if (event.kind === 'request') sent.push(sentStep(event));
    },
    seed: report.seed,
    observe: false,
    only: [...requirementsToTest(causes, behind, target, requirements)],
    furtherStories: repeatable.map(({ exchange }) => repetition(exchange, (came) => repeated.set(exchange.id, came))),
  });
  return { result, repeated, sent };
}

function sentStep({ step = '', text }: Extract<RunEvent, { kind: 'request' }>): SentStep {
  const end = step.indexOf(': ');
  return { story: step.slice(0, end), step: step.slice(end + 2), text };
}

/** Initial state of a request before it is repeated. */
function notYet(before: ReportedExchange, target: Target): Repeated {
  const unrepeatable = whyNotAgain(before, target);
  const effect = unrepeatable?.effect;
  const missing: Missing[] = effect === undefined || target.allow.includes(effect) ? [] : [{ kind: 'effect', effect }];
  return {
    before,
    now: null,
    ...(unrepeatable === undefined ? {} : { why: unrepeatable.why }),
    errored: false,
    foreign: unrepeatable?.foreign === true,
    inStory: unrepeatable !== undefined && unrepeatable.insteadBy.length > 0 && missing.length === 0,
    missing,
  };
}

/** Name of the story that repeats a request of the report. */
export const nameOfRepetition = (id: number): string => `request #${id} again`;

/** Story that repeats a single request and reports the result. */
function repetition(before: ReportedExchange, told: (repeated: Repeated) => void): Story {
  // An unexpected dispatch stops all spending. The stories of the kit run first and report it.
  const isLast = ['images.generate', 'credits.balance'].includes(before.tool ?? '');
  const sofar = { before, now: null, errored: false, foreign: false, inStory: false, missing: [] };
  return story(nameOfRepetition(before.id), {
    ...(isLast ? { turn: 'last' } : {}),
    needs: { roles: [] },
    steps: async (t) => {
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
    },
  });
}

interface Behind {
  exchange: ReportedExchange;
  requirement: RequirementId;
}

/** All exchanges that show a finding, each with one of the violated requirements. */
function exchangesBehind(causes: readonly Cause[], report: RunResult, requirements: readonly Requirement[]): Behind[] {
  const byId = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const behind = new Map<number, Behind>();
  for (const cause of causes) {
    const requirement = knownId(cause.requirement.id, requirements);
    for (const id of cause.exchanges) {
      const exchange = byId.get(id);
      if (requirement !== undefined && exchange !== undefined && !behind.has(id)) {
        behind.set(id, { exchange, requirement });
      }
    }
  }
  return [...behind.values()];
}

function requirementsToTest(
  causes: readonly Cause[],
  behind: readonly Behind[],
  target: Target,
  requirements: readonly Requirement[],
): Set<string> {
  const own = causes.flatMap((cause) => cause.requirements.map(({ id }) => id));
  const topics = behind.flatMap(({ exchange, requirement }) => topicsInstead(exchange, requirement, target));
  return new Set([
    ...own,
    ...requirements.filter(({ topic }) => topics.some((each) => each === topic)).map(({ id }) => id),
  ]);
}

/** Topics whose stories replace a request that cannot be repeated. Empty if the requirement's own stories do. */
function topicsInstead(exchange: ReportedExchange, requirement: RequirementId, target: Target): readonly Topic[] {
  const instead = whyNotAgain(exchange, target)?.insteadBy ?? [];
  const topic = requirement.split('.')[0];
  return topic === 'expiry' || instead.some((each) => each === topic) ? [] : instead;
}
