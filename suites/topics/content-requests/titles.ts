import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { formats } from '../../../fixtures/contract/enums.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { type Completed, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { success } from '../../model/answers.ts';
import { isCountedAlike } from '../../model/rows/arguments.ts';
import { row, sameRequest } from '../../model/rule.ts';
import { isPlain, isPlainRequest, isWorkspaceRefusal } from '../../model/world/plain.ts';
import type { Seen } from '../../model/world/seen.ts';
import { counted } from '../../usage/counted.ts';
import { createOnSomeDay, creating, titled } from '../requests/content.ts';
import { dayAfter } from '../requests/proposals.ts';
import type { Args, Steps } from '../steps.ts';
import { story, toWrite } from '../story.ts';

export const tool = 'content.create_request';

const dayMs = 24 * 3600 * 1000;

/** Whether the day starts at least 24 hours after the request. It is then in the future in every time zone. */
function isComing({ request, sentAt, clockMoved }: Completed, { knowledge: { clock, startedAt } }: Seen): boolean {
  const day = Date.parse(`${request.args?.day}T00:00:00Z`);
  const exists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(String(request.args?.day));
  return clock && startedAt !== undefined && exists && day >= startedAt + sentAt + clockMoved + dayMs;
}

/**
 * Whether the server must accept a request: it is valid, for a future day, and in a workspace that its key reaches. A
 * request that succeeded counts too.
 */
export function mustBeAccepted(
  exchange: Completed,
  seen: Seen,
  title: (text: string) => boolean = isUsualTitle,
): boolean {
  const { args } = exchange.request;
  return (
    isPlainRequest(exchange, tool, seen) &&
    title(String(args?.title ?? 'untitled')) &&
    (isSuccess(exchange) || (isComing(exchange, seen) && !isWorkspaceRefusal(exchange)))
  );
}

/**
 * Other requirements cover the shortest title, the longest title, and uncommon letters. A server may refuse a title of
 * white space.
 */
const isUsualTitle = (title: string) =>
  /^[\w .:()-]+$/.test(title) &&
  title.trim() !== '' &&
  title.length > limits.title.least &&
  title.length < limits.title.most;

export const isRequest = ({ sender, request, invented }: Completed) =>
  request.tool === tool && sender.kind === 'key' && request.body !== null && invented.length === 0;

/**
 * A title that is valid even if a server counts bytes. Other requirements cover the shortest and the longest title. The
 * title may have several lines.
 */
const isUndisputed = (title: string) =>
  title.split('\n').every((line) => /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u.test(line)) &&
  title.trim() !== '' &&
  [...title].length > limits.title.least &&
  Buffer.byteLength(title) < limits.title.most;

const neverRefused = row('arguments.valid-never-refused', {
  must:
    'The server MUST NOT return a 400 if all arguments are valid, and MUST NOT refuse a content request with ' +
    `${quoted.invalidArguments} because of a valid title.`,
  source: `Errors, ${refusalCodes.invalidArguments}; Endpoints`,
  applies: (exchange) =>
    exchange.sender.kind === 'key' &&
    isPlain(exchange, 'title') &&
    exchange.invented.length === 0 &&
    exchange.request.body !== null,
  // Control: the request with other texts.
  control: sameRequest,
  expect: (exchange) => {
    // The specification does not limit the length of a brief.
    const isFit = isUndisputed(String(exchange.request.args?.title ?? ''));
    const isMalformed = exchange.response.status === 400 && (isFit || isPlain(exchange));
    if (!isMalformed && !(isFit && isRefusal(exchange, refusalCodes.invalidArguments))) return undefined;
    return { expected: `neither ${refusalCodes.invalidArguments} nor a 400` };
  },
  hint: 'Accept any text that fits the published schema: look for a check that is stricter than the schema.',
});

const titleAccepted = (name: 'shortest' | 'longest', length: number) =>
  row(`content-requests.title-${name}`, {
    must: `The server MUST accept a title of ${counted(length, 'character')}.`,
    source: 'content.create_request, request; Limits, title length',
    applies: (exchange, seen) =>
      mustBeAccepted(exchange, seen, (title) => isCountedAlike(title) && title.length === length),
    control: sameRequest,
    answers: [success],
    hint: ({ request }) =>
      /^[ -~]*$/.test(String(request.args?.title))
        ? `Accept a title of ${counted(length, 'character')}.`
        : `Count the characters of a title, not its bytes: these ${length} characters have more bytes in UTF-8.`,
  });

/** Returns a title of `length` ASCII characters that starts with the marker of the run, as far as it fits. */
const titleOf = (t: Steps, length: number, filling: string) => titled(t, '').padEnd(length, filling).slice(0, length);

/** Sends the titles in turn until one succeeds, because a service may decline some words. */
async function createWithOneOf(t: Steps, step: string, titles: readonly string[]): Promise<void> {
  for (const title of titles) if (isSuccess(await createOnSomeDay(t, step, { title }))) return;
}

