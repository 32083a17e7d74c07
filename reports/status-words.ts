import { type Severity, severities } from '../fixtures/requirements/model.ts';
import type { RunResult, Status } from '../suites/result.ts';

/** How a status is shown where there is no colour: a sign of its own, and a word. */
export const statusWords: Readonly<Record<Status, { sign: string; word: string }>> = {
  failed: { sign: '✗', word: 'failed' },
  errored: { sign: '?', word: 'errored' },
  warned: { sign: '!', word: 'warned' },
  'known-failure': { sign: '~', word: 'known failure' },
  'not-tested': { sign: '·', word: 'not tested' },
  passed: { sign: '✓', word: 'passed' },
};

export const severityWords: Readonly<Record<Severity, string>> = {
  security: 'security',
  'spends-money': 'spends money',
  'data-isolation': 'data isolation',
  contract: 'contract',
  cosmetic: 'cosmetic',
};

/** Place of a severity among all, the worst first. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity);
}

/** Whether a violation does harm beyond a broken contract. */
export function isCritical({ severity }: { readonly severity: Severity }): boolean {
  return severityRank(severity) < severityRank('contract');
}

/** How a run is coloured: green is for a complete run without violations only. */
export type Tone = 'good' | 'partial' | 'bad' | 'doubt';

export const toneSigns: Readonly<Record<Tone, string>> = { good: '✓', partial: '○', bad: '✗', doubt: '?' };

export const toneEmoji: Readonly<Record<Tone, string>> = { good: '✅', partial: 'ℹ️', bad: '❌', doubt: '❔' };

export function toneOf({ verdict, complete, summary }: Pick<RunResult, 'verdict' | 'complete' | 'summary'>): Tone {
  if (verdict === 'conformant') return complete ? 'good' : 'partial';
  return verdict === 'non-conformant' && summary.failed > 0 ? 'bad' : 'doubt';
}

/** What a run means to someone who must decide. */
export function verdictSentence(
  result: Pick<RunResult, 'verdict' | 'complete' | 'target' | 'summary' | 'interrupted'>,
): string {
  const { verdict, complete, target, summary, interrupted } = result;
  const whose = target.kind === 'client' ? 'client' : 'deployment';
  const cut = interrupted ? ' The run was interrupted: this is what was found until then.' : '';
  if (verdict === 'non-conformant') return `The ${whose} violates the specification.${cut}`;
  if (verdict === 'inconclusive') return `The run cannot tell whether the ${whose} conforms.${cut}`;
  const advice = summary.warned === 0 ? '' : ` ${counted(summary.warned, 'recommendation')} not followed.`;
  if (complete) return `The ${whose} conforms to the specification.${advice}`;
  return `This is a partial result: what was not tested may still violate the specification.${advice}`;
}

/** The gate in one line, with the exit code where it is not 0. */
export function gateLine({ gate }: Pick<RunResult, 'gate'>, exitCode: number): string {
  if (!gate.passed) return `failed (exit code ${exitCode})`;
  return exitCode === 0 ? 'passed' : `passed, but the run left questions open (exit code ${exitCode})`;
}

/** Why the gate failed, beyond what the verdict says. */
export function policyReasons({ gate, reasons }: Pick<RunResult, 'gate' | 'reasons'>): string[] {
  return gate.reasons.filter((reason) => !reasons.includes(reason));
}

/** `1 image`, `2 images`; the plural may be given where it is not the word with an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `136 requests`; of a client with the scenarios in which they were made: `31 scenarios, 136 requests`. */
export function requestsText({ summary, target: { scenarios } }: Pick<RunResult, 'summary' | 'target'>): string {
  const requests = counted(summary.requests, 'request');
  return scenarios === undefined ? requests : `${counted(scenarios.length, 'scenario')}, ${requests}`;
}

/** The deployment as a reader knows it: the stub within the kit has no address. */
export function deploymentName({ kind, baseUrl }: { readonly kind: string; readonly baseUrl: string }): string {
  return kind === 'stub' ? 'the embedded stub' : baseUrl;
}

/** The name of the deployment, with its label. */
export function targetName({ target }: Pick<RunResult, 'target'>): string {
  const name = deploymentName(target);
  return target.label === undefined ? name : `${name} (${target.label})`;
}

/**
 * Images in three numbers: what the run asked for, what the responses say, and what it may have cost; empty where it
 * asked for none. Of a client only those that were dispatched count.
 */
export function imagesText({ summary, target }: Pick<RunResult, 'summary' | 'target'>): string {
  const { imagesRequested, imagesConfirmed, imagesWorstCase } = summary;
  if (target.kind === 'client') return `${counted(imagesConfirmed, 'image')} dispatched`;
  if (imagesRequested + imagesWorstCase === 0) return '';
  const requested = counted(imagesRequested, 'requested image');
  return `${imagesConfirmed} of ${requested} confirmed, at most ${imagesWorstCase} spent`;
}
