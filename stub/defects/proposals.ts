import type { proposalDefects as data } from '../../fixtures/defects/proposals.ts';
import { refusal } from '../answers.ts';
import type { Call, ToolCall } from '../call.ts';
import { issuing } from './ids.ts';
import {
  answering,
  aroundTool,
  both,
  type Change,
  code,
  type Deviation,
  each,
  field,
  fields,
  from,
  inside,
  proposal,
  together,
  unfit,
  type When,
} from './patches.ts';
import { asked, everySlug, openTo } from './places.ts';
import { calls, converting, defaulting, ignoring, instead, settling } from './steps.ts';

const tool = 'images.generate';
const boardNotFound = code('board_not_found');

/** Changes every proposal. */
const proposing = (...changes: readonly Change[]): Deviation => answering(proposal, ...changes);
/** Changes whatever names a request: proposals and dispatched replies. */
const echoing = (name: string, change: (value: unknown, call: Call) => unknown): Deviation =>
  answering(
    both(from(tool), ({ body }) => body.ok === true),
    field(name, change),
  );
const reading = (name: string, convert: (value: unknown) => unknown): Deviation => converting(name, convert, tool);
const missing =
  (name: string): When =>
  (answer, call) =>
    answer.body.code === 'invalid_arguments' && calls(tool)(call) && call.body[name] === undefined;

/** Takes credits with every proposal. */
const charging = (credits: (call: ToolCall<typeof tool>) => number): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const answer = generate(call);
    if (answer.body.status === 'confirmation_required') call.account.credits -= credits(call);
    return answer;
  });

/** Confirms by itself what some calls propose. */
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

/** Boards that a call finds, those of its workspace being the first. */
const boardsOf = (call: ToolCall<typeof tool>) =>
  call.account.workspaces.flatMap((slug) => call.state.workspace(slug).content.boards);

/** Finds a board that the workspace does not have, by working as if it had. */
const withBoard = (found: (call: ToolCall<typeof tool>) => boolean): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const { content } = call.place.workspace;
    const known = content.boards.some(({ id }) => id === call.args.board);
    if (known || !found(call)) return generate(call);
    const boards = [{ id: call.args.board, name: 'another board' }, ...content.boards] as const;
    const workspace = { ...call.place.workspace, content: Object.create(content, { boards: { value: boards } }) };
    return generate({ ...call, place: { ...call.place, workspace } });
  });

/** Finds a confirmation that waits by another id than its own. */
const findingById = (same: (id: string, given: string) => boolean): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const { confirmation_id: given, ...args } = call.args;
    const held = given && call.state.confirmations.waiting().find(({ id }) => same(id, given));
    return generate(held ? { ...call, args: { ...args, confirmation_id: held.id } } : call);
  });

