import { type Effect, effectMeanings, effects } from '../fixtures/side-effects.ts';
import { type Assignment, reachOf } from '../suites/init/assign.ts';
import { parseAllow } from '../suites/target/open.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import type { Ask, Stream } from './process/surroundings.ts';

/** Asks for the roles of keys that responses do not reveal. */
export async function askForRoles({ keys, guessed, workspaces }: Assignment, ask: Ask): Promise<void> {
  const pairs = [
    ['revoked', 'expired', 'has expired'],
    ['primary', 'throttled', 'may a run exhaust'],
  ] as const;
  for (const [one, other, what] of pairs) {
    const [key, guess] = [keys[one], keys[other]];
    if (key === undefined || guess === undefined || !guessed.includes(other)) continue;
    const answer = await ask(`Which of ${key.variable} and ${guess.variable} ${what}? [${guess.variable}] `);
    if (answer.trim() !== key.variable) continue;
    Object.assign(keys, { [one]: guess, [other]: key });
    if (one === 'primary') workspaces.splice(0, workspaces.length, ...reachOf(guess));
  }
}

/** Asks for a board of each workspace. The default is the board that read-only requests returned. */
export async function askForBoards(
  { workspaces, otherWorkspace }: Assignment,
  found: Readonly<Record<string, string>>,
  ask: Ask,
): Promise<Record<string, string>> {
  const boards: Record<string, string> = {};
  const shown = (text: string) => text.replace(/\p{C}/gu, '?');
  for (const slug of [...workspaces.slice(0, 2), otherWorkspace ?? []].flat()) {
    const question = `ID of a board in the workspace '${shown(slug)}'? [${shown(found[slug] ?? 'none')}] `;
    const board = (await ask(question)).trim() || found[slug];
    if (board !== undefined) boards[slug] = board;
  }
  return boards;
}

/** Asks for side effects until the answer is valid. */
export async function askForSideEffects(ask: Ask, stdout: Stream): Promise<Effect[]> {
  const known = effects.map((effect) => `  ${effect.padEnd(12)}${effectMeanings[effect]}\n`).join('');
  stdout.write(`Side effects of a run on this deployment:\n${known}`);
  for (;;) {
    const answer = (await ask('Allow which of them, separated by commas, or all? [none] ')).trim();
    try {
      return parseAllow(answer === '' ? 'none' : answer);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      stdout.write(`${error.message.replace(/^--allow: /, '')}\n`);
    }
  }
}
