import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { withoutUndefined } from '../json.ts';
import type { Finding } from '../model/finding.ts';
import type { Judgement } from '../model/judge/judgement.ts';
import type { RunEvent, Status } from '../result.ts';
import { Disturbed, type NotTested } from '../session/budget.ts';
import { type SentExchange, TooLarge } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { serviceRefusals } from '../topics/declared/row-witnesses.ts';
import type { Steps } from '../topics/steps.ts';
import type { Story } from '../topics/story.ts';
import { statusReason } from '../usage/counted.ts';
import { describeMissing } from './feasible.ts';
import type { LiveJudge } from './live-judge.ts';
import { type Found, found, grouped, type Outcome } from './requirement-results.ts';

interface OutcomesOptions {
  /** Requirements to report in any case; other requirements are reported only if they fail. */
  readonly selected: ReadonlySet<string>;
  readonly liveJudge: LiveJudge;
  readonly session: Pick<Session, 'exchanges' | 'isInterrupted'>;
  readonly onEvent: (event: RunEvent) => void;
}

/** Combines the judgments of the rules with the endings of the stories. */
export class Outcomes {
  readonly #options: OutcomesOptions;
  readonly #endings: Ending[] = [];
  readonly #announced = new Map<RequirementId, Status>();

  constructor(options: OutcomesOptions) {
    this.#options = options;
  }

  add(ending: Ending): void {
    this.#endings.push(ending);
    this.#announce(ending.story);
  }

  /**
   * Returns whether another run of the story can settle a requirement that other clients may have disturbed: one with
   * a finding in the last run that does not count yet, or, if the run was disturbed, one that the story did not test,
   * or one with a finding that waits for its control.
   */
  isOpen({ story: { witnesses }, impossible, since }: Ending): boolean {
    const isDisturbed = impossible.some((reason) => reason instanceof Disturbed);
    return this.#options.liveJudge.judgements(new Set(witnesses)).some((judgement) => {
      const { findings, unconfirmed, pending = [], tested } = judgement;
      if (findings.length > 0) return false;
      const isMet = (finding: Finding) =>
        finding.refutable?.by === 'others' && finding.exchanges.some(({ number }) => number >= since);
      return unconfirmed.some(isMet) || (isDisturbed && (tested === 0 || pending.some(isMet)));
    });
  }

  /** Faults in stories that only observe, one sentence each. Their questions stay open. */
  get faults(): string[] {
    const broken = this.#endings.filter(({ story, errored }) => story.observes.length > 0 && errored?.isFault === true);
    return broken.map(({ story, errored }) => `${story.name}: ${errored?.reason}`);
  }

  /** Returns the outcome of every requirement. */
  all(): Outcome[] {
    const { liveJudge, selected } = this.#options;
    return liveJudge
      .judgements()
      .map((judgement) => this.#outcome(judgement))
      .filter(({ requirement, status }) => selected.has(requirement) || status === 'failed');
  }

  /** Emits the status of each requirement of a story, once per requirement. */
  #announce({ name, witnesses }: Story): void {
    const open = new Set(witnesses.filter((id) => !this.#announced.has(id)));
    this.#tell(name, this.#options.liveJudge.judgements(open));
  }

  /** Emits the failures that were not emitted before, whatever was emitted of the requirements. */
  announceFailures(title: string): void {
    const failed = this.#options.liveJudge.judgements().filter(({ findings }) => findings.length > 0);
    this.#tell(
      title,
      failed.filter(({ id }) => this.#announced.get(id) !== 'failed'),
    );
  }

  #tell(title: string, judgements: readonly Judgement[]): void {
    for (const judgement of judgements) {
      const { id } = judgement;
      const { status, findings } = this.#outcome(judgement);
      if (status === 'not-tested') continue;
      this.#announced.set(id, status);
      const [first] = findings;
      this.#options.onEvent({
        kind: 'requirement-ended',
        requirement: id,
        title,
        status,
        findings: findings.length,
        ...(first === undefined ? {} : { first: { expected: first.expected, actual: first.actual } }),
      });
    }
  }

  #outcome(judgement: Judgement): Outcome {
    const { id, tested, findings, broke, witness } = judgement;
    const groups = grouped(findings.map(found));
    if (groups.length > 0) return { requirement: id, status: 'failed', findings: groups };
    const unrepeated = this.#unrepeated(judgement);
    if (unrepeated.length > 0) return { requirement: id, status: 'failed', findings: unrepeated };
    if (broke !== undefined) {
      const { reason, exchange } = broke;
      return { requirement: id, status: 'errored', reason, exchanges: [exchange], findings: [] };
    }
    if (tested === 0) return this.#untested(judgement);
    const reason = this.#endings.map(({ remarks }) => remarks.get(id)).find((remark) => remark !== undefined);
    return { requirement: id, status: 'passed', ...withoutUndefined({ reason, witness }), findings: [] };
  }

  /** Returns findings that count although the story could not run again, with a note. */
  #unrepeated({ id, unconfirmed }: Judgement): Found[] {
    const ending = this.#endings.find(
      ({ story, unrepeated }) => unrepeated !== undefined && story.witnesses.includes(id),
    );
    if (ending === undefined) return [];
    const note = `not repeated: ${ending.unrepeated}`;
    const findings = unconfirmed.filter(({ refutable }) => refutable?.by === 'others');
    return grouped(findings.map((finding) => ({ ...found(finding), note })));
  }

  #untested(judgement: Judgement): Outcome {
    const { id } = judgement;
    const { session } = this.#options;
    const endings = this.#endings.filter(({ story }) => story.witnesses.includes(id));
    const errored = endings.find((ending) => ending.errored !== undefined)?.errored;
    if (session.isInterrupted)
      return missingOutcome(id, 'the run ended before it was tested', [{ kind: 'interruption' }]);
    if (errored !== undefined) {
      const { reason, exchange } = errored;
      const tool = exchange?.request.tool;
      // The tool closes the connections of valid requests too, which is a finding of its own.
      if (session.exchanges.some(({ request, closedInARow }) => closedInARow !== undefined && request.tool === tool))
        return missingOutcome(id, `${tool} closes connections, see envelopes.answers-every-request`, []);
      const exchanges = exchange === undefined ? [] : [exchange];
      return { requirement: id, status: 'errored', reason, exchanges, findings: [] };
    }
    return untestedOutcome(judgement, endings, session.exchanges);
  }
}

