import { type Effect, effects } from '../../fixtures/side-effects.ts';
import { didYouMean } from '../usage/nearest.ts';
import { UsageError } from '../usage/usage-error.ts';

/**
 * Parses the side effects of `--allow`: `all`, `none`, or comma-separated names. Returns them in the order of their
 * weight.
 */
export function parseAllow(text: string): Effect[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === 'all') return [...effects];
  if (names.length === 1 && names[0] === 'none') return [];
  for (const name of names) {
    if ((effects as readonly string[]).includes(name)) continue;
    if (name === 'all' || name === 'none')
      throw new UsageError(`--allow: expected '${name}' alone, got it beside side effects`);
    throw new UsageError(
      `--allow: expected all, none or side effects (${effects.join(', ')}), got '${name}'${didYouMean(name, effects)}`,
    );
  }
  return effects.filter((effect) => names.includes(effect));
}
