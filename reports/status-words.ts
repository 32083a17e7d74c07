import type { Severity } from '../fixtures/requirements/model.ts';
import { severityRank } from '../suites/causes/order.ts';
import type { RunResult, Status } from '../suites/result.ts';
import { counted } from '../suites/usage/counted.ts';
import type { Format } from './terminal/layout.ts';

/** Sign and word for each status, for output without colors. */
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

/** Whether a violation does harm beyond a broken contract. */
export function isCritical({ severity }: { readonly severity: Severity }): boolean {
  return severityRank(severity) < severityRank('contract');
}

/** Color of a run. Green is only for a complete run without violations. */
export type Tone = 'good' | 'partial' | 'bad' | 'doubt';

/** Sign, emoji and format for each tone. */
export const tones: Readonly<Record<Tone, { sign: string; emoji: string; format: Format }>> = {
  good: { sign: '✓', emoji: '✅', format: ['green', 'bold'] },
  partial: { sign: '○', emoji: 'ℹ️', format: ['bold'] },
  bad: { sign: '✗', emoji: '❌', format: ['red', 'bold'] },
  doubt: { sign: '?', emoji: '❔', format: ['yellow', 'bold'] },
};

export function toneOf({ verdict, complete, summary }: RunResult): Tone {
  if (verdict === 'conformant' && complete) return 'good';
  if (verdict === 'conformant' || verdict === 'partial') return 'partial';
  return verdict === 'non-conformant' && summary.failed > 0 ? 'bad' : 'doubt';
}

/** Explains the verdict in sentences, for decision makers. */
export function verdictSentence({ verdict, complete, target, summary, interrupted }: RunResult): string {
  const whose = target.kind === 'client' ? 'client' : 'deployment';
  const cut = interrupted ? ' The run was interrupted, so the result is incomplete.' : '';
  if (verdict === 'non-conformant') return `The ${whose} violates the specification.${cut}`;
  if (verdict === 'inconclusive') return `The run cannot tell whether the ${whose} conforms.${cut}`;
  const advice = summary.warned === 0 ? '' : ` ${counted(summary.warned, 'recommendation')} not followed.`;
  if (verdict === 'conformant' && complete) return `The ${whose} conforms to the specification.${advice}`;
  if (verdict === 'conformant') return `The ${whose} meets the selected requirements.${advice}`;
  return `This is a partial result: untested requirements can still be violated.${advice}`;
}

/** Base URL of the deployment. The embedded stub has no address. */
export function deploymentName({ kind, baseUrl }: { readonly kind: string; readonly baseUrl: string }): string {
  return kind === 'stub' ? 'the embedded stub' : baseUrl;
}

/** Name of the deployment with its label. */
export function targetName({ target }: Pick<RunResult, 'target'>): string {
  const name = deploymentName(target);
  return target.label === undefined ? name : `${name} (${target.label})`;
}
