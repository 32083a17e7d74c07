import { clientRules } from '../fixtures/client-rules.ts';
import { type Cause, causesOf } from '../suites/causes/causes.ts';
import { byTopic } from '../suites/causes/order.ts';
import type { ReportedFinding, RequirementResult, RunResult } from '../suites/result.ts';
import { counted } from '../suites/usage/counted.ts';
import { exitCodes, isInconclusive, type RequirementFigures, requirementFigures } from '../suites/verdict.ts';
import { type Answer, chainOf, comparedIn, type Link } from './chain.ts';
import { type Gap, gapsOf } from './gaps.ts';
import { isCritical, type Tone, toneOf, verdictSentence } from './status-words.ts';

/** What every form of a report shows of a run. Built once; the printers only arrange it. */
export interface Report {
  readonly result: RunResult;
  readonly figures: RequirementFigures;
  /** The run in one line: findings and coverage. */
  readonly headline: string;
  readonly tone: Tone;
  /** The verdict in sentences. */
  readonly sentence: string;
  readonly exitCode: number;
  /** The gate in one line. */
  readonly gate: string;
  /** Reasons for missing results. */
  readonly open: readonly string[];
  /** Reasons of a failed gate, beyond those of the verdict. */
  readonly policy: readonly string[];
  /** `3 causes (2 critical)`. */
  readonly causesTitle: string;
  /** The most severe first. */
  readonly causes: readonly ReportCause[];
  /** The cause of each finding. */
  readonly causeOf: ReadonlyMap<ReportedFinding, ReportCause>;
  readonly knownFailures: readonly RequirementResult[];
  readonly errored: readonly ErroredGroup[];
  readonly gaps: readonly Gap[];
  /** Resources that the run left on the deployment, with code between backticks. */
  readonly left: readonly string[];
  /** Requests and images: `136 requests, confirmed 2 images`. */
  readonly traffic: string;
}

/** A cause with its evidence. */
export interface ReportCause extends Cause {
  /** From 1. */
  readonly number: number;
  readonly chain: readonly Link[];
  /** The two responses that must not differ. */
  readonly compared: readonly [Answer, Answer] | undefined;
  /** Path of the script that repeats the requests, relative to the report. Absent if no request can be repeated. */
  readonly script?: string;
  readonly isUnverified: boolean;
  /** What the kit notes, and why the finding is unverified. */
  readonly remarks: readonly string[];
  /** `explains 6 requirements, blocks 2 requirements`. Empty if the cause affects only its own requirement. */
  readonly weight: string;
  /** URL fragment on the page. Contains the requirement ID, so it is stable between runs. */
  readonly anchor: string;
}

/** Requirements without a result, grouped by what their requests met. */
interface ErroredGroup {
  readonly reason: string;
  readonly requirements: readonly string[];
  /** IDs of exchanges that show the reason. */
  readonly exchanges: readonly number[];
}

/** Folder for the scripts that reproduce causes, next to the report. */
export const scriptFolder = 'repro';

export function reportOf(result: RunResult): Report {
  const { requirements, gate, reasons } = result;
  const figures = requirementFigures(requirements);
  const exitCode = exitCodeOfRun(result);
  const causes = reportCauses(result);
  const causesTitle = titleOf(causes);
  return {
    result,
    figures,
    headline: headlineOf(result, figures, causesTitle),
    tone: toneOf(result),
    sentence: verdictSentence(result),
    exitCode,
    gate: exitCode === exitCodes.ok ? 'passed' : `${gate.passed ? 'inconclusive' : 'failed'} (exit code ${exitCode})`,
    open: openReasonsOf(result),
    policy: gate.reasons.filter((reason) => !reasons.includes(reason)),
    causesTitle,
    causes,
    causeOf: new Map(causes.flatMap((cause) => cause.findings.map((finding) => [finding, cause] as const))),
    knownFailures: requirements.filter(({ status }) => status === 'known-failure').toSorted(byTopic),
    errored: erroredGroups(result),
    gaps: gapsOf(result),
    left: leftBehindOf(result),
    traffic: trafficText(result),
  };
}

function leftBehindOf({ leftBehind: { contentRequests, runs, proposals } }: RunResult): string[] {
  return [
    ...contentRequests.map(({ pieceId, workspace, title }) => {
      return `content request \`${pieceId}\` in \`${workspace}\`${title === null ? '' : `: ${title}`}`;
    }),
    ...runs.map((run) => `${counted(run.images, 'image')} of run \`${run.runId}\` in \`${run.workspace}\``),
    ...(proposals > 0 ? [`${counted(proposals, 'proposal')}, not confirmed; they expire`] : []),
  ];
}

/**
 * Numbers of requests, and of confirmed, requested and possibly spent images. For a judged client, numbers of scenarios
 * and of dispatched images.
 */
