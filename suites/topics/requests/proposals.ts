import { limits } from '../../../fixtures/contract/limits.ts';
import { body, type Completed } from '../../exchange/exchange.ts';
import { isDispatch, isProposal } from '../../model/world/ids.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { places } from './places.ts';

/** Returns briefs of several lengths, the default one first. */
export function briefs(runId: string): string[] {
  const start = `tck ${runId}: a grey square`;
  const sentence = 'It has an even tone, no border, no text and no shadow.';
  const longer = (times: number) => `${start}. ${`${sentence} `.repeat(times).trimEnd()}`;
  return [start, `tck ${runId}`, longer(1), longer(6), 'square', longer(12), longer(3)];
}

/** Returns the date `days` days after a time, as YYYY-MM-DD in UTC. */
export const dayAfter = (ms: number, days: number): string =>
  new Date(ms + days * 24 * 3600 * 1000).toISOString().slice(0, 10);

export interface Proposal {
  readonly args: Args;
  readonly id: string;
  readonly exchange: Completed;
}

export function proposing(t: Steps, change: Args = {}): StoryRequest {
  return { tool: 'images.generate', args: { ...t.proposal(), ...change } };
}

/** Returns a unique brief, or the accepted one if the default brief was not accepted. */
export function briefFor(t: Steps, purpose: string): string {
  const accepted = String(t.proposal().brief);
  const [usual = ''] = briefs(t.deployment.runId);
  return accepted === usual ? `${usual} (${purpose})` : accepted;
}

/**
 * Proposes with a unique brief, because a server may return one ID for identical proposals. Ends the current part of
 * the story if the server issues no ID.
 */
export async function propose(
  t: Steps,
  step: string,
  change: Args = {},
  how: Partial<StoryRequest> = {},
): Promise<Proposal> {
  const brief = briefFor(t, t.nextProposal());
  return proposalOf(t, await t.send(step, { ...proposing(t, { brief, ...change }), ...how }));
}

/**
 * Returns a proposal that stays open while other stories propose. Proposes once in a run, or again when a story is
 * repeated. Requests one or two more images than the default, because services may require pairs, or else as many.
 */
export async function proposeOpen(t: Steps): Promise<Proposal> {
  const brief = briefFor(t, t.attempt === 1 ? 'left open' : `left open, attempt ${t.attempt}`);
  const changes = [1, 2, 0].map((more) => ({ count: Number(t.proposal().count) + more, brief }));
  const open = await proposeOneOf(t, 'propose another count', changes, { once: true });
  if (open !== undefined && t.minutesSince(open.exchange) < limits.confirmation.fresh / 5) return open;
  // The other stories share a response that has become old, or that an outage caused.
  return propose(t, 'propose another count again', without(open?.args ?? t.proposal(), 'brief'));
}

/** Returns a proposal that one story lets expire, and that a later one presents again. `anew` proposes once more. */
export async function proposeExpiring(t: Steps, { anew = false } = {}): Promise<Proposal> {
  const asked = proposing(t, { brief: briefFor(t, 'what expires') });
  const step = 'propose a request that expires';
  return proposalOf(t, await (anew ? t.send(step, asked) : t.sendOnce(step, asked)));
}

/** Presents an ID if it has certainly expired. */
export async function presentIfExpired(t: Steps, proposal: Proposal): Promise<void> {
  if (t.minutesSince(proposal.exchange) < limits.confirmation.surelyDead) return;
  await t.send('present an expired ID', confirming(proposal));
}

/** Returns changes to other shapes than the default. */
export const otherShapes = (t: Steps): Args[] =>
  t.deployment.shapes.filter((shape) => shape !== t.proposal().shape).map((shape) => ({ shape }));

/** Most shapes to try until the server accepts a second one. */
const mostShapes = 4;

/** Proposes another shape than the default. Returns undefined if the server accepts none. */
export async function proposeOtherShape(t: Steps): Promise<Proposal | undefined> {
  const brief = briefFor(t, t.nextProposal());
  const changes = otherShapes(t).map((change) => ({ ...change, brief }));
  return proposeOneOf(t, 'propose another shape', changes.slice(0, mostShapes));
}

/**
 * Proposes with each of these changes until the server accepts one. Returns undefined if it accepts none. With `once`,
 * stories share the responses.
 */
export async function proposeOneOf(
  t: Steps,
  step: string,
  changes: readonly Args[],
  { once = false } = {},
): Promise<Proposal | undefined> {
  for (const change of changes) {
    const asked = proposing(t, change);
    const exchange = await (once ? t.sendOnce(step, asked) : t.send(step, asked));
    if (isProposal(exchange)) return proposalOf(t, exchange);
  }
  return undefined;
}

export const noProposal = 'no proposal was made, see image-proposals.proposed';

