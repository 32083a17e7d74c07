import { effects } from '../fixtures/side-effects.ts';
import { gapsOf } from '../reports/gaps.ts';
import type { RunResult } from '../suites/result.ts';
import { shellWords } from '../suites/session/shell.ts';
import type { SelectionOptions } from './selection.ts';

type NextOptions = Pick<SelectionOptions, 'only' | 'skip'> & { config?: string | undefined };

/**
 * Suggests a command that leads to a more complete run. The command has no side effects on the deployment: it only
 * writes a configuration or shows costs. Undefined for a stub, a container, a partial selection, or if no option helps.
 */
export function nextCommand(result: RunResult, { config, ...selected }: NextOptions): string | undefined {
  const { target } = result;
  const isWhole = [selected.only, selected.skip].every((option) => option === undefined);
  if (!['url', 'config'].includes(target.kind) || !isWhole) return undefined;
  if (config === undefined) return shellWords(['tck', 'init', target.baseUrl]);
  const step = gapsOf(result).steps.find(({ missing }) => missing.every(({ kind }) => kind === 'effect'));
  if (step === undefined) return undefined;
  const wanted = step.missing.flatMap((one) => (one.kind === 'effect' ? [one.effect] : []));
  const allow = effects.filter((effect) => target.allow.includes(effect) || wanted.includes(effect));
  return shellWords(['tck', 'plan', '--config', config, '--allow', allow.join(',')]);
}