/** Returns valid requests that a server with stricter limits than the schema may refuse, many of them for odd days. */
function unusual(t: Steps): [step: string, change: Args][] {
  const year = new Date(t.deployment.startedAt).getUTCFullYear() + 1;
  const leapYear = year + ((4 - (year % 4)) % 4);
  const sunday = dayAfter(t.deployment.startedAt, 14 - new Date(t.deployment.startedAt).getUTCDay());
  const signs = `a "b" 'c' <d> & e; f % g \\ h / {{i}} {j} $k #l (m [n *o +p ?q \u{1F98A} e\u0301`;
  const { most } = limits.title;
  return [
    ['on a leap day', { day: `${leapYear}-02-29`, title: titled(t, 'leap day') }],
    // A later story reads the week of this day.
    ['on the last day of a long month', { day: `${year}-03-31`, title: titleOf(t, most - 8, 'Long ') }],
    ['on the last day of a year', { day: `${year}-12-31`, title: titled(t, 'December') }],
    ['with letters of another script', { title: titled(t, 'ا'.repeat(Math.floor(most * 0.6))) }],
    ['on the last day of a short month', { day: `${year}-09-30`, title: titled(t, 'short month') }],
    ['on the first day of a year', { day: `${year + 1}-01-01`, title: titled(t, 'first day') }],
    // A server that escapes titles before it counts refuses this one.
    ['whose title contains punctuation and symbols', { title: signs.padEnd(most - 10, ' & "c" <d>') }],
    ['with digits only', { title: '20270105' }],
    // A program may count titles in an object.
    ['with the name of a member of every object as its title', { title: '__proto__' }],
    ['on a Sunday, with a title of spaces', { day: sunday, title: '   ' }],
  ];
}

export const titlesOfRequests = story('titles of content requests', {
  needs: toWrite,
  steps: async (t) => {
    const { least, most } = limits.title;
    // A server may mix up simultaneous requests, for example for one day and format.
    await Promise.all(
      unusual(t).map(([step, change]) => createOnSomeDay(t, `create a content request ${step}`, change)),
    );
    // Some languages treat the text `0` as empty.
    const shortest = ['0', 'A', 't'].map((letter) => letter.repeat(least));
    await createWithOneOf(t, `create with a title of ${counted(least, 'character')}`, shortest);
    // The first one starts like another long title.
    const longest = ['Long ', 'x', 'Q'].map((filling) => titleOf(t, most, filling));
    await createWithOneOf(t, `create with a title of ${most} characters`, longest);
    await createWithOneOf(t, `create with a title of ${most} characters of two bytes`, [titleOf(t, most, 'ü')]);
    // A server that trims titles before it counts accepts the first two. Limits may differ by format.
    const tooLong = [
      `${titleOf(t, most, 'x')} `,
      ` ${titleOf(t, most, 'x')}`,
      titleOf(t, most + 1, 'x'),
      titleOf(t, most + 1, 'ü'),
    ];
    for (const [index, format] of formats.entries()) {
      const change = { format, title: tooLong[index % tooLong.length] };
      await t.send(`create with a title of ${most + 1} characters`, creating(t, change));
    }
  },
  requirements: [
    neverRefused,
    titleAccepted('shortest', limits.title.least),
    titleAccepted('longest', limits.title.most),
  ],
  alsoTests: ['content-requests.title-too-long-refused'],
});

/** Days at both ends of the calendar, which time zones move beyond it. */
const days = ['9999-12-31', '0001-01-01'];

/**
 * Creates content with values that the specification leaves open, and reads everything back. A server that accepts what
 * it cannot show stays broken, so the story runs at the end.
 */
export const readBack = story('content with unusual values, read back', {
  turn: 'end',
  needs: toWrite,
  steps: async (t) => {
    // The day may be beyond the calendar only with the time of day of another format or workspace.
    const places = [{}, { format: 'articles' }, ...t.elsewhere];
    const changes = [
      ...days.flatMap((day) => places.map((place) => ({ ...place, day, title: titled(t, day) }))),
      { title: titled(t, 'half a pair \udc00') },
      { title: titled(t, 'zero \0') },
      { title: `${titleOf(t, limits.title.most - 1, 'x')}\ud83e` },
    ];
    const accepted = new Set<unknown>();
    for (const change of changes) {
      const asked = creating(t, change, { odd: true });
      if (isSuccess(await t.send('create with an unusual value', asked))) accepted.add(asked.args?.workspace);
    }
    for (const workspace of accepted) {
      for (const tool of ['content.status', 'schedule.read']) await t.send('read back', { tool, args: { workspace } });
    }
  },
  alsoTests: ['envelopes.no-server-error', 'content-status.answers'],
});
