import type { Context } from '../engine/context.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import type { Finding } from '../finding.ts';
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

/** What was shown to somebody: the request that an id is bound to, in the workspace that the answer tells. */
function shownBy(exchange: Answered): string {
  const { workspace, board, brief: text, count, shape } = exchange.request.args ?? {};
  return JSON.stringify([body(exchange).workspace ?? workspace, board, text, count, shape]);
}

/** Whether an answer says that the image of an id is running. */
export function dispatchedBy(exchange: Answered, id: unknown): boolean {
  return exchange.request.args?.confirmation_id === id && isSuccess(exchange) && body(exchange).status === 'dispatched';
}

/** An id given to two requests, or given out again once it was used: the last of these answers against those before. */
export function givenAgain(before: readonly Answered[], exchange: Answered): Finding | undefined {
  const id = issuedBy(exchange);
  const { role } = exchange.credential;
  const earlier = before.filter((each) => each.credential.role === role && issuedBy(each) === id);
  if (id === undefined || earlier.length === 0) return undefined;
  const another = earlier.find((each) => shownBy(each) !== shownBy(exchange));
  if (another !== undefined) {
    return {
      expected: 'a confirmation_id that stands for one request',
      actual: `confirmation_id ${brief(id)} given to two requests`,
      hint: 'make ids from nothing that two requests can share, such as a time: an id is bound to the request that was shown',
      exchanges: [another, exchange],
    };
  }
  // One that was under way when this was sent may have come after it.
  const used = before.find((each) => dispatchedBy(each, id) && each.atMs + each.durationMs < exchange.atMs);
  return (
    used && {
      expected: 'a confirmation_id that was not used before',
      actual: `confirmation_id ${brief(id)} given out again after it was used`,
      hint: 'make a new id for a request whose id was used: it wants an approval of its own',
      exchanges: [used, exchange],
    }
  );
}

/** Nothing where an id stands for one request at most, and was not given out again after its use. */
export function givenTwice(t: Context, id: string): Finding | undefined {
  const answered = answeredOf(t);
  for (const [index, each] of answered.entries()) {
    const finding = issuedBy(each) === id ? givenAgain(answered.slice(0, index), each) : undefined;
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** Every id that any answer of the run gave out. */
export function everIssued(t: Context): ReadonlySet<unknown> {
  return new Set(answeredOf(t).map((each) => body(each).confirmation_id));
}

/** An id with its lower-case letters as upper-case ones, or the other way round. */
export const otherCase = (id: string) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase());

/** Digits of a number, in groups or not. */
export const hexadecimal = /^[0-9a-f-]+$/i;

/** Ids that only resemble one that waits; those that were given out, as may happen where ids are short, are left out. */
export function nearMisses(t: Context, id: string): string[] {
  const given = everIssued(t);
  // What is a number in hexadecimal digits, as a UUID is, is the same number in other case and without its dashes.
  const spellings = hexadecimal.test(id) ? [] : [otherCase(id), id.replaceAll('-', '')];
  const near = [`${id}x`, ` ${id} `, ...spellings, ...(canBeCut(id) ? [id.slice(0, -1)] : [])];
  return [...new Set(near)].filter((each) => each !== '' && !given.has(each));
}

/** Shorter ids may be numbered in some way, so that what looks like one may be one. */
const longEnough = 10;

/** Whether what is left of an id when its end is cut off may be taken for one that was never issued. */
export const canBeCut = (id: string) => id.length >= longEnough;

/**
 * An id that was never issued but looks like one that was: its last letters and digits are exchanged for others of
 * their kind. Ids that are plain numbers are moved far up instead, and others that have few to exchange made longer,
 * where no counting leads. It is none of those given.
 */
export function neverIssuedId(like: string, given: ReadonlySet<unknown> = new Set()): string {
  let other = resembling(like);
  while (given.has(other)) other += longer;
  return other;
}

const longer = 'zq7zq7';

function resembling(like: string): string {
  if (/^\d+$/.test(like)) return String(BigInt(like) + 7_654_321n).padStart(like.length, '0');
  if (!canBeCut(like)) return `${like}${longer}`;
  let left = 6;
  const exchanged = [...like]
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
  return left === 0 ? exchanged : `${exchanged}${longer}`;
}
