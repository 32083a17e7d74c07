import { isDeepStrictEqual } from 'node:util';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { aboutLifetime, limits } from '../../fixtures/contract/limits.ts';
import { ageAt, body, type Exchange, isCompleted, precedes } from '../exchange/exchange.ts';
import { brief } from '../json.ts';
import { type IssuedId, issuedId, outcomeOf, presentedId } from '../model/world/ids.ts';
import type { Client } from './client.ts';
import { sinceReceipt } from './exchange.ts';
import { isUnknownId, usesFailure } from './never-got.ts';
import { printedResult, prints, printsNothing } from './printed.ts';
import { type ClientRule, clientRule, clientRuleAtEnd, inSeconds, readingMs } from './rule.ts';

/** Returns the issued ID that a request presents. */
function confirmed(exchange: Exchange, client: Client): IssuedId | undefined {
  const issued = client.ids.issued(presentedId(exchange) ?? '');
  return issued !== undefined && precedes(issued.latest, exchange) ? issued : undefined;
}

/** Returns the arguments that differ from the proposal. */
function changedNames({ request }: Exchange, { proposal }: IssuedId): string[] {
  const asked = request.args ?? {};
  // Naming the workspace in the response to the proposal does not change the request.
  const workspaceArgument = 'workspace' in asked ? { workspace: body(proposal).workspace } : {};
  const proposed: Readonly<Record<string, unknown>> = { ...workspaceArgument, ...proposal.request.args };
  const names = new Set([...Object.keys(asked), ...Object.keys(proposed)]);
  names.delete('confirmation_id');
  return [...names].filter((name) => !isDeepStrictEqual(asked[name], proposed[name]));
}

