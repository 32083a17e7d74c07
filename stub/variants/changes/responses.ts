import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call, CodeName, Tool } from '../../server/behavior.ts';
import { type ApiResponse, boundaryError } from '../../server/responses.ts';
import type { Deviation } from '../defect.ts';

export type When = (response: ApiResponse, call: Call) => boolean;
export type Change = (response: ApiResponse, call: Call) => ApiResponse;
export type Body = Readonly<Record<string, unknown>>;

export const status =
  (wanted: number): When =>
  (response) =>
    response.status === wanted;

/** Selects refusals with this code. */
const code =
  (name: CodeName): When =>
  ({ body }, { behavior }) =>
    body.code === behavior.codes[name];

export const invalid = code('invalidArguments');
export const ambiguous = code('workspaceAmbiguous');
export const unreachable = code('workspaceUnreachable');
export const confirmationInvalid = code('confirmationInvalid');
export const boardNotFound = code('boardNotFound');
export const itemNotFound = code('itemNotFound');

/** Selects responses of these tools. */
export const from =
  (...tools: readonly ToolName[]): When =>
  (_, call) =>
    tools.some((tool) => tool === call.tool);

/** Selects successful results of these tools (default: all). */
export const result =
  (...tools: readonly ToolName[]): When =>
  (response, call) =>
    response.body.ok === true && (tools.length === 0 || from(...tools)(response, call));

export const proposal: When = ({ body }) => body.status === 'confirmation_required';
export const dispatch: When = ({ body }) => body.status === 'dispatched';

export const both =
  (...whens: readonly When[]): When =>
  (response, call) =>
    whens.every((when) => when(response, call));

/** Changes the selected responses after all steps. */
export const changing =
  (when: When, ...changes: readonly Change[]): Deviation =>
  (behavior) => ({
    ...behavior,
    finish: (given, call) => {
      const response = behavior.finish(given, call);
      return when(response, call) ? changes.reduce((changed, change) => change(changed, call), response) : response;
    },
  });

/** Changes the serialized text of the selected responses. */
export const writing =
  (when: When, change: (text: string, call: Call) => string): Deviation =>
  (behavior) => {
    const meant = new WeakSet<Call>();
    return {
      ...behavior,
      finish: (given, call) => {
        const response = behavior.finish(given, call);
        if (when(response, call)) meant.add(call);
        return response;
      },
      write: (body, call) => {
        const text = behavior.write(body, call);
        return meant.has(call) ? change(text, call) : text;
      },
    };
  };

export const body =
  (change: (body: Body, call: Call) => Body): Change =>
  (response, call) => ({ ...response, body: change(response.body, call) });

/** Sets fields of the body. The value `undefined` removes a field. */
export const fields = (changed: Body): Change => body((given) => ({ ...given, ...changed }));

/** Changes one field of the body, based on its value. */
export const field = (name: string, change: (value: unknown, call: Call) => unknown): Change =>
  body((given, call) => ({ ...given, [name]: change(given[name], call) }));

/** Changes every item of a list in the body. */
export const each = (name: string, change: (member: Body) => unknown): Change =>
  field(name, (value) => (Array.isArray(value) ? value.map(change) : value));

export const list = (name: string, change: (members: unknown[]) => unknown): Change =>
  field(name, (value) => (Array.isArray(value) ? change(value) : value));

/** Changes the object `error` of an error response. */
const error = (change: (error: Body, call: Call) => unknown): Change =>
  // `error` is an object or absent; without it, `change` gets an empty object.
  field('error', (given, call) => change((given ?? {}) as Body, call));

export const errorFields = (changed: Body): Change => error((given) => ({ ...given, ...changed }));

/** Sets headers. The value `undefined` removes a header. */
export const headers =
  (changed: Readonly<Record<string, string | undefined>>): Change =>
  (response) => ({
    ...response,
    headers: Object.fromEntries(
      Object.entries({ ...response.headers, ...changed }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    ),
  });

export const sentAs =
  (status: number): Change =>
  (response) => ({ ...response, status });

/** Returns the response to an unhandled error. */
export const crash = (): ApiResponse => boundaryError(500, 'internal', 'Something went wrong.');

export const aroundTool =
  <T extends ToolName>(name: T, wrap: (tool: Tool<T>) => Tool<T>): Deviation =>
  (behavior) => ({ ...behavior, tools: { ...behavior.tools, [name]: wrap(behavior.tools[name]) } });
