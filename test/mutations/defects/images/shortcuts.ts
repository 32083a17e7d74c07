import type { ToolCall } from '../../../../stub/server/behavior.ts';
import { aroundTool } from '../../../../stub/variants/changes/responses.ts';
import { type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { converting } from '../../changes/arguments.ts';

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

/** Defects that dispatch without a valid confirmation. */
export const shortcutDefects = {
  'prefer-header-confirms': defect('dispatches without a confirmation if the header Prefer is respond-sync')
    .breaks('image-proposals.no-header-confirms')
    .by(inHeader('prefer', 'respond-sync')),
  'confirm-in-query-confirms': defect('dispatches without a confirmation if the URL contains confirm=true')
    .breaks('image-proposals.no-query-parameter-confirms')
    .by(inQuery('confirm=true')),
  'confirm-argument-confirms': defect('dispatches without a confirmation if the argument confirm is true')
    .breaks('image-proposals.no-argument-confirms')
    .by(argument('confirm', true)),
  'empty-id-confirms': defect('dispatches without a confirmation if confirmation_id is empty')
    .breaks('image-proposals.empty-id-never-confirms')
    .by(argument('confirmation_id', '')),
  'null-id-confirms': defect('dispatches without a confirmation if confirmation_id is null')
    .breaks('image-proposals.null-id-never-confirms')
    .by((behavior) =>
      converting(
        'confirmation_id',
        (id) => (id === null ? 'null' : id),
        tool,
      )(argument('confirmation_id', 'null')(behavior)),
    ),
  'confirmation-id-cut-to-its-column': defect('truncates a confirmation ID to the width of its database column')
    .breaks('image-proposals.near-miss-id-never-confirms')
    .by(converting('confirmation_id', (id) => (typeof id === 'string' ? id.slice(0, 24) : id), tool)),
};
