import { ignoring } from '../../../../stub/variants/changes/arguments.ts';
import { changing, field, unreachable } from '../../../../stub/variants/changes/responses.ts';
import { around, calls, sent } from '../../../../stub/variants/changes/steps.ts';
import { asked } from '../../../../stub/variants/changes/workspaces.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { everySlug, openTo } from '../../changes/workspaces.ts';

/** Defects in workspace access. */
export const reachDefects = {
  'foreign-workspace-readable': defect('lets a key read the schedules of any account')
    .breaks(
      'workspaces.unreachable-refused',
      'workspaces.unreachable-within-account',
      'content-requests.works-in-named-workspace',
    )
    .by(openTo('schedule.read')),
  'all-workspaces-listed-where-out-of-reach': defect(
    'lists the workspaces of every account when it refuses an unreachable workspace',
  )
    .breaks('workspaces.unreachable-lists-passable')
    .by(
      changing(
        unreachable,
        field('workspaces', (_, call) => everySlug(call)),
      ),
    ),
  'asked-workspace-listed-where-out-of-reach': defect(
    'lists an unreachable workspace as a choice when it refuses that workspace',
  )
    .breaks('workspaces.unreachable-lists-passable')
    .by(
      changing(
        unreachable,
        field('workspaces', (_, call) => [asked(call)]),
      ),
    ),
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
    .breaks(
      'workspaces.ambiguous-schedule-read',
      'workspaces.ambiguous-content-status',
      'workspaces.ambiguous-library-search',
      'workspaces.ambiguous-library-get',
      'workspaces.ambiguous-knowledge-search',
      'workspaces.ambiguous-connections-status',
      'workspaces.ambiguous-create-request',
      'workspaces.ambiguous-images-generate',
      'bodies.omitted-schedule-read',
    )
    .by(
      around('runTool', (run) => (call) => {
        if (calls('content.create_request')(call) && call.key?.role === 'ambiguous') {
          call.key.storedDefault = asked(call) ?? call.key.storedDefault;
        }
        return run(call);
      }),
    ),
};
