import { type Source, sources } from '../../fixtures/contract/enums.ts';
import { readingTools, workspaceScopedTools } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { body, type Completed, isRefusal, isSuccess, precedes } from '../history/exchange.ts';
import { brief, isRecord, member } from '../json.ts';
import { asksForWords, isPlain, isWorkspaceRefusal } from './answers.ts';
import type { Finding } from './finding.ts';
import { fieldIsText } from './match/fields.ts';
import { describe, succeeds } from './match/responses.ts';
import { promisedBy } from './promises.ts';
import { inReach, isElsewhere, namesForeign } from './reach.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import { isDispatch } from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';

const reads = ({ request }: Completed) => readingTools.some((tool) => tool === request.tool);

/** A successful result of a tool that works in a workspace. */
const isScoped = (exchange: Completed) =>
  isSuccess(exchange) && workspaceScopedTools.some((tool) => tool === exchange.request.tool);

const workingIn = (exchange: Completed) => body(exchange).working_in;
const sourceOf = (exchange: Completed) => member(workingIn(exchange), 'source');
const named = ({ request }: Completed) => request.args?.workspace;
const namesOne = (exchange: Completed) => typeof named(exchange) === 'string' && exchange.sender.kind === 'key';

/** What a result tells of its workspace. */
const telling: readonly Rule[] = [
  rule('workspaces.result-names-workspace', {
    applies: isScoped,
    expect: (exchange) =>
      fieldIsText(exchange, 'workspace', 'Send the slug of the workspace in every result of a workspace-scoped tool.'),
  }),
  rule('workspaces.working-in-present', {
    applies: (exchange) => isScoped(exchange) && !isDispatch(exchange),
    expect: (exchange) => {
      const value = workingIn(exchange);
      if (isRecord(value) && typeof value.label === 'string' && typeof value.note === 'string') return undefined;
      return {
        expected: 'working_in with the strings label and note',
        actual: `working_in ${brief(value)}`,
        hint: `Add working_in with label and note to the results of ${exchange.request.tool}.`,
        exchanges: [exchange],
      };
    },
  }),
  rule('workspaces.working-in-agrees', {
    applies: (exchange) =>
      isScoped(exchange) &&
      member(workingIn(exchange), 'workspace') !== undefined &&
      body(exchange).workspace !== undefined,
    expect: (exchange) => {
      const inside = member(workingIn(exchange), 'workspace');
      const { workspace } = body(exchange);
      if (inside === workspace) return undefined;
      return {
        expected: `working_in.workspace ${brief(workspace)}, as in workspace`,
        actual: `working_in.workspace ${brief(inside)}`,
        hint: 'Set both from the workspace in which the tool runs.',
        exchanges: [exchange],
      };
    },
  }),
  rule('workspaces.source-known', {
    applies: (exchange) => isScoped(exchange) && sourceOf(exchange) !== undefined,
    expect: (exchange) => {
      if (sources.some((source) => source === sourceOf(exchange))) return undefined;
      return {
        expected: `working_in.source one of ${sources.join(', ')}`,
        actual: `working_in.source ${brief(sourceOf(exchange))}`,
        hint: 'Send the one of these four names that says how the workspace was resolved.',
        exchanges: [exchange],
      };
    },
  }),
];

/** A key that may be pinned proves nothing by staying where it is. */
function unlessPinned(exchange: Completed, seen: Seen): Twin {
  const { sender, request } = exchange;
  return {
    succeeded: !seen.places.mayStay(sender.role, request.tool),
    promisedBy: 'workspaces.argument-honoured-every-tool',
  };
}

function inAnother(exchange: Completed): Finding | undefined {
  if (!isElsewhere(exchange)) return undefined;
  const { workspace } = body(exchange);
  return {
    expected: `workspace ${brief(named(exchange))}, as in the request`,
    actual: `workspace ${brief(workspace)}`,
    hint: `${exchange.request.tool}: use the workspace of the argument, not a default, a cache or an earlier request.`,
    exchanges: [exchange],
  };
}

