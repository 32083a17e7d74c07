import type { sources } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { check } from '../check.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import { describeAnswer, succeeds } from '../expect/answers.ts';
import type { Finding } from '../finding.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { promisedBy, type Reading, readings, works } from '../scenes/reading.ts';
import { argument, isPinned, isScopedResult, source } from '../scenes/scoped-results.ts';
import { isOwnRefusal, ownWorkspace } from '../scenes/unnamed.ts';

/** The result of a call in which this rung, and no other, decides tells it as its source. */
function sourceIs(value: (typeof sources)[number], role: string, exchange: Answered): Finding | undefined {
  const actual = source(exchange);
  if (actual === value) return undefined;
  return {
    expected: `working_in.source "${value}"`,
    actual: `working_in.source ${brief(actual)}`,
    hint: `look at how ${exchange.request.tool} resolves the workspace ${role}`,
    exchanges: [exchange],
  };
}

/** A tool that did not work without an argument, although the key resolves by itself. */
function worksAlone({ tool, answer }: Reading, value: (typeof sources)[number], how: string): Finding | undefined {
  return {
    expected: `${tool} to work without an argument, with the source "${value}"`,
    actual: describeAnswer(answer),
    hint: `look at how ${tool} resolves the workspace ${how}`,
    exchanges: [answer],
  };
}

/** A rung that a role makes certain: every reading tool works without an argument and tells the rung. */
function rung(requirement: RequirementId, role: Role, value: (typeof sources)[number]) {
  const applies = (exchange: Answered) =>
    isScopedResult(exchange) &&
    exchange.credential.role === role &&
    argument(exchange) === undefined &&
    source(exchange) !== undefined;
  const how = `of the key in the role '${role}'`;
  return {
    ...check({
      requirement,
      needs: { roles: [role] },
      async run(t) {
        const met = await readings(t, {}, role);
        const declined: Reading[] = [];
        for (const reading of met) {
          const { tool, answer } = reading;
          if (isSuccess(answer) || !(await works(t, tool))) continue;
          // A workspace was resolved, and the tool declined: that it answers at all is promised elsewhere.
          if (isOwnRefusal(answer)) declined.push(reading);
          else t.expect(worksAlone(reading, value, how));
        }
        for (const { tool, answer } of declined) {
          const hint = `${tool} answers 'primary' and declines the same call ${how}, which it reached by its workspace: look at what differs, the key or what was called before`;
          t.control(promisedBy[tool], succeeds(answer, hint));
        }
        if (t.findings.length === 0 && !met.some(({ answer }) => applies(answer))) {
          t.cannot('no answer of this key told its source', { kind: 'data', what: 'a source in working_in' });
        }
      },
    }),
    rule: { applies, verdict: (exchange: Answered) => sourceIs(value, how, exchange) },
  };
}

/** The ways in which a workspace is resolved, each told as the source. */
export const rungs = [
  rule({
    requirement: 'workspaces.source-call-override',
    applies: (exchange) =>
      isScopedResult(exchange) &&
      typeof argument(exchange) === 'string' &&
      source(exchange) !== undefined &&
      !isPinned(exchange) &&
      exchange.credential.pinnedTo === undefined &&
      // Any other key, such as the one that is throttled, may be pinned as well.
      ['primary', 'ambiguous', 'defaulted', 'sole'].some((role) => role === exchange.credential.role),
    verdict: (exchange) => sourceIs('call-override', 'when the call names one', exchange),
    async exercise(t) {
      const first = await t.call('schedule.read', t.here());
      const { workspace } = body(first);
      if (typeof workspace !== 'string') return t.cannot('no result named a workspace that could be asked for');
      // Where the usual key may be pinned, one that cannot be stands in for it.
      const others = (['defaulted', 'sole'] as const).filter((role) => t.has(role));
      const as = first.credential.pinnedTo === undefined ? 'primary' : others[0];
      if (as === undefined) return t.cannot("'primary' may be pinned, and no other key is known to be free of a pin");
      const own = as === 'primary' ? workspace : await ownWorkspace(t, as);
      return own === undefined ? [] : (await readings(t, { workspace: own }, as)).map(({ answer }) => answer);
    },
  }),
  rung('workspaces.source-key-pin', 'pinned', 'key-pin'),
  rung('workspaces.source-stored-default', 'defaulted', 'stored-default'),
  rung('workspaces.source-sole-reachable', 'sole', 'sole-reachable'),
];
