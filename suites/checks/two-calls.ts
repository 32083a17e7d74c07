import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body } from '../exchange.ts';
import { brief } from '../json.ts';
import { isDispatch, leftAlone, proposes } from '../scenes/images.ts';
import { nearMisses } from '../scenes/issued-ids.ts';
import { ofAnotherForm } from '../scenes/worthless-ids.ts';

const tool = 'images.generate';

/** The two-call form holds against this way of asking: a refusal is as good as a proposal, a dispatch is not. */
function neverDispatches(
  requirement: RequirementId,
  ways: (t: Context, args: Args, id: string) => readonly (() => Promise<Answered>)[],
  hint: string,
) {
  return check({
    requirement,
    // An id that has expired would confirm nothing however it was presented.
    needs: { ...proposes, alone: 'unexpired' },
    async run(t) {
      const { args, id } = await leftAlone(t);
      // One by one: after the first image that nobody asked for, no more are risked.
      for (const way of ways(t, args, id)) {
        const answer = await way();
        if (!isDispatch(answer)) continue;
        t.expect({
          expected: 'a proposal or a refusal',
          actual: `status ${brief(body(answer).status)}, run_id ${brief(body(answer).run_id)}, with ${besides(answer, args)}`,
          hint,
          exchanges: [answer],
        });
      }
    },
  });
}

/** What a call has beyond the arguments of a proposal. */
function besides({ request }: Answered, args: Args): string {
  const [, query] = request.url.split('?');
  const usual = ['authorization', 'content-type'];
  return [
    ...Object.entries(request.args ?? {}).flatMap(([name, value]) =>
      JSON.stringify(args[name]) === JSON.stringify(value) ? [] : [`${name} ${brief(value)}`],
    ),
    ...request.headers.flatMap(([name, value]) => (usual.includes(name) ? [] : [`${name}: ${value}`])),
    ...(query === undefined ? [] : [`?${query}`]),
  ].join(', ');
}

const confirmingHeaders = [
  { 'x-confirm': 'true', 'x-confirmed': 'true', 'x-auto-confirm': 'true', 'x-auto-approve': 'true' },
  { 'x-skip-confirmation': 'true', 'x-force': 'true', 'x-dry-run': 'false', prefer: 'respond-sync' },
];
const confirmingQueries = [
  'confirm=true&confirmed=true&auto_confirm=1',
  'force=true&skip_confirmation=true&dry_run=false',
];
const confirmingArguments: readonly Args[] = [
  { confirm: true, confirmed: true, approved: true },
  { auto_confirm: true, auto_approve: true },
  { skip_confirmation: true, force: true },
  { dry_run: false },
  { status: 'dispatched' },
];

/** Headers that carry an id or belong to a request that is repeated; an id that no header can carry is left out. */
function headersWith(t: Context, id: string): Readonly<Record<string, string>> {
  const repeated = { 'idempotency-key': t.text('idempotency key') };
  return /^[!-~]+$/.test(id) ? { ...repeated, 'x-confirmation-id': id, 'confirmation-id': id } : repeated;
}

/** Ways in which somebody may hope to need one call only. */
export const twoCalls = [
  neverDispatches(
    'image-proposals.no-header-confirms',
    (t, args, id) => [
      ...confirmingHeaders.map((headers) => () => t.call(tool, args, { headers })),
      () => t.call(tool, args, { headers: headersWith(t, id) }),
    ],
    'no header turns the two-call form off, whatever a client or a gateway sends',
  ),
  neverDispatches(
    'image-proposals.no-query-parameter-confirms',
    (t, args, id) =>
      [...confirmingQueries, `confirmation_id=${encodeURIComponent(id)}`].map(
        (query) => () => t.call(tool, args, { query }),
      ),
    'the query of the URL has no say; read arguments from the body alone',
  ),
  neverDispatches(
    'image-proposals.no-argument-confirms',
    (t, args, id) =>
      [...confirmingArguments, { confirmationId: id }].map((extra) => () => t.call(tool, { ...args, ...extra })),
    'confirmation_id is the only argument that confirms',
  ),
  neverDispatches(
    'image-proposals.empty-id-never-confirms',
    (t, args) => [() => t.call(tool, { ...args, confirmation_id: '' })],
    'an empty id was never issued',
  ),
  neverDispatches(
    'image-proposals.null-id-never-confirms',
    (t, args, id) => [null, true, 5, [id]].map((each) => () => t.call(tool, { ...args, confirmation_id: each })),
    'null is no id, nor is true, a number or a list: nothing was confirmed',
  ),
  neverDispatches(
    'image-proposals.near-miss-id-never-confirms',
    (t, args, id) => [
      ...nearMisses(t, id).map((near) => () => t.call(tool, { ...args, confirmation_id: near })),
      () => ofAnotherForm(t),
    ],
    'compare the whole id, as it is: what only looks like it was never issued',
  ),
];