/** Where the argument decides. */
const honouring: readonly Rule[] = [
  rule('workspaces.argument-honoured', {
    applies: (exchange, seen) =>
      namesOne(exchange) &&
      (isScoped(exchange)
        ? body(exchange).workspace !== undefined
        : isWorkspaceRefusal(exchange) && named(exchange) === seen.places.own(exchange.sender.role)),
    unlessChanged: true,
    twin: (exchange, seen) => {
      if (isElsewhere(exchange) && isSuccess(exchange)) {
        const twin = unlessPinned(exchange, seen);
        // What a pinned key does with an argument is not shown.
        return { ...twin, succeeded: twin.succeeded && exchange.sender.role !== 'pinned' };
      }
      const { tool } = exchange.request;
      return { succeeded: isSuccess(exchange) || seen.places.worksNamed(tool), promisedBy: promisedBy(tool) };
    },
    expect: (exchange) =>
      isSuccess(exchange)
        ? inAnother(exchange)
        : succeeds(exchange, 'Accept this slug: without the argument, the key works in the same workspace.'),
  }),
  rule('workspaces.argument-honoured-every-tool', {
    applies: (exchange, seen) =>
      reads(exchange) &&
      namesOne(exchange) &&
      isPlain(exchange) &&
      exchange.invented.length === 0 &&
      exchange.sender.role !== 'sole' &&
      named(exchange) !== seen.places.own(exchange.sender.role) &&
      (isSuccess(exchange) ? body(exchange).workspace !== undefined : mayRun(exchange, seen)),
    mayDecline: asksForWords,
    unlessChanged: true,
    twin: (exchange, seen) => {
      const { sender, request } = exchange;
      const reached = seen.places.reaches(sender.role, String(named(exchange)), request.tool);
      if (isSuccess(exchange)) {
        const decided = !seen.places.mayStay(sender.role, request.tool);
        return { succeeded: !isElsewhere(exchange) || (decided && reached), promisedBy: promisedBy(request.tool) };
      }
      const elsewhere = seen.places.worksNamed(request.tool, named(exchange)) && inReach(exchange, seen).succeeded;
      return { succeeded: elsewhere && reached, promisedBy: promisedBy(request.tool) };
    },
    expect: (exchange) =>
      isSuccess(exchange)
        ? inAnother(exchange)
        : succeeds(exchange, `Use the workspace argument in ${exchange.request.tool}, as in the other tools.`),
  }),
  rule('workspaces.source-call-override', {
    applies: (exchange) =>
      isScoped(exchange) &&
      namesOne(exchange) &&
      sourceOf(exchange) !== undefined &&
      // The key of any other role may be pinned as well.
      ['primary', 'ambiguous', 'defaulted', 'sole'].some((role) => role === exchange.sender.role),
    twin: unlessPinned,
    expect: (exchange) => sourceIs('call-override', 'if the request names one', exchange),
  }),
];

/** A refusal in a workspace that its key may reach, of something that is there. */
function mayRun(exchange: Completed, seen: Seen): boolean {
  const { tool } = exchange.request;
  const isThere = tool !== 'library.get' || seen.items.isFound(exchange, String(named(exchange)));
  return isRefusal(exchange) && isThere && !namesForeign(exchange, seen);
}

function sourceIs(source: Source, when: string, exchange: Completed): Finding | undefined {
  const actual = sourceOf(exchange);
  if (actual === source) return undefined;
  return {
    expected: `working_in.source ${brief(source)}`,
    actual: `working_in.source ${brief(actual)}`,
    hint: `Check how ${exchange.request.tool} resolves the workspace ${when}, and the source that it sends.`,
    exchanges: [exchange],
  };
}

/** Where a key works by itself is not where it was told to work before. */
function movedAway(exchange: Completed, seen: Seen): Finding | undefined {
  const { role } = exchange.sender;
  const first = seen.places.firstOwn(role);
  const { workspace } = body(exchange);
  if (first === undefined || typeof workspace !== 'string' || body(first).workspace === workspace) return undefined;
  if (!precedes(first, exchange) || !seen.places.wasNamed(role, workspace)) return undefined;
  return {
    expected: `workspace ${brief(body(first).workspace)}, as before without an argument`,
    actual: `workspace ${brief(workspace)}, which an earlier request named`,
    hint: 'Use the workspace argument for its own request only; do not store it.',
    exchanges: [first, exchange],
  };
}

/** A key of this role resolves its workspace in this way: every tool works without an argument, and tells the way. */
function rung(id: RequirementId, role: Role, source: Source): Rule {
  const when = `of the key in the role '${role}'`;
  return rule(id, {
    applies: (exchange) =>
      exchange.sender.role === role &&
      exchange.sender.kind === 'key' &&
      named(exchange) === undefined &&
      (isScoped(exchange)
        ? sourceOf(exchange) !== undefined
        : reads(exchange) && isPlain(exchange) && exchange.request.body !== null && isWorkspaceRefusal(exchange)),
    twin: (exchange, seen) => {
      const { tool } = exchange.request;
      return { succeeded: isSuccess(exchange) || seen.places.worksNamed(tool), promisedBy: promisedBy(tool) };
    },
    expect: (exchange, seen) => {
      if (isSuccess(exchange)) return sourceIs(source, when, exchange) ?? movedAway(exchange, seen);
      return {
        expected: `${exchange.request.tool} to work without the workspace argument, with the source ${brief(source)}`,
        actual: describe(exchange),
        hint: `Check how ${exchange.request.tool} resolves the workspace ${when}, and the source that it sends.`,
        exchanges: [exchange],
      };
    },
  });
}

/** Where each request runs, and what its result says of that. */
export const workspaces: readonly Rule[] = [
  ...telling,
  ...honouring,
  rung('workspaces.source-key-pin', 'pinned', 'key-pin'),
  rung('workspaces.source-stored-default', 'defaulted', 'stored-default'),
  rung('workspaces.source-sole-reachable', 'sole', 'sole-reachable'),
];