/** Rules for confirmations. */
export const confirmations: readonly ClientRule[] = [
  clientRule('client-confirmations.approved', (exchange, client) => {
    const confirmation = confirmed(exchange, client);
    if (confirmation === undefined || client.knowledge.person !== true) return undefined;
    const word = client.lastWordOn(confirmation.id, exchange);
    if (word === 'approved') return null;
    return {
      expected: 'the approval of a person who saw the summary',
      actual: `a confirmation of a proposal that ${word === 'denied' ? 'the person denied' : 'no person approved'}`,
      hint: 'Show request_summary to a person after the proposal, and confirm only after the person approves.',
      exchanges: [confirmation.proposal, exchange],
    };
  }),
  clientRule('client-confirmations.time-to-read', (exchange, client) => {
    const confirmation = confirmed(exchange, client);
    if (confirmation === undefined || client.knowledge.person === true) return undefined;
    if (sinceReceipt(exchange, confirmation.latest) >= readingMs) return null;
    return {
      expected: 'time for a person to read the summary',
      actual: `a confirmation ${inSeconds(sinceReceipt(exchange, confirmation.latest))} after the proposal`,
      hint: 'Show the summary to a person. In a test, record the decision: person.approve(id) or person.deny(id).',
      exchanges: [confirmation.latest, exchange],
    };
  }),
  clientRule('client-confirmations.same-request', (exchange, client) => {
    const confirmation = confirmed(exchange, client);
    // An ID for two different requests is a defect of the server.
    if (confirmation === undefined || confirmation.twice) return undefined;
    const changed = changedNames(exchange, confirmation);
    if (changed.length === 0) return null;
    return {
      expected: 'the proposed request, with only the confirmation ID added',
      actual: `a confirmation that changes ${changed.join(', ')}`,
      hint: 'Store the request with its confirmation ID, and send the request unchanged when you confirm.',
      exchanges: [confirmation.proposal, exchange],
    };
  }),
  clientRule('client-confirmations.id-as-given', (exchange, client) => {
    const id = presentedId(exchange);
    // client-outcomes.ok-decides covers values that a refusal did not give.
    if (id === undefined || client.mayKnowMore || usesFailure(exchange, client)) return undefined;
    if (!isUnknownId(exchange, client)) return null;
    const like = client.ids.resembled(id);
    return {
      expected: 'a confirmation ID exactly as in the proposal',
      actual:
        brief(id) + (like === undefined ? ', which no response had' : `; the proposal contained ${brief(like.id)}`),
      hint: 'Send the ID unchanged: do not change its case or its length.',
      exchanges: [...(like === undefined ? [] : [like.proposal]), exchange],
    };
  }),
  clientRule('client-confirmations.once', (exchange, client) => {
    const before = sentBefore(exchange, 'dispatched', client);
    if (before === undefined) return outcomeOf(exchange) === 'dispatched' ? null : undefined;
    return {
      expected: 'no further request with an ID whose run was dispatched',
      actual: 'another request with the ID',
      hint: 'Delete the ID when you receive the run_id, and prevent two confirmations at the same time.',
      exchanges: [before, exchange],
    };
  }),
  clientRule('client-confirmations.one-at-a-time', (exchange, client) => {
    if (!isCompleted(exchange) || confirmed(exchange, client) === undefined) return undefined;
    const isSameId = (other: Exchange) => isCompleted(other) && presentedId(other) === presentedId(exchange);
    const other = client
      .during(exchange, isSameId)
      // A later request can be the repetition of one that timed out.
      .find(({ sentAt }) => Math.abs(sentAt - exchange.sentAt) < readingMs);
    if (other === undefined) return null;
    return {
      expected: 'one request with a confirmation ID at a time',
      actual: 'two requests with the same ID at the same time',
      hint: 'Delete the stored ID before you send it, so that a second click or worker cannot send the ID again.',
      exchanges: [other, exchange].sort((one, two) => one.number - two.number),
    };
  }),
  clientRule('client-confirmations.fresh-proposal', (exchange, client) => {
    const before = sentBefore(exchange, 'invalid', client);
    if (before === undefined) return outcomeOf(exchange) === 'invalid' ? null : undefined;
    return {
      expected: 'a new proposal, without confirmation_id',
      actual: `the same ID again after ${refusalCodes.confirmationInvalid}`,
      hint: 'Propose again without confirmation_id, and ask a person to approve: a refused ID stays invalid.',
      exchanges: [before, exchange],
    };
  }),
  clientRule('client-confirmations.in-time', (exchange, client) => {
    const confirmation = confirmed(exchange, client);
    // In a history with gaps, the ID may have been issued again.
    if (confirmation === undefined || !client.knowledge.complete || !client.knowledge.clock) return undefined;
    const age = ageAt(confirmation.latest, exchange);
    if (age < limits.confirmation.about * 60_000) return null;
    return {
      expected: `a new proposal after ${aboutLifetime}`,
      actual: `a confirmation of a proposal that is ${Math.round(age / 60_000)} minutes old`,
      hint: `Store the time of each proposal, and propose again after ${aboutLifetime}.`,
      exchanges: [confirmation.latest, exchange],
    };
  }),
  clientRuleAtEnd('client-confirmations.summary-shown', ({ printedRun: run, earlier: { runs } }) => {
    if (run === undefined) return undefined;
    const isDenied = run.isDenied && runs.some(({ confirms }) => confirms);
    // A client that prints no result shows the summary elsewhere.
    const reporting = isDenied ? [run, ...runs] : [run];
    if (reporting.every((one) => printedResult(one) === undefined)) return undefined;
    const confirmation = run.results.find((one) => presentedId(one) !== undefined);
    const proposal = run.results.find((one) => {
      const id = issuedId(one);
      return id !== undefined && (confirmation === undefined || id === presentedId(confirmation));
    });
    // A client can also propose and stop, but not report a run. A person who denied needed the summary before.
    if (proposal === undefined || (confirmation === undefined && !isDenied && !printsNothing(run))) return undefined;
    const decision = confirmation !== undefined ? 'a confirmation' : isDenied ? 'a denial' : 'a run';
    const { request_summary: summary } = body(proposal);
    const texts = [summary, proposal.request.args?.brief];
    if (texts.some((text) => typeof text === 'string' && prints(run, text))) return null;
    return {
      expected: `output with the summary: ${brief(summary)}`,
      actual: `${decision} of a proposal whose summary was not printed`,
      hint: 'Show request_summary to the person who approves. A run starts only with the confirmation.',
      exchanges: [proposal, ...(confirmation === undefined ? [] : [confirmation])],
    };
  }),
];

/** Returns the earlier request that sent the same ID with this outcome. */
function sentBefore(exchange: Exchange, outcome: 'dispatched' | 'invalid', client: Client): Exchange | undefined {
  const id = presentedId(exchange);
  if (id === undefined) return undefined;
  return client.answeredBefore(exchange, (other) => presentedId(other) === id && outcomeOf(other) === outcome);
}
