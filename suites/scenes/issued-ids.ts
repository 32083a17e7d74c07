import type { Context } from '../engine/context.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import type { Verdict } from '../finding.ts';
import { brief } from '../json.ts';

const tool = 'images.generate';

/** Every answer of the run so far that could be read. */
export function answeredOf(t: Context): Answered[] {
  return t.session.exchanges.filter(
    (each): each is Answered => each.answer !== null && each.answer.unread === undefined,
  );
}

/** A request just as the document shows the first call, with nothing about it that might be taken for a confirmation or a repetition. */
export function isPlainRequest({ request }: Answered): boolean {
  const known = ['workspace', 'board', 'brief', 'count', 'shape'];
  const usual = ['authorization', 'content-type'];
  return (
    request.tool === tool &&
    !request.url.includes('?') &&
    Object.keys(request.args ?? {}).every((name) => known.includes(name)) &&
    request.headers.every(([name]) => usual.includes(name))
  );
}

/** The id that a plain request was given; undefined where it was given none. */
export function issuedBy(exchange: Answered): string | undefined {
  const { status, confirmation_id: id } = body(exchange);
  const proposal = isPlainRequest(exchange) && isSuccess(exchange) && status === 'confirmation_required';
  return proposal && typeof id === 'string' && id !== '' ? id : undefined;
}

/** An id given to two proposals of one key. */
export function sameId(one: Answered, other: Answered): Verdict {
  return {
    expected: 'a confirmation_id of its own for each proposal',
    actual: `confirmation_id ${brief(issuedBy(other))} given to two proposals`,
    hint: 'make a new id for every proposal, from nothing that two of them can share, such as a time or what is asked for',
    exchanges: [one, other],
  };
}

/** Nothing where an id was given to one proposal at most. */
export function givenTwice(t: Context, id: string): Verdict {
  const [one, ...others] = answeredOf(t).filter((each) => issuedBy(each) === id);
  const other = others.find(({ credential }) => credential.role === one?.credential.role);
  return one === undefined || other === undefined ? undefined : sameId(one, other);
}

/** Shorter ids may be numbered in some way, so that what looks like one may be one. */
const longEnough = 10;

/** Whether what is left of an id when its end is cut off may be taken for one that was never issued. */
export const canBeCut = (id: string) => id.length >= longEnough;

/**
 * An id that was never issued but looks like one that was: its last letters and digits are exchanged for others of
 * their kind. Ids that are plain numbers are moved far up instead, and other short ones made longer, where none has been given out.
 */
export function neverIssuedId(like: string): string {
  if (/^\d+$/.test(like)) return String(BigInt(like) + 7_654_321n).padStart(like.length, '0');
  if (!canBeCut(like)) return `${like}zq7zq7`;
  let left = 6;
  return [...like]
    .reverse()
    .map((letter) => {
      if (left === 0 || !/[0-9a-zA-Z]/.test(letter)) return letter;
      left -= 1;
      if (/[0-9]/.test(letter)) return String((Number(letter) + 3) % 10);
      const base = letter === letter.toLowerCase() ? 'abcdef' : 'ABCDEF';
      return base[(base.indexOf(letter) + 3) % 6] ?? 'a';
    })
    .reverse()
    .join('');
}