/** Deviations of proposals. */
export const proposalDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'images-always-refused': instead('runTool', calls(tool), () =>
    refusal('tool', { code: 'images_disabled', message: 'Images are switched off.' }),
  ),
  'proposal-called-pending': proposing(fields({ status: 'pending' })),
  'confirmation-id-as-number': proposing(fields({ confirmation_id: 17 })),
  'confirmation-id-empty': proposing(fields({ confirmation_id: '' })),
  'confirmation-id-under-other-name': proposing(({ body: { confirmation_id, ...body }, ...answer }) => ({
    ...answer,
    body: { ...body, confirmationId: confirmation_id },
  })),
  'confirmation-id-by-request': issuing(({ args, place }) =>
    JSON.stringify([place.workspace.content.slug, args.board, args.brief, args.count, args.shape]),
  ),
  'confirmation-id-by-second': issuing(({ state }) => `cnf_${Math.floor(state.clock.now() / 1000)}`),
  'confirmation-id-of-the-open-one': (rules) => {
    const known = new Map<string, unknown>();
    return aroundTool(tool, (generate) => (call) => {
      const answer = generate(call);
      if (answer.body.status !== 'confirmation_required') return answer;
      const request = JSON.stringify([call.place.workspace.content.slug, call.args]);
      const before = known.get(request);
      if (before === undefined) known.set(request, answer.body.confirmation_id);
      return before === undefined ? answer : { ...answer, body: { ...answer.body, confirmation_id: before } };
    })(rules);
  },
  'summary-null': proposing(fields({ request_summary: null })),
  'summary-empty': proposing(fields({ request_summary: '' })),
  'summary-as-object': proposing(field('request_summary', (text) => ({ text }))),
  'run-id-made-ahead': proposing(field('run_id', (_, { state }) => state.ids.next('run'))),
  'run-id-left-out': proposing(fields({ run_id: undefined })),
  'run-id-empty': proposing(fields({ run_id: '' })),
  'count-zero-until-run': proposing(fields({ count: 0 })),
  'count-as-text': echoing('count', String),
  'shape-named-instead': proposing(fields({ aspect_ratio: 'square' })),
  'shape-with-x': proposing(field('aspect_ratio', (shape) => String(shape).replace(':', 'x'))),
  'board-by-name': proposing(field('board_id', (_, { place }) => place?.workspace.content.boards[0].name)),
  'board-id-left-out': proposing(fields({ board_id: undefined })),
  'proposal-without-source': proposing(inside('working_in', { source: undefined })),
  'proposal-reserves-credits': charging(({ args, rules }) => args.count * rules.images.creditsEach),
  'proposal-costs-one-credit': charging(() => 1),
  'proposal-costs-from-two': charging(({ args }) => (args.count > 1 ? 1 : 0)),
  'board-by-default': defaulting('board', firstBoard, tool),
  'brief-by-default': defaulting('brief', () => 'something nice', tool),
  'count-by-default': defaulting('count', () => 1, tool),
  'shape-by-default': defaulting('shape', () => '1:1', tool),
  'missing-count-not-named': answering(
    missing('count'),
    each('issues', () => ({ path: '', message: 'missing' })),
  ),
  'count-rounded': reading('count', (count) => (typeof count === 'number' ? Math.round(count) : count)),
  'count-out-of-a-text': reading('count', (count) => (typeof count === 'string' ? Number(count) : count)),
  'count-null-is-1': reading('count', (count) => (count === null ? 1 : count)),
  'count-true-is-1': reading('count', (count) => (count === true ? 1 : count)),
  'board-by-number': reading('board', (board) => (typeof board === 'number' ? String(board) : board)),
  'brief-by-number': reading('brief', (brief) => (typeof brief === 'number' ? String(brief) : brief)),
  'brief-out-of-a-list': reading('brief', (brief) => (Array.isArray(brief) ? brief.join(' ') : brief)),
  'shape-by-number': reading('shape', (shape) => (shape === 1 ? '1:1' : shape)),
  'shape-out-of-a-list': reading('shape', (shape) => (Array.isArray(shape) ? shape[0] : shape)),
  'unknown-board-made': withBoard((call) => boardsOf(call).every(({ id }) => id !== call.args.board)),
  'board-by-its-start': withBoard(({ args, place }) =>
    place.workspace.content.boards.some(({ id }) => args.board !== '' && id.startsWith(args.board)),
  ),
  'board-in-any-case': withBoard(({ args, place }) =>
    place.workspace.content.boards.some(({ id }) => id.toLowerCase() === args.board.toLowerCase()),
  ),
  'board-empty-is-fine': withBoard(({ args }) => args.board === ''),
  'unknown-board-is-invalid': answering(boardNotFound, () => unfit('board')),
  'board-of-any-workspace': withBoard((call) => boardsOf(call).some(({ id }) => id === call.args.board)),
  'board-elsewhere-told': aroundTool(tool, (generate) => (call) => {
    const answer = generate(call);
    const elsewhere = boardsOf(call).some(({ id }) => id === call.args.board);
    return elsewhere && answer.body.code === 'board_not_found'
      ? fields({ code: 'board_elsewhere' })(answer, { ...call, toolName: tool, tool, body: {} })
      : answer;
  }),
  'images-empty-workspace-is-none': ignoring('workspace', (value) => value === '', tool),
  'images-workspace-number-ignored': ignoring('workspace', (value) => typeof value === 'number', tool),
  'images-unknown-workspace-falls-back': settling((call, key) => {
    const unknown = calls(tool)(call) && asked(call) !== undefined && !everySlug(call).includes(asked(call) ?? '');
    return unknown && key.storedDefault !== null ? [key.storedDefault, 'stored-default'] : undefined;
  }),
  'images-in-foreign-workspace': openTo(tool),
  'images-in-the-default': settling((call, key) =>
    calls(tool)(call) && key.storedDefault !== null ? [key.storedDefault, 'stored-default'] : undefined,
  ),
  'override-refused-to-images': instead(
    'runTool',
    (call) => calls(tool)(call) && call.place?.workspace.content.slug !== call.key?.storedDefault,
    () => refusal('tool', { code: 'workspace_read_only', message: 'Images are made in the default workspace.' }),
  ),
  'workspace-wanted-by-images': aroundTool(tool, (generate) => (call) => {
    if (call.args.workspace !== undefined) return generate(call);
    return refusal('tool', { code: 'workspace_required', message: 'Name a workspace.' });
  }),
  'proposal-always-by-override': proposing(inside('working_in', { source: 'call-override' })),
  'proposal-calls-pin-default': answering(
    both(proposal, (_, { place }) => place?.source === 'key-pin'),
    inside('working_in', { source: 'stored-default' }),
  ),
  'x-confirm-confirms': inHeader('x-confirm', 'true'),
  'prefer-header-confirms': inHeader('prefer', 'respond-sync'),
  'x-auto-approve-confirms': inHeader('x-auto-approve', 'true'),
  'idempotency-key-confirms': confirmingAtOnce(({ request }) => request.headers['idempotency-key'] !== undefined),
  'confirm-in-query-confirms': inQuery('confirm=true'),
  'dry-run-false-in-query-confirms': inQuery('dry_run=false'),
  'confirm-argument-confirms': argument('confirm', true),
  'auto-approve-argument-confirms': argument('auto_approve', true),
  'force-argument-confirms': argument('force', true),
  'status-argument-confirms': argument('status', 'dispatched'),
  'empty-id-confirms': argument('confirmation_id', ''),
  'null-id-confirms': (rules) =>
    converting(
      'confirmation_id',
      (id) => (id === null ? 'null' : id),
      tool,
    )(argument('confirmation_id', 'null')(rules)),
  'true-id-confirms': (rules) =>
    converting(
      'confirmation_id',
      (id) => (id === true ? 'true' : id),
      tool,
    )(argument('confirmation_id', 'true')(rules)),
  'confirmation-id-trimmed': converting('confirmation_id', (id) => (typeof id === 'string' ? id.trim() : id), tool),
  'confirmation-id-cut-to-its-column': converting('confirmation_id', (id) => String(id).slice(0, 24), tool),
  'confirmation-id-in-any-case': findingById((id, given) => id.toLowerCase() === given.toLowerCase()),
  'confirmation-id-without-its-dashes': together(
    issuing((_, id) => `${id.slice(0, 8)}-${id.slice(8)}`),
    findingById((id, given) => id.replaceAll('-', '') === given),
  ),
  'confirmation-id-by-its-start': (rules) => {
    const issued = new Set<string>();
    return aroundTool(tool, (generate) => (call) => {
      const { confirmation_id: given } = call.args;
      const found = given && [...issued].find((id) => id.startsWith(given));
      const answer = generate(found ? { ...call, args: { ...call.args, confirmation_id: found } } : call);
      if (typeof answer.body.confirmation_id === 'string') issued.add(answer.body.confirmation_id);
      return answer;
    })(rules);
  },
};

/** The first board of the workspace that a call names. */
function firstBoard({ body, key, state }: Call): unknown {
  const slug = key?.reach.find((each) => each === (body.workspace ?? key.storedDefault));
  return slug === undefined ? undefined : state.workspace(slug).content.boards[0].id;
}