/** Returns the proposal that a response makes. Ends the current part of the story if there is none. */
export function proposalOf(t: Steps, exchange: Completed): Proposal {
  const { confirmation_id: id } = body(exchange);
  const { args } = exchange.request;
  const isIssued = isProposal(exchange) && typeof id === 'string' && id !== '';
  return isIssued && args !== null ? { args, id, exchange } : t.cannot(noProposal);
}

export function confirming({ args, id }: Pick<Proposal, 'args' | 'id'>, change: Args = {}): StoryRequest {
  return { tool: 'images.generate', args: { ...args, confirmation_id: id, ...change } };
}

export function without(args: Args, ...names: readonly string[]): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}

/** Returns an ID in upper case, or in lower case if it is in upper case already. */
export const otherCase = (id: string) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase());

/** Number of characters to replace in an ID. Extends shorter IDs instead, because similar ones may have been issued. */
const exchanged = 8;

/**
 * Returns an ID that was never issued. It has the length and alphabet of an issued one, with other characters at its
 * end. A numeric ID changes so much that no counter reaches the new value.
 */
export function resemblingId(id: string, random: string): string {
  const letters = [...id];
  const places = [...letters.keys()].filter((at) => /[0-9a-z]/i.test(letters[at] ?? '')).slice(-exchanged);
  if (places.length < exchanged - 2)
    return `${id}${random.replace(/\D/g, '').padEnd(exchanged, '7').slice(0, exchanged)}`;
  places.forEach((at, index) => {
    letters[at] = otherOfKind(letters[at] ?? '', random.charCodeAt(index % random.length), id);
  });
  return letters.join('');
}

/** Matches UUIDs and long hexadecimal numbers, whose case is irrelevant. */
export const hexadecimal = /^[0-9a-f-]{16,}$/i;

/** Character classes, with characters that occur in most ID alphabets. */
const kinds: readonly (readonly [pattern: RegExp, usual: string])[] = [
  [/[0-9]/g, '234567'],
  [/[a-z]/g, 'abcdef'],
  [/[A-Z]/g, 'ABCDEF'],
];

/** Returns another character of the class that occurs near the end of the ID, and thus belongs to its alphabet. */
function otherOfKind(letter: string, random: number, id: string): string {
  const [pattern, usual] = kinds.find(([kind]) => letter.search(kind) === 0) ?? [/[0-9]/g, '234567'];
  const nearby = [...new Set(id.slice(-Math.ceil(id.length / 2)).match(pattern))];
  const others = (nearby.length > 2 ? nearby : [...usual]).filter((other) => other !== letter);
  return others[random % others.length] ?? letter;
}

export function neverIssued(t: Steps, proposal: Pick<Proposal, 'args' | 'id'>): StoryRequest {
  const id = resemblingId(proposal.id, t.text(`never issued like ${proposal.id}`, 16));
  return { ...confirming(proposal, { confirmation_id: id }), invented: ['confirmation_id'] };
}

/** Proposes, presents an ID that was never issued, and confirms. Ends the story if the server does not dispatch. */
export async function proposeAndConfirm(t: Steps): Promise<Proposal> {
  const proposal = await propose(t, 'propose');
  await t.send('present an ID that was never issued', neverIssued(t, proposal));
  if (isDispatch(await t.send('confirm', confirming(proposal)))) return proposal;
  return t.disturbed('the confirmation was not dispatched, see confirmations.dispatched');
}

/**
 * Returns a used ID: the last one that this run confirmed, because each costs an image. Also presents an ID that was
 * never issued, for comparison.
 */
export async function obtainUsedIdAfterNeverIssued(t: Steps): Promise<Pick<Proposal, 'args' | 'id'>> {
  const { dispatched } = t;
  if (dispatched === undefined) return await proposeAndConfirm(t);
  await t.send('present an ID that was never issued', neverIssued(t, { id: dispatched.id, args: t.proposal() }));
  return dispatched;
}

/** Returns a proposal for a board that does not exist, and that resembles the board of this proposal. */
export function forUnknownBoard(t: Steps, asked: StoryRequest, purpose: string): StoryRequest {
  const board = resemblingId(String(asked.args?.board), t.text(purpose, 16));
  return { ...asked, args: { ...asked.args, board }, invented: ['board'] };
}

/** Returns a confirmation in another workspace that the key reaches, if a board of it is known. */
export function elsewhere(t: Steps, proposal: Pick<Proposal, 'args' | 'id'>): StoryRequest | undefined {
  const { here, there } = places(t);
  const other = [here, there].find((place) => place?.board && place.workspace !== proposal.args.workspace);
  return other && confirming(proposal, { ...other });
}

/** Returns a confirmation by the other account in its own workspace, if that account is configured. */
export function asOtherAccount(t: Steps, proposal: Proposal): StoryRequest | undefined {
  const { theirs } = places(t);
  if (!t.has('otherAccount') || theirs?.board === undefined) return undefined;
  return { ...confirming(proposal, { ...theirs }), as: 'otherAccount' };
}
