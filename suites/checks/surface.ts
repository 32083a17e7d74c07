import { toolNames } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';
import { boundaryError } from '../expect/answers.ts';
import { brief, member } from '../json.ts';
import { type closedRoleNames, closedRoles } from '../scenes/closed.ts';
import { effectOf } from '../session/call.ts';

type ClosedRole = (typeof closedRoleNames)[number];

/** Calls every tool that may be called; those that could change something only where that is allowed. */
function everyTool(t: Context, as: ClosedRole): Promise<Answered[]> {
  const credential = t.credential(as);
  const allowed = toolNames.filter((tool) => {
    const effect = effectOf({ tool, credential });
    return effect === undefined || t.allows(effect);
  });
  return Promise.all(allowed.map((tool) => t.call(tool, {}, { as })));
}

function closed(requirement: RequirementId, role: ClosedRole, hint: string) {
  return check({
    requirement,
    needs: { roles: [role] },
    async run(t) {
      for (const answer of await everyTool(t, role)) {
        t.expect(boundaryError(answer, 403, undefined, `${hint}, on ${answer.request.tool} too`));
      }
    },
  });
}

export const surface = [
  closed(
    'surface.without-access-refused',
    'withoutAccess',
    'check the capability api.access of the holder on every call',
  ),
  closed('surface.account-switch-refused', 'accountSwitchOff', "check the account's API switch on every call"),
  closed('surface.platform-switch-refused', 'platformSwitchOff', "check the platform's API switch on every call"),
  check({
    requirement: 'surface.codes-tell-causes-apart',
    needs: { roles: [] },
    async run(t) {
      const present = closedRoles(t);
      if (present.length < 2) t.cannot('fewer than two keys whose surface is closed');
      const answers = (await Promise.all(present.map((as) => everyTool(t, as)))).flat();
      const closed = answers.filter(({ answer: { status } }) => status === 403);
      t.leaveToOthers(answers.filter(({ answer: { status } }) => status !== 403));
      const byTool = [...Map.groupBy(closed, ({ request }) => request.tool)].filter(([, { length }]) => length > 1);
      if (byTool.length === 0) t.cannot('no tool answered two such keys with 403');
      for (const [tool, ofTool] of byTool) {
        const seen = new Map<unknown, Answered>();
        for (const answer of ofTool) {
          const code = member(answer.answer.json, 'error', 'code');
          const before = seen.get(code);
          if (before !== undefined) {
            t.expect({
              expected: `a code of its own for each cause, on ${tool} too`,
              actual: `error code ${brief(code)} for ${before.credential.label} and for ${answer.credential.label}`,
              hint: 'the code says which of platform switch, account switch and capability closed the surface',
              exchanges: [before, answer],
            });
          }
          seen.set(code, answer);
        }
      }
    },
  }),
];
