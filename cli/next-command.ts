import { effects } from '../fixtures/side-effects.ts';
import { gapsOf } from '../reports/gaps.ts';
import { kit } from '../suites/kit.ts';
import type { RunResult } from '../suites/result.ts';
import { shellWords } from '../suites/session/shell.ts';
import type { SelectionOptions } from './selection.ts';

interface NextOptions extends Partial<Pick<SelectionOptions, 'only' | 'skip'>> {
  config?: string | undefined;
  insecure?: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The words that start this program again: npm tells whether it ran a script of a checkout, or npx. */
export function programOf({ npm_lifecycle_event: script, npm_command: by }: Env): string[] {
  if (script === 'tck' || script === 'start') return ['npm', 'run', '-s', 'tck', '--'];
  // `npx tck` without an installation is a package of somebody else.
  return by === 'exec' ? ['npx', kit.name] : ['tck'];
}

/** The option without which a command refuses plain HTTP to another machine. */
export const insecureWords = (insecure: boolean): string[] => (insecure ? ['--insecure'] : []);

/**
 * Suggests a command that leads to a more complete run. The command has no side effects on the deployment: it only
 * writes a configuration or shows costs. Undefined for a stub, a container, a partial selection, or if no option helps.
 */
export function nextCommand(
  result: RunResult,
  { config, insecure = false, ...selected }: NextOptions,
  env: Env = {},
): string | undefined {
  const { target } = result;
  const isWhole = [selected.only, selected.skip].every((option) => option === undefined);
  if (!['url', 'config'].includes(target.kind) || !isWhole) return undefined;
  const line = (...words: string[]) => shellWords([...programOf(env), ...words, ...insecureWords(insecure)]);
  if (config === undefined) return line('init', target.baseUrl);
  // The steps of a plan add up, so a later step may need the first one.
  const step = gapsOf(result).find(({ missing }) => missing.length > 0);
  if (step === undefined || step.missing.some(({ kind }) => kind !== 'effect')) return undefined;
  const wanted = step.missing.flatMap((one) => (one.kind === 'effect' ? [one.effect] : []));
  const allow = effects.filter((effect) => target.allow.includes(effect) || wanted.includes(effect));
  return line('plan', '--config', config, '--allow', allow.join(','));
}
