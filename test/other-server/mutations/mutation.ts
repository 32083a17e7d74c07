import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Answer, Received } from '../answer.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../json.ts';
import type { OtherServerOptions } from '../options.ts';
import { type Handler, toolPath } from '../pipeline.ts';
import type { Key, World } from '../world.ts';

/** A request as a mutation sees it, before the server. */
export interface Call {
  world: World;
  received: Received;
  tool: string;
  /** Empty if the body is not a JSON object. */
  args: JsonObject;
  /** Key with the secret in the request, whether valid or not. */
  key: Key | undefined;
}

/** A deviation, which wraps the conforming pipeline and violates one sentence of the specification. */
export interface Mutation {
  description: string;
  /** Conforming options that let the deviation show. */
  options: Partial<OtherServerOptions>;
  /** Runs once for each server, so that a mutation can keep state. */
  install(world: World): (call: Call, next: Handler) => Promise<Answer>;
}

export const around = (
  description: string,
  install: Mutation['install'],
  options: Partial<OtherServerOptions> = {},
): Mutation => ({ description, options, install });

/** Edits responses in place. */
export const answers = (
  description: string,
  edit: (answer: Answer, call: Call) => void,
  options: Partial<OtherServerOptions> = {},
): Mutation =>
  around(
    description,
    () => async (call, next) => {
      const answer = await next(call.received);
      const copy = { ...answer, headers: { ...answer.headers }, body: structuredClone(answer.body) };
      edit(copy, call);
      return copy;
    },
    options,
  );

/** Changes requests before the server handles them. */
export const requests = (
  description: string,
  edit: (call: Call) => Received | undefined,
  options: Partial<OtherServerOptions> = {},
): Mutation => around(description, () => async (call, next) => next(edit(call) ?? call.received), options);

export const callOf = (world: World, received: Received): Call => {
  const body = parseJson(received.body.toString('utf8'));
  const secret = /^\S+ +(\S+)/.exec(received.headers.authorization ?? '')?.[1] ?? '';
  const tool = received.path.slice(toolPath.length);
  return { world, received, tool, args: isJsonObject(body) ? body : {}, key: world.keys.get(secret) };
};

export const withArgs = (received: Received, args: JsonObject): Received => ({
  ...received,
  body: Buffer.from(JSON.stringify(args)),
});

export const asKey = (received: Received, secret: string): Received => ({
  ...received,
  headers: { ...received.headers, authorization: `Bearer ${secret}` },
});

export const secretOf = (world: World, role: Key['role']): string =>
  [...world.keys.values()].find((key) => key.role === role)?.secret ?? '';

/** Returns an object inside a body, for editing in place. */
export const inside = (body: JsonObject, name: string): JsonObject => {
  const value = body[name];
  return isJsonObject(value) ? value : {};
};

/** Returns the objects in a list inside a body, for editing in place. */
export const entriesOf = (body: JsonObject, name: string): JsonObject[] => {
  const value = body[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
};

/** Returns whether an `invalid_arguments` response is about this field. */
export const isAbout = ({ body }: Answer, field: string): boolean =>
  body.code === refusalCodes.invalidArguments &&
  entriesOf(body, 'issues').some((issue) => JSON.stringify(issue).includes(field));

export const without = (args: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([key]) => key !== name));

export const isText = (value: Json | undefined): value is string => typeof value === 'string';
