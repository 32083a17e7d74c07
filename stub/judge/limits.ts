import type { ClientFinding } from '../../fixtures/judgement.ts';
import { inEach, type Rule } from './rule.ts';
import { asks, type Course, called, evidence, inSeconds, knew, nextAfter, sinceReceipt, type Turn } from './turn.ts';

/** A timer may fire this much early, as seen from here. */
const earlyMs = 25;

interface Limited {
  readonly turn: Turn;
  /** What the answer asks to wait for, from its receipt. */
  readonly waitMs: number;
}

function limitedIn({ turns }: Course): Limited[] {
  return turns.flatMap((turn) => {
    if (turn.status !== 429) return [];
    const given = turn.event.answer?.headers.find(([name]) => name === 'retry-after')?.[1];
    return [{ turn, waitMs: Number(given ?? 1) * 1000 }];
  });
}

const tooEarly = ({ turn, waitMs }: Limited, later: Turn): boolean =>
  knew(later, turn) && sinceReceipt(later, turn) < waitMs - earlyMs;

function findingFor(
  course: Course,
  find: (limited: Limited, later: Turn) => boolean,
  words: (limited: Limited, later: Turn) => Omit<ClientFinding, 'evidence'>,
): { tried: boolean; findings: ClientFinding[] } {
  const all = limitedIn(course);
  return {
    tried: all.length > 0,
    findings: all.flatMap((limited) => {
      const over = (turn: Turn): boolean => sinceReceipt(turn, limited.turn) >= limited.waitMs;
      const later = nextAfter(course, limited.turn, (turn) => find(limited, turn), over);
      return later === undefined ? [] : [{ ...words(limited, later), evidence: evidence(course, limited.turn, later) }];
    }),
  };
}

const after = ({ turn }: Limited, later: Turn): string => inSeconds(Math.max(0, sinceReceipt(later, turn)));
const told = ({ waitMs }: Limited): string => inSeconds(waitMs);

export const retryAfter: Rule = inEach((course) =>
  findingFor(
    course,
    (limited, later) => later.event.role === limited.turn.event.role && tooEarly(limited, later),
    (limited, later) => ({
      expected: `no call with the key of ${limited.turn.event.role} for ${told(limited)} after the 429`,
      actual: `${called(later)} came ${after(limited, later)} after it`,
      hint: 'Wait for as many seconds as Retry-After says, counted from when the answer was received, before any call with that key.',
    }),
  ),
);

export const noOtherKey: Rule = inEach((course) =>
  findingFor(
    course,
    (limited, later) =>
      later.event.role !== limited.turn.event.role &&
      later.event.account === limited.turn.event.account &&
      asks(later, limited.turn) &&
      tooEarly(limited, later),
    (limited, later) => ({
      expected: 'the call to wait for its own key',
      actual: `${called(later)} makes the same call with the key of ${later.event.role}, ${after(limited, later)} after the 429`,
      hint: 'Spreading one work over several keys goes round the cap: wait instead.',
    }),
  ),
);
