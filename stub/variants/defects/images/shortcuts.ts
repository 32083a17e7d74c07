import type { ToolCall } from '../../../server/behavior.ts';
import { converting } from '../../changes/arguments.ts';
import { issuing } from '../../changes/confirmations.ts';
import { aroundTool } from '../../changes/responses.ts';
import { type Deviation, together } from '../../deviation.ts';
import { defect } from '../defect.ts';

const tool = 'images.generate';

/** Confirms some proposals immediately. */
const confirmingAtOnce = (when: (call: ToolCall<typeof tool>) => boolean): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    if (!when(call)) return generate(call);
    const { confirmation_id: _, ...request } = call.args;
    const { confirmation_id } = generate({ ...call, args: request }).body;
    return typeof confirmation_id === 'string'
      ? generate({ ...call, args: { ...request, confirmation_id } })
      : generate(call);
  });

const argument = (name: string, value: unknown) => confirmingAtOnce(({ args }) => args[name] === value);
const inQuery = (text: string) => confirmingAtOnce(({ request }) => request.path.includes(text));
const inHeader = (name: string, value: string) => confirmingAtOnce(({ request }) => request.headers[name] === value);

/** Finds an open confirmation by a different ID. */
const findingById = (same: (id: string, given: string) => boolean): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const { confirmation_id: given, ...args } = call.args;
    const held = given && call.state.confirmations.waiting().find(({ id }) => same(id, given));
    return generate(held ? { ...call, args: { ...args, confirmation_id: held.id } } : call);
  });

/** Defects that dispatch without a valid confirmation. */
export const shortcutDefects = {
  'x-confirm-confirms': defect('dispatches at once if the header x-confirm is true')
    .breaks('image-proposals.no-header-confirms')
    .by(inHeader('x-confirm', 'true')),
  'prefer-header-confirms': defect('dispatches at once if the header Prefer asks for it')
    .breaks('image-proposals.no-header-confirms')
    .by(inHeader('prefer', 'respond-sync')),
  'x-auto-approve-confirms': defect('dispatches at once if the header x-auto-approve is true')
    .breaks('image-proposals.no-header-confirms')
    .by(inHeader('x-auto-approve', 'true')),
  'idempotency-key-confirms': defect('dispatches at once if there is a header idempotency-key')
    .breaks('image-proposals.no-header-confirms')
    .by(confirmingAtOnce(({ request }) => request.headers['idempotency-key'] !== undefined)),
  'confirm-in-query-confirms': defect('dispatches at once if the URL has confirm=true')
    .breaks('image-proposals.no-query-parameter-confirms')
    .by(inQuery('confirm=true')),
  'dry-run-false-in-query-confirms': defect('dispatches at once if the URL has dry_run=false')
    .breaks('image-proposals.no-query-parameter-confirms')
    .by(inQuery('dry_run=false')),
  'confirm-argument-confirms': defect('dispatches at once if an argument confirm is true')
    .breaks('image-proposals.no-argument-confirms')
    .by(argument('confirm', true)),
  'auto-approve-argument-confirms': defect('dispatches at once if an argument auto_approve is true')
    .breaks('image-proposals.no-argument-confirms')
    .by(argument('auto_approve', true)),
  'force-argument-confirms': defect('dispatches at once if an argument force is true')
    .breaks('image-proposals.no-argument-confirms')
    .by(argument('force', true)),
  'status-argument-confirms': defect('dispatches at once if the argument status is dispatched')
    .breaks('image-proposals.no-argument-confirms')
    .by(argument('status', 'dispatched')),
  'empty-id-confirms': defect('dispatches at once when confirmation_id is empty')
    .breaks('image-proposals.empty-id-never-confirms')
    .by(argument('confirmation_id', '')),
  'null-id-confirms': defect('dispatches at once when confirmation_id is null')
    .breaks('image-proposals.null-id-never-confirms')
    .by((behavior) =>
      converting(
        'confirmation_id',
        (id) => (id === null ? 'null' : id),
        tool,
      )(argument('confirmation_id', 'null')(behavior)),
    ),
  'true-id-confirms': defect('dispatches at once when confirmation_id is true')
    .breaks('image-proposals.null-id-never-confirms')
    .by((behavior) =>
      converting(
        'confirmation_id',
        (id) => (id === true ? 'true' : id),
        tool,
      )(argument('confirmation_id', 'true')(behavior)),
    ),
  'confirmation-id-trimmed': defect('trims spaces around a confirmation_id')
    .breaks('image-proposals.near-miss-id-never-confirms')
    .by(converting('confirmation_id', (id) => (typeof id === 'string' ? id.trim() : id), tool)),
  'confirmation-id-cut-to-its-column': defect('truncates a confirmation_id to the width of its column')
    .breaks('image-proposals.near-miss-id-never-confirms')
    .by(converting('confirmation_id', (id) => (typeof id === 'string' ? id.slice(0, 24) : id), tool)),
  'confirmation-id-by-its-start': defect('finds a confirmation by the beginning of its id')
    .breaks('image-proposals.near-miss-id-never-confirms')
    .by((behavior) => {
      const issued = new Set<string>();
      return aroundTool(tool, (generate) => (call) => {
        const { confirmation_id: given } = call.args;
        const found = given && [...issued].find((id) => id.startsWith(given));
        const response = generate(found ? { ...call, args: { ...call.args, confirmation_id: found } } : call);
        if (typeof response.body.confirmation_id === 'string') issued.add(response.body.confirmation_id);
        return response;
      })(behavior);
    }),
  'confirmation-id-in-any-case': defect('finds a confirmation by its id in any letter case')
    .breaks('image-proposals.near-miss-id-never-confirms')
    .by(findingById((id, given) => id.toLowerCase() === given.toLowerCase())),
  'confirmation-id-without-its-dashes': defect('finds a confirmation by its id without the dashes')
    .breaks('image-proposals.near-miss-id-never-confirms')
    .by(
      together(
        issuing((_, id) => `${id.slice(0, 8)}-${id.slice(8)}`),
        findingById((id, given) => id.replaceAll('-', '') === given),
      ),
    ),
};
