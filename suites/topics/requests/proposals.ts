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
 * Proposes one or two more images than the default, because services may require pairs. Falls back to the default
 * count.
 */
export async function proposeMore(t: Steps, step: string): Promise<Proposal> {
  const brief = briefFor(t, 'left open');
  const accepted = await t.firstAccepted(
    step,
    [1, 2].map((more) => proposing(t, { count: Number(t.proposal().count) + more, brief })),
    isProposal,
  );
  return accepted === undefined
    ? propose(t, `${step}, as many`, { brief })
    : proposalOf(t, accepted.request.args ?? {}, accepted.exchange);
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