function trafficText({ summary, target }: RunResult): string {
  const { imagesRequested, imagesConfirmed, imagesWorstCase } = summary;
  const requests = counted(summary.requests, 'request');
  const scenarios = target.scenarios === undefined ? '' : `${counted(target.scenarios.length, 'scenario')}, `;
  if (target.kind === 'client') return `${scenarios}${requests}, ${counted(imagesConfirmed, 'image')} dispatched`;
  if (imagesRequested + imagesWorstCase === 0) return requests;
  const reported = `${imagesConfirmed} reported as dispatched, at most ${imagesWorstCase} charged`;
  return `${requests}, confirmed ${counted(imagesRequested, 'image')} (${reported})`;
}

/** Exit code of a run. A failed gate takes precedence over open questions. */
function exitCodeOfRun(result: RunResult): number {
  if (!result.gate.passed) return exitCodes.failed;
  return isInconclusive(result) ? exitCodes.inconclusive : exitCodes.ok;
}

/** `98 of 236 tested`, with the number of errored requirements if there are any. */
export function testedText({ tested, total, errored }: RequirementFigures): string {
  return `${tested} of ${total} tested${errored > 0 ? `, ${errored} errored` : ''}`;
}

function headlineOf({ verdict, complete }: RunResult, figures: RequirementFigures, causesTitle: string): string {
  const tested = testedText(figures);
  const { failed, knownFailures } = figures;
  if (verdict === 'inconclusive') return `Inconclusive, ${tested}`;
  if (verdict !== 'non-conformant') {
    return verdict === 'conformant' && complete ? `Conformant, ${tested}` : `No violations found, ${tested}`;
  }
  const failures = failed > 0 ? [causesTitle, `${counted(failed, 'requirement')} failed`] : [];
  const known = knownFailures > 0 ? [counted(knownFailures, 'known failure')] : [];
  return `Non-conformant: ${[...failures, ...known, tested].join(', ')}`;
}

/** Parentheses make clear that the second number has the same unit. */
function titleOf(causes: readonly Cause[]): string {
  const critical = causes.filter((cause) => cause.status === 'failed' && isCritical(cause)).length;
  return `${counted(causes.length, 'cause')}${critical > 0 ? ` (${critical} critical)` : ''}`;
}

/** A reason that stopped part of the run includes the number of untested requirements. */
function openReasonsOf({ verdict, reasons, trouble, requirements }: RunResult): string[] {
  // Violations are listed as findings.
  const open = verdict === 'non-conformant' ? trouble : reasons;
  return open.map((text) => {
    const blocked = requirements.filter(({ reason }) => reason === text).length;
    return blocked === 0 ? text : `${counted(blocked, 'requirement was', 'requirements were')} not tested: ${text}`;
  });
}

function reportCauses(result: RunResult): ReportCause[] {
  const taken = new Map<string, number>();
  return causesOf(result).map((cause, index) => {
    const { finding, requirement, requirements, blocks } = cause;
    const chain = chainOf(finding, result.exchanges);
    const same = (taken.get(requirement.id) ?? 0) + 1;
    taken.set(requirement.id, same);
    const weight = [
      ...(requirements.length > 1 ? [`explains ${requirements.length} requirements`] : []),
      ...(blocks > 0 ? [`blocks ${counted(blocks, 'requirement')}`] : []),
    ];
    return {
      ...cause,
      number: index + 1,
      chain,
      // A client's requests may have different responses.
      compared: Object.hasOwn(clientRules, requirement.id) ? undefined : comparedIn(chain),
      ...(chain.some(({ exchange }) => exchange.curl !== '') ? { script: `${scriptFolder}/${index + 1}.sh` } : {}),
      isUnverified: finding.unverified === true,
      remarks: remarksOf(finding),
      weight: weight.join(', '),
      anchor: same === 1 ? requirement.id : `${requirement.id}-${same}`,
    };
  });
}

/** What the kit notes on a finding, and why the finding is unverified. */
export function remarksOf({ note, unverified }: ReportedFinding): string[] {
  return [
    ...(note === undefined ? [] : [note]),
    ...(unverified === true
      ? ['Unverified: something else, such as another client, a limit or the network, could have caused this.']
      : []),
  ];
}

/** Groups errored requirements: by what the exchange met, otherwise by reason. */
function erroredGroups({ requirements, exchanges }: RunResult): ErroredGroup[] {
  const met = new Map(exchanges.map(({ id, problem, response }) => [id, problem ?? `HTTP ${response?.status}`]));
  const errored = requirements.filter(({ status }) => status === 'errored').toSorted(byTopic);
  const reasonOf = ({ reason = 'the report does not say why' }: RequirementResult) => reason;
  const groups = Map.groupBy(errored, (each) => met.get(each.exchanges?.[0] ?? 0) ?? reasonOf(each));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => ({
      reason: reasonOf(first),
      requirements: group.map(({ id }) => id),
      exchanges: [...new Set(group.flatMap((each) => each.exchanges ?? []))].sort((a, b) => a - b),
    })),
  );
}
