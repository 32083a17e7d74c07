import { limits } from '../../../fixtures/contract/limits.ts';
import { body, type Completed } from '../../history/exchange.ts';
import { isProposal } from '../../situations/ids.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { briefs } from './values.ts';

/** A successful proposal: its arguments, the issued ID and the exchange. */
export interface Proposal {
  readonly args: Args;
  readonly id: string;
  readonly exchange: Completed;
}

/** Returns the proposal that was accepted in preflight, with changes. */
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
  const asked = proposing(t, { brief: briefFor(t, t.nextProposal()), ...change });
  const exchange = await t.send(step, { ...asked, ...how });
  return proposalOf(t, asked.args ?? {}, exchange);
}

/**
 * Returns a proposal that stays open while other stories propose. Proposes once in a run, or again when a story is
 * repeated. Requests one or two more images than the default, because services may require pairs, or else as many.
 */
export async function proposeOpen(t: Steps): Promise<Proposal> {
  const brief = briefFor(t, t.attempt === 1 ? 'left open' : `left open, attempt ${t.attempt}`);
  const ask = async (more: number) => {
    const asked = proposing(t, { count: Number(t.proposal().count) + more, brief });
    return [asked.args ?? {}, await t.sendOnce('propose another count', asked)] as const;
  };
  let [args, exchange] = await ask(1);
  for (const more of [2, 0]) if (!isProposal(exchange)) [args, exchange] = await ask(more);
  const proposal = proposalOf(t, args, exchange);
  if (t.minutesSince(exchange) < limits.confirmation.fresh / 5) return proposal;
  return propose(t, 'propose another count again', without(args, 'brief'));
}

/** More proposals than a server may keep by mistake. */
const many = 12;

/** Proposes many other requests. */
export async function proposeMany(t: Steps): Promise<void> {
  const briefs = Array.from({ length: many }, (_, index) => briefFor(t, `attempt ${t.attempt}, ${index}`));
  await t.sendInParallel(
    'propose other requests',
    briefs.map((brief) => proposing(t, { brief })),
  );
}

/** Most shapes to try until the server accepts a second one. */
const mostShapes = 4;

/** Proposes another shape than the default. Returns undefined if the server accepts none. */
export async function proposeOtherShape(t: Steps): Promise<Proposal | undefined> {
  const shapes = t.deployment.shapes.filter((shape) => shape !== t.proposal().shape).slice(0, mostShapes);
  const brief = briefFor(t, t.nextProposal());
  const accepted = await t.firstAccepted(
    'propose another shape',
    shapes.map((shape) => proposing(t, { shape, brief })),
    isProposal,
  );
  return accepted && proposalOf(t, accepted.request.args ?? {}, accepted.exchange);
}

export function proposalOf(t: Steps, args: Args, exchange: Completed): Proposal {
  const { confirmation_id: id } = body(exchange);
  if (isProposal(exchange) && typeof id === 'string' && id !== '') return { args, id, exchange };
  return t.cannot('no proposal was made, see image-proposals.proposed');
}

/** Returns the confirmation of a proposal, with changes. */
export function confirming({ args, id }: Pick<Proposal, 'args' | 'id'>, change: Args = {}): StoryRequest {
  return { tool: 'images.generate', args: { ...args, confirmation_id: id, ...change } };
}

/** Returns the arguments without some of them. */
export function without(args: Args, ...names: readonly string[]): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}
