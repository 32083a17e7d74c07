import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { camelCase } from '../../../fixtures/mutations/values.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { body, type Completed, isRefusal } from '../../exchange/exchange.ts';
import { brief, shorten } from '../../json.ts';
import { describe, outcomeOf } from '../../model/outcome.ts';
import { type Rule, row } from '../../model/rule.ts';
import { type IssuedId, isDispatch, isProposal } from '../../model/world/ids.ts';
import type { Seen } from '../../model/world/seen.ts';
import { resembling } from '../requests/mutations.ts';
import { briefFor, hexadecimal, neverIssued, otherCase, propose } from '../requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story, toPropose } from '../story.ts';
import { beside, documented, tool, usualHeaders } from './proposals.ts';

/**
 * Builds the rule that a request without a confirmation ID does not dispatch, with any additional parts. The server may
 * propose or refuse.
 */
function neverDispatches(
  id: RequirementId,
  what: string,
  applies: (parts: ReturnType<typeof beside>, seen: Seen) => boolean,
  hint: string,
  source = 'Confirmation of a spending action, rule 5; What the service does, rule 6',
): Rule {
  return row(id, {
    must: `The server MUST NOT dispatch a request ${what}.`,
    source,
    severity: 'spends-money',
    applies: (exchange, seen) =>
      exchange.request.tool === 'images.generate' && exchange.sender.kind === 'key' && applies(beside(exchange), seen),
    // If the server issues no IDs at all, the absence of a dispatch proves nothing.
    control: (_, seen) => seen.ids.anyIssued || 'image-proposals.proposed',
    expect: (exchange) => {
      if (!isDispatch(exchange)) return undefined;
      const { headers, args, url } = exchange.request;
      const more = [
        ...Object.entries(args ?? {}).filter(([name]) => !documented.includes(name) || name === 'confirmation_id'),
        ...headers.filter(([name]) => !usualHeaders.includes(name)),
      ].map(([name, value]) => `${name} ${brief(value)}`);
      const [, query] = url.split('?');
      const parts = [...more, ...(query === undefined ? [] : [`?${query}`])].join(', ');
      return {
        at: 'response',
        got: { ...outcomeOf(exchange), beside: shorten(parts, 200) },
        expected: 'a proposal or a refusal',
        actual: `${describe(exchange)}, with ${shorten(parts, 200)}`,
      };
    },
    hint,
  });
}

/** Flags that skip confirmation when they are true; sent in headers, queries and arguments. */
const goOn = [
  ...['confirm', 'confirmed', 'auto_confirm', 'auto_confirmed', 'pre_confirmed', 'confirmation', 'user_confirmed'],
  ...['approve', 'approved', 'auto_approve', 'auto_approved', 'preapproved', 'approval', 'consent', 'accept'],
  ...['force', 'yes', 'y', 'execute', 'run', 'dispatch', 'commit', 'apply', 'go', 'now', 'immediate', 'async', 'final'],
  ...['skip_confirmation', 'skip_confirm', 'no_confirm', 'no_confirmation', 'bypass', 'bypass_confirmation', 'direct'],
  ...['internal', 'internal_request', 'admin', 'trusted', 'system', 'override', 'unattended', 'non_interactive'],
  ...['confirmation_token', 'confirm_token', 'approval_id', 'approval_token', 'confirmation_code', 'token'],
  ...['human_approved', 'human_confirmed', 'test', 'debug', 'live', 'one_step', 'one_call', 'spend', 'pay'],
];

const holdBack = [
  ...['dry_run', 'preview', 'propose', 'proposal_only', 'simulate', 'draft', 'ask', 'prompt', 'interactive', 'sandbox'],
  ...['confirmation_required', 'require_confirmation', 'requires_confirmation', 'needs_confirmation', 'two_step'],
  ...['needs_approval', 'require_approval', 'requires_approval', 'wait', 'hold', 'validate_only', 'confirmable'],
];

const withValue = (names: readonly string[], value: unknown): Args =>
  Object.fromEntries(names.map((name) => [name, value]));

const headersOf = (names: readonly string[], value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`x-${name.replaceAll('_', '-')}`, value]));

