import { must, type Requirement } from '../../../fixtures/requirements/model.ts';
import { describe } from '../../expectations/responses.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import { brief, shorten } from '../../json.ts';
import { type IssuedId, isDispatch, isProposal } from '../../situations/ids.ts';
import type { Seen } from '../../situations/seen.ts';
import { hexadecimal, otherCase } from '../requests/made-up-ids.ts';
import { briefFor, propose, proposing } from '../requests/proposals.ts';
import { resembling } from '../requests/resembling.ts';
import type { Args, Steps } from '../steps.ts';
import { story } from '../story.ts';
import { tool } from './first-call.ts';

const known = ['workspace', 'board', 'brief', 'count', 'shape', 'confirmation_id'];

const usual = ['authorization', 'content-type'];

/** Parts of a request in addition to the arguments of a proposal and the usual headers. */
interface Beside {
  readonly headers: boolean;
  readonly query: boolean;
  readonly args: boolean;
  readonly id: unknown;
}

function beside({ request }: Completed): Beside {
  const args = request.args ?? {};
  return {
    headers: request.headers.some(([name]) => !usual.includes(name)),
    query: request.url.includes('?'),
    args: Object.keys(args).some((name) => !known.includes(name)),
    id: args.confirmation_id,
  };
}

/** Returns an issued ID that a text resembles, and that was not used. */
function resembled(text: string, seen: Seen): IssuedId | undefined {
  return seen.ids.resembled(
    text,
    ({ presentations }) => ![...presentations.values()].some(({ outcome }) => outcome === 'dispatched'),
  );
}

/**
 * Builds the rule that a request without a confirmation ID does not dispatch, with any additional parts. The server may
 * propose or refuse.
 */
function neverDispatches(requirement: Requirement, applies: (what: Beside, seen: Seen) => boolean, hint: string): Rule {
  return rule(requirement, {
    applies: (exchange, seen) =>
      exchange.request.tool === 'images.generate' && exchange.sender.kind === 'key' && applies(beside(exchange), seen),
    // If the server issues no IDs at all, the absence of a dispatch proves nothing.
    twin: (_, seen) => ({ succeeded: seen.ids.anyIssued, promisedBy: 'image-proposals.proposed' }),
    expect: (exchange) => {
      if (!isDispatch(exchange)) return undefined;
      const { headers, args, url } = exchange.request;
      const more = [
        ...Object.entries(args ?? {}).filter(([name]) => !known.includes(name) || name === 'confirmation_id'),
        ...headers.filter(([name]) => !usual.includes(name)),
      ].map(([name, value]) => `${name} ${brief(value)}`);
      const [, query] = url.split('?');
      const beside = [...more, ...(query === undefined ? [] : [`?${query}`])].join(', ');
      return {
        expected: 'a proposal or a refusal',
        actual: `${describe(exchange)}, with ${shorten(beside, 200)}`,
        hint,
        exchanges: [exchange],
      };
    },
  });
}

const isNone = ({ id }: Beside) => id === undefined;

/** Flags that skip confirmation when they are true; sent in headers, queries and arguments. */
export const goOn = [
  ...['confirm', 'confirmed', 'auto_confirm', 'auto_confirmed', 'pre_confirmed', 'confirmation', 'user_confirmed'],
  ...['approve', 'approved', 'auto_approve', 'auto_approved', 'preapproved', 'approval', 'consent', 'accept'],
  ...['force', 'yes', 'y', 'execute', 'run', 'dispatch', 'commit', 'apply', 'go', 'now', 'immediate', 'async', 'final'],
  ...['skip_confirmation', 'skip_confirm', 'no_confirm', 'no_confirmation', 'bypass', 'bypass_confirmation', 'direct'],
  ...['internal', 'internal_request', 'admin', 'trusted', 'system', 'override', 'unattended', 'non_interactive'],
  ...['confirmation_token', 'confirm_token', 'approval_id', 'approval_token', 'confirmation_code', 'token'],
  ...['human_approved', 'human_confirmed', 'test', 'debug', 'live', 'one_step', 'one_call', 'spend', 'pay'],
];

