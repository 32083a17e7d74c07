import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { ApiResponse } from '../../../stub/server/responses.ts';
import { type Deviation, defect } from '../../../stub/variants/defect.ts';
import { ambiguousOfTools } from '../../declared-tool.ts';
import { ambiguous, changing, field, fields, inside, result, unreachable } from '../changes/responses.ts';
import {
  around,
  asked,
  type Calls,
  calls,
  everySlug,
  ignoring,
  openTo,
  sent,
  settling,
  toDefault,
} from '../changes/steps.ts';

/** Picks the first accessible workspace if the choice is ambiguous. */
const pickingWhere = (when: Calls): Deviation =>
  settling((call, key) => {
    const nothingChooses = asked(call) === undefined && key.pin === null && key.storedDefault === null;
    const [first] = nothingChooses && key.reach.length > 1 && when(call) ? key.reach : [];
    return first === undefined ? undefined : [first, 'stored-default'];
  });
export const picksFirst = (tool: ToolName): Deviation => pickingWhere(calls(tool));

const asObject = field('workspace', (slug) => ({ slug }));
const listingAsked = field('workspaces', (_, call) => [asked(call)]);
const listingAll = field('workspaces', (_, call) => everySlug(call));

/** Defects in the choice of the workspace and in what results say of it. */
export const workspaceDefects = {
  'workspace-as-object': defect('sends the workspace of connections.status as an object that contains the slug')
    .breaks(
      'workspaces.result-names-workspace',
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.working-in-agrees',
    )
    .by(changing(result('connections.status'), asObject)),
  'status-of-nowhere': defect('leaves out working_in from the results of content.status')
    .breaks('workspaces.working-in-present')
    .by(changing(result('content.status'), fields({ working_in: undefined }))),
  'source-null-on-create': defect('sends null as the source in the results of content.create_request')
    .breaks(
      'content-requests.working-in-complete',
      'content-requests.source-of-each-rung',
      'workspaces.source-known',
      'workspaces.source-call-override',
      'workspaces.source-key-pin',
      'workspaces.source-stored-default',
      'workspaces.source-sole-reachable',
    )
    .by(changing(result('content.create_request'), inside('working_in', { source: null }))),
  'argument-ignored-by-library-get': defect('runs library.get in the default workspace, whatever the request names')
    .breaks(
      'workspaces.argument-honoured-every-tool',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
      'headers.tool-error-on-unreachable',
      'library.found-can-be-got',
      'library.items-stay-in-workspace',
    )
    .by(toDefault('library.get')),
  'argument-sticks': defect('stores the requested workspace as the default workspace of the key')
    .breaks(
      ...ambiguousOfTools,
      'workspaces.source-sole-reachable',
      'content-requests.source-of-each-rung',
      'confirmations.unnamed-workspace',
      'workspaces.source-stored-default',
      'image-proposals.works-without-argument',
      'library.found-can-be-got',
    )
    .by(
      around('runTool', (run) => (call) => {
        if (call.key !== undefined && asked(call) !== undefined && call.key.pin === null) {
          call.key.storedDefault = asked(call) ?? null;
        }
        return run(call);
      }),
    ),
  'answer-cached-without-workspace': defect('returns a cached response of connections.status for other workspaces')
    .breaks(
      'workspaces.argument-honoured-every-tool',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
      'workspaces.source-key-pin',
      'workspaces.source-stored-default',
      'workspaces.source-sole-reachable',
    )
    .by((behavior) => {
      const kept = new Map<string, ApiResponse>();
      return around('runTool', (run) => (call) => {
        if (!calls('connections.status')(call)) return run(call);
        const account = call.key?.account ?? '';
        const response = kept.get(account) ?? run(call);
        if (response !== undefined) kept.set(account, response);
        return response;
      })(behavior);
    }),
  'foreign-workspace-readable': defect('lets a key read the schedules of any account')
    .breaks(
      'workspaces.unreachable-refused',
      'workspaces.unreachable-within-account',
      'content-requests.works-in-named-workspace',
    )
    .by(openTo('schedule.read')),
  'asked-workspace-listed-where-out-of-reach': defect('lists an unreachable workspace as a choice in its refusal')
    .breaks('workspaces.unreachable-lists-passable')
    .by(changing(unreachable, listingAsked)),
  'empty-workspace-is-none': defect('treats an empty workspace as omitted')
    .breaks(
      'workspaces.empty-refused',
      'content-requests.workspace-empty-refused',
      'image-proposals.workspace-empty-refused',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
    )
    .by(ignoring('workspace', (value) => value === '')),
  'default-not-looked-up-without-body': defect('ignores the stored default if a request has no body')
    .breaks('bodies.omitted-schedule-read', 'bodies.omitted-connections-status')
    .by(
      around('resolveWorkspace', (resolve) => (call) => {
        if (sent(call) !== '' || call.key?.storedDefault == null) return resolve(call);
        const { storedDefault } = call.key;
        call.key.storedDefault = null;
        const response = resolve(call);
        call.key.storedDefault = storedDefault;
        return response;
      }),
    ),
  'argument-of-create-sticks': defect('stores the workspace of a content request as the default workspace of the key')
    .breaks(...ambiguousOfTools, 'bodies.omitted-schedule-read')
    .by(
      around('runTool', (run) => (call) => {
        if (calls('content.create_request')(call) && call.key?.role === 'ambiguous') {
          call.key.storedDefault = asked(call) ?? call.key.storedDefault;
        }
        return run(call);
      }),
    ),
  'choices-of-everybody': defect('lists the workspaces of every account if the workspace is ambiguous')
    .breaks('workspaces.ambiguous-choices-work')
    .by(changing(ambiguous, listingAll)),
};