export interface Ending {
  readonly story: Story;
  /** Number of requests that the run had sent when the story began the last time. */
  readonly since: number;
  readonly impossible: readonly NotTested[];
  readonly remarks: Steps['remarks'];
  /** Why the story could not run again to confirm a finding. */
  readonly unrepeated?: string;
  /** Why the story broke: a missing response, or a fault of the kit. */
  readonly errored?: { readonly reason: string; readonly exchange?: Exchange; readonly isFault: boolean };
}

/**
 * Returns why a requirement was not tested. The most direct reason applies: the rule, a response that shows nothing, an
 * impossible step, then a failed request.
 */
function untestedOutcome(
  { id, deniedBy, declined, prevented, unjudged }: Judgement,
  endings: readonly Ending[],
  sent: readonly SentExchange[],
): Outcome {
  const reasons = endings.flatMap(({ impossible }) => impossible);
  const tooLarge = reasons.find((reason) => reason instanceof TooLarge);
  if (declined !== undefined) return missingOutcome(id, declined, []);
  if (prevented !== undefined) return missingOutcome(id, prevented, []);
  if (deniedBy !== undefined)
    return { ...missingOutcome(id, `precondition not met, see ${deniedBy}`, []), precondition: deniedBy };
  if (tooLarge !== undefined)
    return {
      ...missingOutcome(id, tooLarge.message, tooLarge.missing),
      exchanges: [tooLarge.exchange],
    };
  if (unjudged !== undefined) return { ...missingOutcome(id, unjudged.reason, []), exchanges: [unjudged.exchange] };
  const refusal = serviceRefusals.get(id);
  if (refusal !== undefined) {
    const missing = [{ kind: 'refusal', code: refusal.code }] as const;
    return missingOutcome(id, describeMissing(missing), missing);
  }
  const [first] = reasons.toSorted((a, b) => a.missing.length - b.missing.length);
  if (first !== undefined) return missingOutcome(id, first.message, first.missing);
  const failed = failedRequest(endings, sent);
  const none = 'no response shows whether the requirement holds';
  if (failed === undefined) return missingOutcome(id, none, []);
  const { request, response, problem } = failed;
  const why =
    response === null ? `no response of ${request.tool}: ${problem}` : statusReason(request.tool, response.status);
  return { ...missingOutcome(id, `${none}: ${why}`, []), exchanges: [failed] };
}

/**
 * Returns the first request of these stories without a response, with a 5xx or with a 429. The last
 * stories do not count, because those on rate limits expect a 429.
 */
function failedRequest(endings: readonly Ending[], sent: readonly SentExchange[]): SentExchange | undefined {
  const names = endings.filter(({ story }) => story.turn !== 'last').map(({ story }) => story.name);
  return sent.find(({ story = '', response, problem }) => {
    const isFailed = response === null ? problem !== undefined : response.status === 429 || response.status >= 500;
    return isFailed && names.includes(story);
  });
}

export function missingOutcome(
  requirement: RequirementId,
  reason: string,
  missing: NonNullable<Outcome['missing']>,
): Outcome {
  return { requirement, status: 'not-tested', reason, missing: [...missing], findings: [] };
}