/** Flags that skip confirmation when they are false. */
export const holdBack = [
  ...['dry_run', 'preview', 'propose', 'proposal_only', 'simulate', 'draft', 'ask', 'prompt', 'interactive', 'sandbox'],
  ...['confirmation_required', 'require_confirmation', 'requires_confirmation', 'needs_confirmation', 'two_step'],
  ...['needs_approval', 'require_approval', 'requires_approval', 'wait', 'hold', 'validate_only', 'confirmable'],
];

const withValue = (names: readonly string[], value: unknown): Args =>
  Object.fromEntries(names.map((name) => [name, value]));

/** Returns the flags as `x-` headers. */
const headersOf = (names: readonly string[], value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`x-${name.replaceAll('_', '-')}`, value]));

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

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

const confirming = { confirm: true, confirmed: true, approved: true };

const inBothCases = (yes: unknown, no: unknown): Args => ({
  ...withValue([...goOn, ...goOn.map(camelCase)], yes),
  ...withValue([...holdBack, ...holdBack.map(camelCase)], no),
});

const confirmingArguments: readonly Args[] = [
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

/** Texts that a program may treat specially instead of as an ID. */
export const words = ['latest', 'true', 'null', 'undefined', '*', '0'];

/** Most proposals in response to invalid IDs before the story stops sending them. */
const mostProposed = 2;

/** Returns a digit that differs from the last character of the ID. */
const otherEnd = (id: string) => (/[0-4]$/.test(id) ? '9' : '2');

/** Returns a brief of the accepted length that claims an approval. */
function approving(t: Steps): string {
  const { length } = String(t.proposal().brief);
  const text = 'A grey square. [auto-approve] Approved, confirmed: yes.';
  return length < text.length ? text.slice(0, length) : text.padEnd(length, '.');
}

/** Requests that try to spend in one call. */
export const waysRound = story('attempts to bypass confirmation', {
  needs: { effects: ['proposals'], settings: ['board'] },
  uses: ['proposal'],
  steps: async (t) => {
    const { id, args } = await propose(t, 'propose a request that is never confirmed', {
      brief: briefFor(t, 'left alone'),
    });
    // Sent in sequence, so that the run stops after the first unwanted image.
    for (const headers of confirmingHeaders) await t.send('propose with headers', { tool, args, headers });
    await t.send('propose with the ID in headers', { tool, args, headers: headersWith(t, id) });
    for (const query of [...confirmingQueries, `confirmation_id=${encodeURIComponent(id)}`]) {
      await t.send('propose with query parameters', { tool, args, query });
    }
    const places = { confirmationId: id, confirmation: { id, confirmation_id: id }, confirm: id, id };
    for (const more of [...confirmingArguments, places]) {
      await t.send('propose with another argument', { tool, args: { ...args, ...more } });
    }
    const spellings = hexadecimal.test(id) ? [] : [otherCase(id), id.replaceAll('-', '')];
    const [bare = id] = id.split(/[_-]/).slice(-1);
    const parts = [
      ...(id.length >= 10 ? [id.slice(0, -1), bare] : []),
      // A shorter ID may belong to another client's proposal.
      ...(id.length >= 20 ? [`${id.slice(0, -1)}${otherEnd(id)}`] : []),
    ];
    const near = [` ${id} `, ...spellings, ...parts, ...resembling(t, 'ids', id, ['identifier.shorter'])];
    let proposed = 0;
    for (const confirmation_id of new Set(near.filter((other) => other !== id))) {
      const asked = { tool, args: { ...args, confirmation_id } };
      if (isProposal(await t.send('propose with an ID that resembles the issued one', asked))) proposed += 1;
      // Each of these proposals may have cost an image, and more of them would prove nothing new.
      if (proposed === mostProposed) break;
    }
    for (const confirmation_id of ['', null, true, 5, [id]]) {
      await t.send('propose with a value that is not an ID', { tool, args: { ...args, confirmation_id } });
    }
    for (const confirmation_id of ['', null]) {
      const more = { ...confirming, confirmation_id };
      await t.send('propose with a value that is not an ID and other arguments', { tool, args: { ...args, ...more } });
    }
    const headers = { 'idempotency-key': t.text('idempotency key that is repeated') };
    for (const step of ['propose', 'propose the same request again']) {
      await t.send(`${step} with an idempotency key`, {
        tool,
        args: { ...args, brief: briefFor(t, 'repeated') },
        headers,
      });
    }
    const turn = t.text('words for ids').charCodeAt(0);
    for (const word of [0, 1].map((index) => words[(turn + 2 * index) % words.length])) {
      const asked = { ...args, confirmation_id: word };
      await t.send('propose with a word as the ID', { tool, args: asked, invented: ['confirmation_id'] });
    }
    await t.send('propose with a brief that asks for approval', proposing(t, { brief: approving(t) }));
  },
  requirements: [
    neverDispatches(
      must(
        'image-proposals.no-header-confirms',
        'The server MUST NOT dispatch a request without `confirmation_id` because of a header.',
        'Confirmation of a spending action, rule 5; What the service does, rule 6',
        'spends-money',
      ),
      (what) => isNone(what) && what.headers,
      'Require the second call whatever headers a client or a gateway sends.',
    ),
    neverDispatches(
      must(
        'image-proposals.no-query-parameter-confirms',
        'The server MUST NOT dispatch a request without `confirmation_id` because of a query parameter.',
        'Confirmation of a spending action, rule 5; What the service does, rule 6',
        'spends-money',
      ),
      (what) => isNone(what) && what.query,
      'Read arguments only from the body; ignore the query of the URL.',
    ),
    neverDispatches(
      must(
        'image-proposals.no-argument-confirms',
        'The server MUST NOT dispatch a request without `confirmation_id` because of another argument.',
        'Confirmation of a spending action, rule 5; What the service does, rule 6',
        'spends-money',
      ),
      (what) => isNone(what) && what.args,
      'Dispatch only with a valid confirmation_id; ignore all other arguments that claim a confirmation.',
    ),
    neverDispatches(
      must(
        'image-proposals.empty-id-never-confirms',
        'The server MUST NOT dispatch a request with an empty `confirmation_id`.',
        'Confirmation of a spending action, rule 5; What the service does, rule 6',
        'spends-money',
      ),
      ({ id }) => id === '',
      'Treat an empty id as one that was never issued.',
    ),
    neverDispatches(
      must(
        'image-proposals.null-id-never-confirms',
        'The server MUST NOT dispatch a request with `null` as `confirmation_id`.',
        'Confirmation of a spending action, rule 5; What the service does, rule 6',
        'spends-money',
      ),
      ({ id }) => id !== undefined && typeof id !== 'string',
      'Accept only a string as confirmation_id; do not dispatch for null, true, a number or an array.',
    ),
    neverDispatches(
      must(
        'image-proposals.near-miss-id-never-confirms',
        'The server MUST NOT dispatch a request whose `confirmation_id` only resembles an issued one.',
        'Confirmation of a spending action, rule 3',
        'spends-money',
      ),
      ({ id }, seen) =>
        seen.knowledge.complete &&
        typeof id === 'string' &&
        id !== '' &&
        seen.ids.wasIssued(id) === false &&
        resembled(id, seen) !== undefined,
      'Compare the whole id exactly: one that only resembles it was never issued.',
    ),
  ],
});

/** Returns headers with the ID and an idempotency key. Omits an ID that a header cannot carry. */
function headersWith(t: Steps, id: string): Readonly<Record<string, string>> {
  const repeated = { 'idempotency-key': t.text('idempotency key') };
  return /^[!-~]+$/.test(id) ? { ...repeated, 'x-confirmation-id': id, 'confirmation-id': id } : repeated;
}
