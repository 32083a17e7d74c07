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

const aroundTheCap =
  'Spreading one work over several keys goes round the cap: wait instead. Keys for different purposes are fine: what counts is the call that was limited, or much work of the same tools with a key that nobody used before.';

const sameCall = (course: Course) =>
  findingFor(
    course,
    (limited, later) => isOtherKey(later, limited.turn) && asks(later, limited.turn) && tooEarly(limited, later),
    (limited, later) => ({
      expected: 'the call to wait for its own key',
      actual: `${called(later)} makes the same call with the key of ${later.event.role}, ${after(limited, later)} after the 429`,
      hint: aroundTheCap,
    }),
  );

/** So many calls are work, and no look at something. */
const much = 10;

/**
 * Work that moved from a key that waits to another one. A key that was in use before may have a purpose of its own, and so may one that is used for other tools: neither
 * is counted.
 */
function movedWork(course: Course): ClientFinding[] {
  const { turns, session } = course;
  // Of what is forgotten nobody knows which keys it used.
  if (session.dropped > 0) return [];
  const byKey = Map.groupBy(turns, ({ event }) => event.role);
  const limits = limitedIn(course);
  return [...byKey.values()].flatMap((own) => {
    const [first] = own;
    const limited = limits.findLast(
      ({ turn }) => first !== undefined && isOtherKey(first, turn) && turn.seq < first.seq,
    );
    if (first === undefined || limited === undefined || !tooEarly(limited, first)) return [];
    const before = byKey.get(limited.turn.event.role)?.filter(({ seq }) => seq <= limited.turn.seq) ?? [];
    const tools = new Set(before.map(({ event }) => event.tool));
    const moved = own.filter((later) => tools.has(later.event.tool) && tooEarly(limited, later));
    const last = moved[much - 1];
    if (last === undefined) return [];
    return [
      {
        expected: `what the key of ${limited.turn.event.role} was used for to wait for it`,
        actual: `${moved.length} such calls with the key of ${first.event.role}, which was not used before, from ${after(limited, first)} after the 429 on`,
        hint: aroundTheCap,
        evidence: evidence(course, limited.turn, first, last),
      },
    ];
  });
}

const isOtherKey = ({ event }: Turn, { event: limited }: Turn): boolean =>
  event.role !== null && event.role !== limited.role && event.account === limited.account;

export const noOtherKey: Rule = inEach((course) => {
  const same = sameCall(course);
  return same.findings.length > 0 ? same : { ...same, findings: movedWork(course) };
});