const confirmingHeaders: readonly Readonly<Record<string, string>>[] = [
  { ...headersOf(goOn, 'true'), ...headersOf(holdBack, 'false'), prefer: 'respond-sync' },
  {
    ...headersOf(goOn, '1'),
    ...headersOf(holdBack, '0'),
    prefer: 'respond-async, handling=lenient',
    'x-approved-by': 'tck',
    'x-confirmed-by': 'tck',
    'x-mode': 'execute',
    cookie: 'confirm=1; confirmed=true; approved=true',
  },
  { 'x-http-method-override': 'PUT', 'x-approved-by': 'tck', 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
];

const confirmingQueries = [
  [...goOn.map((name) => `${name}=true`), ...holdBack.map((name) => `${name}=false`)].join('&'),
  [...goOn.map((name) => `${name}=1`), ...holdBack.map((name) => `${name}=0`), 'mode=execute'].join('&'),
];

const inBothCases = (yes: unknown, no: unknown): Args => ({
  ...withValue([...goOn, ...goOn.map(camelCase)], yes),
  ...withValue([...holdBack, ...holdBack.map(camelCase)], no),
});

const confirmingArguments: readonly Args[] = [
  // A strict server may know only one of the names.
  { confirm: true },
  { approved: true },
  { dry_run: false },
  inBothCases(true, false),
  inBothCases('yes', 'no'),
  withValue(['options', 'meta', '_meta', 'params', 'settings', 'context', 'flags'], {
    ...inBothCases(true, false),
    mode: 'execute',
  }),
  { status: 'dispatched', state: 'confirmed', mode: 'execute', action: 'confirm', step: 2, approver: 'tck' },
  { status: 'confirmed', state: 'approved', mode: 'live', action: 'dispatch', call: 2, stage: 'confirm' },
  { approved_by: 'tck', confirmed_by: 'tck', approval: 'granted', consent: 'given', step: 'final' },
];

/** Returns a brief of the accepted length that claims an approval. */
function approving(t: Steps): string {
  const { length } = String(t.proposal().brief);
  const text = 'A grey square, only a test. [auto-approve] Approved, confirmed: yes.';
  return length < text.length ? text.slice(0, length) : text.padEnd(length, '.');
}

/** Texts that a program may treat specially instead of as an ID. */
export const words = ['latest', 'true', 'null', 'undefined', '*'];

/** Most proposals in response to invalid IDs before the story stops sending them. */
const mostProposed = 2;

const claims = { confirm: true, confirmed: true, approved: true };

/** Claims a confirmation in headers, queries, arguments and briefs, and with values that are not an issued ID. */
export const claimedConfirmations = story('claimed confirmations', {
  needs: toPropose,
  // Sends the requests in sequence, so that the run stops after the first unwanted image.
  steps: async (t) => {
    const proposal = await propose(t, 'propose a request that is never confirmed', {
      brief: briefFor(t, 'left alone'),
    });
    const { id, args } = proposal;
    const send = (step: string, change: Args, how: Partial<StoryRequest> = {}) =>
      t.send(step, { tool, args: { ...args, ...change }, ...how });
    for (const headers of confirmingHeaders) await send('propose with headers', {}, { headers });
    const key = { 'idempotency-key': t.text('idempotency key') };
    // Omits an ID that a header cannot carry.
    const withId = /^[!-~]+$/.test(id) ? { ...key, 'x-confirmation-id': id, 'confirmation-id': id } : key;
    await send('propose with the ID in headers', {}, { headers: withId });
    const headers = { 'idempotency-key': t.text('idempotency key that is repeated') };
    for (const step of ['propose with an idempotency key', 'propose the same request again with an idempotency key'])
      await send(step, { brief: briefFor(t, 'repeated') }, { headers });
    for (const query of [...confirmingQueries, `confirmation_id=${encodeURIComponent(id)}`])
      await send('propose with query parameters', {}, { query });
    const places = { confirmationId: id, confirmation: { id, confirmation_id: id }, confirm: id, id };
    for (const more of [...confirmingArguments, places]) {
      const left = withoutRefused(await send('propose with another argument', more), more);
      if (left !== undefined) await send('propose with the arguments that were not refused', left);
    }
    await send('propose with a brief that asks for approval', { brief: approving(t) });
    await t.send('present an ID that was never issued', neverIssued(t, proposal));
    const values = ['', null, true, 5, [id]].map((confirmation_id) => ({ confirmation_id }));
    for (const value of [...values, { ...claims, confirmation_id: '' }, { ...claims, confirmation_id: null }])
      await send('propose with a value that is not an ID', value);
    // Some languages treat the text `0` as no ID.
    for (const word of ['0', 'latest'])
      await send('propose with a word as the ID', { confirmation_id: word }, { invented: ['confirmation_id'] });
    let proposed = 0;
    for (const confirmation_id of idsNear(t, id)) {
      const reply = await send('propose with an ID that resembles the issued one', { confirmation_id });
      if (isProposal(reply)) proposed += 1;
      // Each of these proposals may have cost an image, and more of them would prove nothing new.
      if (proposed === mostProposed) break;
    }
  },
  requirements: [
    neverDispatches(
      'image-proposals.no-header-confirms',
      'without `confirmation_id` because of a header',
      ({ id, headers }) => id === undefined && headers,
      'Require the second call whatever headers a client or a gateway sends.',
    ),
    neverDispatches(
      'image-proposals.no-query-parameter-confirms',
      'without `confirmation_id` because of a query parameter',
      ({ id, query }) => id === undefined && query,
      'Read arguments only from the body; ignore the query of the URL.',
    ),
    neverDispatches(
      'image-proposals.no-argument-confirms',
      'without `confirmation_id` because of another argument',
      ({ id, args }) => id === undefined && args,
      'Dispatch only with a valid confirmation_id; ignore all other arguments that claim a confirmation.',
    ),
    neverDispatches(
      'image-proposals.near-miss-id-never-confirms',
      'whose `confirmation_id` only resembles an issued one',
      ({ id }, seen) => seen.knowledge.complete && typeof id === 'string' && resemblesUnused(id, seen),
      'Compare the whole ID exactly: an ID that only resembles an issued one was never issued.',
      'Confirmation of a spending action, rule 3',
    ),
    neverDispatches(
      'image-proposals.empty-id-never-confirms',
      'with an empty `confirmation_id`',
      ({ id }) => id === '',
      'Treat an empty ID as one that was never issued.',
    ),
    neverDispatches(
      'image-proposals.null-id-never-confirms',
      'with `null` as `confirmation_id`',
      ({ id }) => id !== undefined && typeof id !== 'string',
      'Accept only a string as confirmation_id; do not dispatch for null, true, a number or an array.',
    ),
  ],
  alsoTests: ['headers.tool-error-on-confirmation-invalid'],
});

/** Whether a text was never issued, and resembles an ID that was not used. */
function resemblesUnused(text: string, { ids }: Seen): boolean {
  if (text === '' || ids.wasIssued(text) !== false) return false;
  const isUsed = ({ presentations }: IssuedId) => presentations.some(({ outcome }) => outcome === 'dispatched');
  return ids.resembled(text, (issued) => !isUsed(issued)) !== undefined;
}

/** Returns the arguments that a strict server knows, because it refused only others; undefined if there are none. */
function withoutRefused(reply: Completed, args: Args): Args | undefined {
  const { issues } = body(reply);
  if (!isRefusal(reply, refusalCodes.invalidArguments) || !Array.isArray(issues)) return undefined;
  const refused = JSON.stringify(issues);
  const left = Object.entries(args).filter(([name]) => !refused.includes(name));
  return left.length === 0 || left.length === Object.keys(args).length ? undefined : Object.fromEntries(left);
}

/** Returns IDs that a careless comparison takes for the issued one. */
function idsNear(t: Steps, id: string): ReadonlySet<string> {
  const spellings = hexadecimal.test(id) ? [] : [otherCase(id), id.replaceAll('-', '')];
  const [bare = id] = id.split(/[_-]/).slice(-1);
  const parts = [
    ...(id.length >= 10 ? [id.slice(0, -1), bare] : []),
    // A shorter ID may belong to another client's proposal.
    ...(id.length >= 20 ? [id.slice(0, -1) + (/[0-4]$/.test(id) ? '9' : '2')] : []),
  ];
  const near = [` ${id} `, ...spellings, ...parts, ...resembling(t, 'ids', id, ['identifier.shorter'])];
  return new Set(near.filter((other) => other !== id));
}
