import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { Call, Tool } from '../../server/call.ts';
import { type Answer, boundaryError } from '../../server/responses.ts';
import type { CodeName } from '../../server/rules.ts';
import type { Deviation } from '../deviation.ts';

/** Which answers are meant. */
export type When = (answer: Answer, call: Call) => boolean;
export type Change = (answer: Answer, call: Call) => Answer;
export type Body = Readonly<Record<string, unknown>>;

export const status =
  (wanted: number): When =>
  (answer) =>
    answer.status === wanted;

/** Refusals with the code of this name. */
const code =
  (name: CodeName): When =>
  ({ body }, { rules }) =>
    body.code === rules.codes[name];

// Refusals of the stub.
export const invalid = code('invalidArguments');
export const ambiguous = code('workspaceAmbiguous');
export const unreachable = code('workspaceUnreachable');
export const confirmationInvalid = code('confirmationInvalid');
export const boardNotFound = code('boardNotFound');
export const itemNotFound = code('itemNotFound');

/** Whatever is answered to calls of these tools. */
export const from =
  (...tools: readonly ToolName[]): When =>
  (_, call) =>
    tools.some((tool) => tool === call.tool);

/** Whatever is answered to the key of one of these roles, good or not. */
export const to =
  (...roles: readonly Role[]): When =>
  (_, { key }) =>
    roles.some((role) => role === key?.role);

/** Successful results of these tools; of all of them when none is named. */
export const result =
  (...tools: readonly ToolName[]): When =>
  (answer, call) =>
    answer.body.ok === true && (tools.length === 0 || from(...tools)(answer, call));

export const proposal: When = ({ body }) => body.status === 'confirmation_required';
export const dispatch: When = ({ body }) => body.status === 'dispatched';

export const both =
  (...whens: readonly When[]): When =>
  (answer, call) =>
    whens.every((when) => when(answer, call));

/** Changes the answers that are meant, after everything else. */
export const answering =
  (when: When, ...changes: readonly Change[]): Deviation =>
  (rules) => ({
    ...rules,
    finish: (given, call) => {
      const answer = rules.finish(given, call);
      return when(answer, call) ? changes.reduce((changed, change) => change(changed, call), answer) : answer;
    },
  });

/** Changes the text of the answers that are meant, once it is written out. */
export const writing =
  (when: When, change: (text: string, call: Call) => string): Deviation =>
  (rules) => {
    const meant = new WeakSet<Call>();
    return {
      ...rules,
      finish: (given, call) => {
        const answer = rules.finish(given, call);
        if (when(answer, call)) meant.add(call);
        return answer;
      },
      write: (body, call) => {
        const text = rules.write(body, call);
        return meant.has(call) ? change(text, call) : text;
      },
    };
  };

/** A change of the body alone. */
export const body =
  (change: (body: Body, call: Call) => Body): Change =>
  (answer, call) => ({ ...answer, body: change(answer.body, call) });

/** A change of fields: those named `undefined` are left out when it is written. */
export const fields = (changed: Body): Change => body((given) => ({ ...given, ...changed }));

/** A change of one field that depends on what it was. */
export const field = (name: string, change: (value: unknown, call: Call) => unknown): Change =>
  body((given, call) => ({ ...given, [name]: change(given[name], call) }));

/** A change of fields inside an object of the body, where there is one. */
export const inside = (name: string, changed: Body): Change =>
  field(name, (value) => (typeof value === 'object' && value !== null ? { ...value, ...changed } : value));

/** A change of every member of a list in the body. */
export const each = (name: string, change: (member: Body) => unknown): Change =>
  field(name, (value) => (Array.isArray(value) ? value.map(change) : value));

/** A change of a list in the body. */
export const list = (name: string, change: (members: unknown[]) => unknown): Change =>
  field(name, (value) => (Array.isArray(value) ? change(value) : value));

/** A change of the error inside a boundary error. */
export const error = (change: (error: Body, call: Call) => unknown): Change =>
  // A boundary error has an object here; an answer that is none is left without.
  field('error', (given, call) => change((given ?? {}) as Body, call));

/** A change of fields of the error inside a boundary error. */
export const errorFields = (changed: Body): Change => error((given) => ({ ...given, ...changed }));

/** A change of headers; those that are undefined are left out. */
export const headers =
  (changed: Readonly<Record<string, string | undefined>>): Change =>
  (answer) => ({
    ...answer,
    headers: Object.fromEntries(
      Object.entries({ ...answer.headers, ...changed }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    ),
  });

export const sentAs =
  (status: number): Change =>
  (answer) => ({ ...answer, status });

/** The answer to an unhandled error. */
export const crash = (): Answer => boundaryError(500, 'internal', 'Something went wrong.');

/** Puts a tool around another. */
export const aroundTool =
  <T extends ToolName>(name: T, wrap: (tool: Tool<T>) => Tool<T>): Deviation =>
  (rules) => ({ ...rules, tools: { ...rules.tools, [name]: wrap(rules.tools[name]) } });
