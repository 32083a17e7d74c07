import { body, type Completed } from '../history/exchange.ts';
import { isProposal } from '../rules/seen/ids.ts';
import { briefs } from './preflight.ts';
import type { Args, Asked, Steps } from './steps.ts';

/** A proposal with the id that it issued, and the request that it was made with. */
export interface Proposal {
  readonly args: Args;
  readonly id: string;
  readonly exchange: Completed;
}

/** The request that preflight found to be accepted, with these changes. */
export function proposing(t: Steps, change: Args = {}): Asked {
  return { tool: 'images.generate', args: { ...t.proposal(), ...change } };
}

/** A brief of the accepted length that nobody has used. */
export function briefFor(t: Steps, purpose: string): string {
  const accepted = String(t.proposal().brief);
  const [usual = ''] = briefs(t.known.runId);
  return accepted === usual ? `${usual} (${purpose})` : accepted;
}

/**
 * Proposes with a brief of its own, because a server may answer the same proposal with the same id. Ends the part of
 * the flow if no id is issued.
 */
export async function propose(t: Steps, step: string, change: Args = {}, how: Partial<Asked> = {}): Promise<Proposal> {
  const asked = proposing(t, { brief: briefFor(t, t.nextProposal()), ...change });
  const exchange = await t.send(step, { ...asked, ...how });
  return proposalOf(t, asked.args ?? {}, exchange);
}

/** A proposal of one image more or two, since images may come in pairs, or of as many where more are refused. */
export async function proposeMore(t: Steps, step: string): Promise<Proposal> {
  const brief = briefFor(t, 'left open');
  const found = await t.firstAccepted(
    step,
    [1, 2].map((more) => proposing(t, { count: Number(t.proposal().count) + more, brief })),
    isProposal,
  );
  return found === undefined
    ? propose(t, `${step}, as many`, { brief })
    : proposalOf(t, found.request.args ?? {}, found.exchange);
}

export function proposalOf(t: Steps, args: Args, exchange: Completed): Proposal {
  const { confirmation_id: id } = body(exchange);
  if (isProposal(exchange) && typeof id === 'string' && id !== '') return { args, id, exchange };
  return t.cannot('no proposal was made, see image-proposals.proposed');
}

/** The request of a proposal together with its id, or with another one. */
export function confirming({ args, id }: Pick<Proposal, 'args' | 'id'>, change: Args = {}): Asked {
  return { tool: 'images.generate', args: { ...args, confirmation_id: id, ...change } };
}

/** What `undefined` stands for: the request without these arguments. */
export function without(args: Args, ...names: readonly string[]): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}
