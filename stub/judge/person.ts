import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { PersonAct } from '../../suites/exchange/history.ts';
import { membersOf } from '../../suites/json.ts';
import type { World } from '../worlds/world.ts';

/** Answers of the simulated person: on standard input, on the control plane, and in TCK_PERSON. */
export interface PersonAnswers {
  /** `no-answer`: standard input ends, and the person denies on the control plane. */
  readonly proposals: 'approve' | 'deny' | 'deny-after-fault' | 'no-answer';
  /** Slug of the workspace to pick (default: one that a client is unlikely to guess). */
  readonly pick?: string;
}

/** An answer that the person gave. */
export interface PersonAnswer {
  /** Sequence number of the latest event. */
  readonly number: number;
  readonly at: number;
  readonly act: PersonAct;
  readonly subject: string;
}

const readingMs = 300;

/** Returns TCK_PERSON, for clients that read the answers from the environment. */
export function announced({ proposals, pick }: PersonAnswers): string {
  // If the answers differ, a client must read each of them.
  if (proposals !== 'approve' && proposals !== 'deny') return 'ask';
  return pick === undefined ? proposals : `${proposals},pick=${pick}`;
}

/**
 * Answers proposals and ambiguous workspaces. `say` writes a line to the client after the reading time. `record` adds
 * the answer to the history when the client can read it, also for a proposal that is no longer open.
 */
export function answerFor(
  world: World,
  answers: PersonAnswers,
  say: (line: string) => void,
  record: (answer: PersonAnswer) => void,
): void {
  const { proposals, pick } = answers;
  const saysInAdvance = announced(answers) !== 'ask';
  let isApproving = proposals === 'approve' || proposals === 'deny-after-fault';
  let latest = 0;
  const decide = (act: PersonAct, subject: string): void => {
    record({ number: latest, at: Date.now(), act, subject });
    if (act === 'picked') world.person.picks(subject);
    else if (world.state().proposals.some(({ confirmation_id }) => confirmation_id === subject))
      world.person[act === 'approved' ? 'approve' : 'deny'](subject);
  };
  const answer = (inAdvance: boolean, act: PersonAct, subject: string): void => {
    if (inAdvance) decide(act, subject);
    setTimeout(() => {
      if (!inAdvance) decide(act, subject);
      say({ approved: 'y', denied: 'n', picked: subject }[act]);
    }, readingMs).unref();
  };
  world.watch((event) => {
    latest = event.seq;
    if (event.kind !== 'exchange') return;
    if (proposals === 'deny-after-fault' && event.fault !== null) isApproving = false;
    const { confirmation_id: id, status, code, workspaces } = membersOf(event.answer?.body);
    if (status === 'confirmation_required' && typeof id === 'string')
      answer(saysInAdvance, isApproving ? 'approved' : 'denied', id);
    const asksForWorkspace = code === refusalCodes.workspaceAmbiguous && Array.isArray(workspaces);
    // A client may ask once for requests that are refused together, or once for each.
    if (!asksForWorkspace || proposals === 'no-answer') return;
    answer(saysInAdvance && pick !== undefined, 'picked', pick ?? unlikely(workspaces.map(String)));
  });
}

/** Prefers a choice that is neither first nor last, in the given and in alphabetical order. */
function unlikely(workspaces: readonly string[]): string {
  const sorted = workspaces.toSorted();
  const guesses = [workspaces[0], workspaces.at(-1), sorted[0], sorted.at(-1)];
  return workspaces.find((slug) => !guesses.includes(slug)) ?? workspaces[1] ?? workspaces[0] ?? '';
}
