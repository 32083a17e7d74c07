import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { ExchangeEvent } from '../journal/event.ts';
import type { World } from '../worlds/world.ts';

/** How the person of a client answers: over standard input, on the control plane, and in TCK_PERSON. */
export interface PersonAnswers {
  readonly proposals: 'approve' | 'deny';
  /** The workspace that the person names; without one, none that a guess would give. */
  readonly pick?: string;
}

/** Tells the client what the person says on the page, as a line. */
export function passOn(world: World, say: (line: string) => void): void {
  world.watch((event) => {
    if (event.kind !== 'person') return;
    say({ approved: 'y', denied: 'n', picked: event.subject }[event.act]);
  });
}

/** How long the person takes to read. */
const readingMs = 300;

/** Answers what a client asks its person, as soon as the client may ask. `say` writes a line to the client. */
export function answerFor(world: World, { proposals, pick }: PersonAnswers, say: (line: string) => void): void {
  world.watch((event) => {
    if (event.kind !== 'exchange') return;
    const { confirmation_id: id, status, code, workspaces } = bodyOf(event);
    if (status === 'confirmation_required' && typeof id === 'string') later(() => answer(id));
    if (code === refusalCodes.workspaceAmbiguous && Array.isArray(workspaces)) later(() => choose(workspaces));
  });

  const answer = (id: string): void => {
    // One that was confirmed meanwhile, or has expired, waits for nobody.
    if (world.state().proposals.some(({ confirmation_id }) => confirmation_id === id)) world.person[proposals](id);
    say(proposals === 'approve' ? 'y' : 'n');
  };
  const choose = (workspaces: readonly unknown[]): void => {
    const picked = pick ?? unlikely(workspaces.map(String));
    world.person.picks(picked);
    say(picked);
  };
}

const later = (act: () => void) => setTimeout(act, readingMs).unref();

/** The choice that is neither first nor last, of the list and of the alphabet, where there is one. */
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
