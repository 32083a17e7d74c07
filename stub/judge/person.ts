import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { ExchangeEvent } from '../journal/event.ts';
import type { World } from '../worlds/world.ts';

/** Answers of the simulated person: on standard input, on the control plane, and in TCK_PERSON. */
export interface PersonAnswers {
  readonly proposals: 'approve' | 'deny' | 'deny-after-fault';
  /** Slug of the workspace to pick (default: one that a client is unlikely to guess). */
  readonly pick?: string;
}

const readingMs = 300;

/** Answers proposals and ambiguous workspaces after the reading time. `say` writes a line to the client. */
export function answerFor(world: World, { proposals, pick }: PersonAnswers, say: (line: string) => void): void {
  let isApproving = proposals !== 'deny';
  world.watch((event) => {
    if (event.kind !== 'exchange') return;
    if (proposals === 'deny-after-fault' && event.fault !== null) isApproving = false;
    const { confirmation_id: id, status, code, workspaces } = bodyOf(event);
    if (status === 'confirmation_required' && typeof id === 'string') later(() => answer(id));
    if (code === refusalCodes.workspaceAmbiguous && Array.isArray(workspaces)) later(() => choose(workspaces));
  });

  const answer = (id: string): void => {
    // The proposal may have been confirmed or expired in the meantime.
    if (world.state().proposals.some(({ confirmation_id }) => confirmation_id === id)) {
      world.person[isApproving ? 'approve' : 'deny'](id);
    }
    say(isApproving ? 'y' : 'n');
  };
  const choose = (workspaces: readonly unknown[]): void => {
    const picked = pick ?? unlikely(workspaces.map(String));
    world.person.picks(picked);
    say(picked);
  };
}

const later = (act: () => void) => setTimeout(act, readingMs).unref();

/** Prefers a choice that is neither first nor last, in the given and in alphabetical order. */
function unlikely(workspaces: readonly string[]): string {
  const sorted = workspaces.toSorted();
  const guesses = [workspaces[0], workspaces.at(-1), sorted[0], sorted.at(-1)];
  return workspaces.find((slug) => !guesses.includes(slug)) ?? workspaces[1] ?? workspaces[0] ?? '';
}

function bodyOf({ answer }: ExchangeEvent): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(answer?.body ?? ''));
  } catch {
    return {};
  }
}
