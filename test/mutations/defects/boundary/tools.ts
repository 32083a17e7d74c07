import { boundaryCodes } from '../../../../fixtures/contract/codes.ts';
import { toolNames } from '../../../../fixtures/contract/tools.ts';
import type { Role } from '../../../../fixtures/roles.ts';
import type { Call } from '../../../../stub/server/behavior.ts';
import { refusal, success } from '../../../../stub/server/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { both, changing, errorFields, headers, status, to, type When } from '../../changes/responses.ts';
import { calls, instead, skipping } from '../../changes/steps.ts';

const closedTo =
  (...roles: readonly Role[]) =>
  (call: Call): boolean =>
    roles.some((role) => role === call.key?.role);

const noSuchTool = status(404);
const nothing = () => success({ ok: true });
const familyExists: When = (_, { toolName }) => toolNames.some((name) => name.startsWith(`${toolName.split('.')[0]}.`));
const family = ({ toolName }: Call): string | undefined => toolName.split('.', 1)[0];

/** Defects in closed surfaces and in unknown tools. */
export const surfaceDefects = {
  'capability-not-asked-on-library-get': defect('lets holders without api.access fetch library items')
    .breaks('surface.without-access-refused')
    .by(skipping('surface', (call) => calls('library.get')(call) && closedTo('withoutAccess')(call))),
  'surface-only-with-body': defect('does not check the API switches and api.access for a request without a body')
    .breaks('surface.account-switch-refused', 'surface.platform-switch-refused', 'surface.without-access-refused')
    .by(skipping('surface', ({ request }) => (request.body?.length ?? 0) === 0)),
  'surface-after-arguments': defect('checks the API switches and api.access only after it validates the arguments')
    .breaks('surface.account-switch-refused', 'surface.platform-switch-refused', 'surface.without-access-refused')
    .by((behavior) => ({
      ...behavior,
      order: behavior.order.flatMap((name) =>
        name === 'surface' ? [] : name === 'checkArguments' ? [name, 'surface' as const] : [name],
      ),
    })),
  'platform-switch-forgotten': defect('never checks the API switch of the platform')
    .breaks('surface.platform-switch-refused')
    .by(skipping('surface', closedTo('platformSwitchOff'))),
  'one-code-for-both-switches': defect(
    'sends one code with the 403 for the platform and the 403 for the account switch',
  )
    .breaks('surface.codes-tell-causes-apart')
    .by(
      changing(
        both(status(403), to('accountSwitchOff', 'platformSwitchOff')),
        errorFields({ code: boundaryCodes.accountSwitchOff }),
      ),
    ),
  'unknown-tool-as-refusal': defect('returns 200 and a refusal for an unknown tool')
    .breaks('unknown-tools.unknown-404', 'unknown-tools.near-misses-404', 'unknown-tools.prototype-names-404')
    .by(
      instead(
        'findTool',
        ({ tool }) => tool === undefined,
        () => refusal('boundary', { code: 'no_such_tool', message: 'There is no such tool.' }),
      ),
    ),
  'prototype-member-is-a-tool': defect('treats constructor as a tool and returns an empty result')
    .breaks('unknown-tools.prototype-names-404')
    .by(instead('findTool', ({ toolName }) => toolName === 'constructor', nothing)),
  'unknown-tool-named-in-404': defect('repeats the unknown tool name in the message of the 404')
    .breaks('unknown-tools.name-not-in-body', 'unknown-tools.uniform-body')
    .by(
      changing(noSuchTool, (response, call) =>
        errorFields({ message: `There is no tool ${call.toolName}.` })(response, call),
      ),
    ),
  'suggestion-in-header-of-404': defect(
    'links to documentation in a header of the 404 if the part of the tool name before the dot is known',
  )
    .breaks('unknown-tools.uniform-headers')
    .by(
      changing(both(noSuchTool, familyExists), (response, call) =>
        headers({ link: `</docs/${family(call)?.toLowerCase()}>; rel="help"` })(response, call),
      ),
    ),
  'unknown-tool-named-in-header': defect('repeats the unknown tool name in a header of the 404')
    .breaks('unknown-tools.name-not-in-headers', 'unknown-tools.uniform-headers')
    .by(changing(noSuchTool, (response, call) => headers({ 'x-tool': call.toolName })(response, call))),
};
