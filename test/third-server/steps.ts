import { boundaryCodes, fixedCodeOr, refusalCodes } from '../../fixtures/contract/codes.ts';
import { carriedHeaders } from '../../fixtures/contract/headers.ts';
import { type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import {
  about,
  boardNotFound,
  boundary,
  confirmationInvalid,
  type Issue,
  invalidArguments,
  limited,
  refusal,
  success,
} from './answers.ts';
import { issuesOf } from './arguments.ts';
import { dispatch, live, propose } from './images.ts';
import type { Answer, Call, Fields, Key, Proposal, Resolved } from './model.ts';
import * as reading from './reading.ts';
import { digits } from './world.ts';

/**
 * Steps of the server in the order in which a request passes them. A deviation or an unusual deployment replaces single
 * steps with `around`.
 */
export interface Steps {
  /** Returns the key in a request, if it is valid. */
  credential(call: Call): Key | undefined;
  /** Returns the tool in the path, if it exists. */
  recognise(call: Call): ToolName | undefined;
  /** Returns a 403 if the API is closed for the key. */
  closed(call: Call): Answer | undefined;
  /** Returns the seconds to wait if the key exceeds its rate limit. */
  wait(call: Call): number | undefined;
  /** Returns the JSON object in the body, an empty object for an omitted body, or a 400. */
  parse(call: Call): Fields | Answer;
  check(call: Call): Issue[];
  resolve(call: Call): Resolved | Answer;
  run(call: Call): Promise<Answer>;
  board(call: Call, id: string): boolean;
  propose(call: Call): Promise<Answer>;
  /** Returns the proposal with an ID, if it can be confirmed now. */
  live(call: Call, id: string): Proposal | undefined;
  dispatch(call: Call, proposal: Proposal): Promise<Answer>;
  create(call: Call): Promise<Answer>;
  /** Makes final changes to every response. */
  finish(call: Call, answer: Answer): Promise<Answer>;
  /** Runs all steps. */
  handle(call: Call): Promise<Answer>;
}

/** Replaces a step. The new step may call the original one. */
export function around<Name extends keyof Steps>(
  steps: Steps,
  name: Name,
  wrap: (next: Steps[Name]) => Steps[Name],
): void {
  steps[name] = wrap(steps[name]);
}

/** Returns a change that replaces a step. */
export function step<Name extends keyof Steps>(
  name: Name,
  wrap: (next: Steps[Name]) => Steps[Name],
): (steps: Steps) => void {
  return (steps) => around(steps, name, wrap);
}

/**
 * Counts a request of a group in a period, if fewer than `most` were served. Otherwise, returns the seconds to wait.
 * `served` contains the times of the served requests of each group.
 */
export function take(served: Map<string, number[]>, group: string, most: number, periodMs: number, now: number) {
  const recent = (served.get(group) ?? []).filter((time) => time > now - periodMs);
  const isOver = recent.length >= most;
  served.set(group, isOver ? recent : [...recent, now]);
  return isOver ? Math.max(1, Math.ceil(((recent[0] ?? now) + periodMs - now) / 1000)) : undefined;
}

export function isAnswer(value: object): value is Answer {
  return 'status' in value && 'headers' in value && 'body' in value && typeof value.status === 'number';
}

/** Codes of this server, where the specification leaves them open. */
export const unauthorizedCode = fixedCodeOr('unauthenticated', 'gate.no_such_visitor');
const unknownToolCode = fixedCodeOr('noSuchTool', 'gate.no_such_door');

export const unauthorized = (): Answer => boundary(401, unauthorizedCode, 'Send a good key as bearer token.');
export const noSuchTool = (): Answer => boundary(404, unknownToolCode, 'There is no such tool.');
export const malformed = (): Answer =>
  boundary(400, boundaryCodes.malformedBody, 'Send a JSON object, or no body at all.');

export function honestSteps(): Steps {
  const steps: Steps = {
    credential({ headers, world }) {
      const secret = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
      return Object.values(world.keys).find((key) => key.secret === secret && !key.dead);
    },
    recognise({ segment }) {
      try {
        const name = decodeURIComponent(segment);
        return toolNames.find((tool) => tool === name);
      } catch {
        return undefined;
      }
    },
    closed: ({ key }) =>
      key.closed === undefined ? undefined : boundary(403, key.closed, 'The API is closed for this key.'),
    wait: ({ key, world, now }) => take(world.served, key.secret, key.perMinute, 60_000, now),
    parse({ raw }) {
      if (raw.length === 0) return {};
      try {
        const value: unknown = JSON.parse(raw.toString());
        // `JSON.parse` returns a record of JSON values for an object.
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
      } catch {}
      return malformed();
    },
    check: issuesOf,
    resolve({ key, args }) {
      const named = args.workspace;
      if (typeof named === 'string') {
        if (key.reach.includes(named)) return { slug: named, source: 'call-override' };
        const message = 'This key does not reach that workspace.';
        return refusal('workspace_not_found', message, { workspaces: key.reach }, true);
      }
      if (key.pin !== undefined) return { slug: key.pin, source: 'key-pin' };
      if (key.fallback !== undefined) return { slug: key.fallback, source: 'stored-default' };
      if (key.reach.length === 1) return { slug: key.reach[0] ?? '', source: 'sole-reachable' };
      const message = 'Say which workspace you mean.';
      return refusal(refusalCodes.workspaceAmbiguous, message, { workspaces: key.reach }, true);
    },
    board: ({ world, at }, id) => world.workspaces.get(at.slug)?.boards.includes(id) ?? false,
    propose,
    live,
    dispatch,
    create,
    async run(call) {
      switch (call.tool) {
        case 'schedule.read':
          return reading.schedule(call);
        case 'content.status':
          return reading.status(call);
        case 'library.search':
          return reading.search(call);
        case 'library.get':
          return reading.get(call);
        case 'knowledge.search':
          return reading.ask(call);
        case 'connections.status':
          return reading.connections(call);
        case 'credits.balance':
          return reading.balance(call);
        case 'content.create_request':
          return steps.create(call);
        case 'images.generate':
          break;
        default:
          return reading.example(call);
      }
      const { board, confirmation_id: id } = call.args;
      if (!steps.board(call, String(board))) return boardNotFound();
      if (id === undefined) return steps.propose(call);
      const proposal = steps.live(call, String(id));
      return proposal === undefined ? confirmationInvalid() : steps.dispatch(call, proposal);
    },
    async finish(_call, answer) {
      return { ...answer, headers: { ...carriedHeaders(answer.status), ...answer.headers } };
    },
    async handle(call) {
      const key = steps.credential(call);
      if (key === undefined) return unauthorized();
      call.key = key;
      const tool = steps.recognise(call);
      if (tool === undefined) return noSuchTool();
      call.tool = tool;
      const closed = steps.closed(call);
      if (closed !== undefined) return closed;
      const seconds = steps.wait(call);
      if (seconds !== undefined) return limited(seconds);
      const args = steps.parse(call);
      if (isAnswer(args)) return args;
      call.args = args;
      const issues = steps.check(call);
      if (issues.length > 0) return invalidArguments(issues);
      if (tools[tool].scoped) {
        const at = steps.resolve(call);
        if (!('slug' in at)) return at;
        call.at = at;
      }
      return steps.run(call);
    },
  };
  return steps;
}

/** Creates a piece for the requested day. The cadence decides the time of day. */
async function create(call: Call): Promise<Answer> {
  call.world.serial += 1;
  const piece_id = `pc-${digits(`piece ${call.world.serial}`, 12)}`;
  const day = String(call.args.day);
  call.world.workspaces.get(call.at.slug)?.pieces.push({ piece_id, title: String(call.args.title ?? ''), day });
  return success({
    piece_id,
    format: call.args.format ?? '',
    scheduled_for: `${day}T09:30:00Z`,
    week_block_id: null,
    filled_planned_slot: false,
    ...about(call),
  });
}
