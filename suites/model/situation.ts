import { isToolName, type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import { type ClosedRole, closedRoles, type Role } from '../../fixtures/roles.ts';
import type { Completed, CredentialKind, Request, Sender } from '../exchange/exchange.ts';
import { isToolRequest } from './world/scope.ts';
import { type Broken, brokenFields } from './world/violations.ts';

/** The credential of a request. `key`: a key that the server must serve, as far as is known. */
export type Who = CredentialKind | 'revoked' | 'expired' | ClosedRole;

/** What the path names: a tool, or why it names none. */
export type Named = ToolName | 'near miss' | 'built-in name' | 'unknown name' | 'unruled';

/** Kinds of bodies that are not JSON objects. */
export const malformedKinds = [
  'not JSON',
  'string',
  'number',
  'boolean',
  'null',
  'empty array',
  'array',
  'large array',
] as const;

export type Sent = 'object' | 'omitted' | (typeof malformedKinds)[number] | 'unruled';

/** What a request is, in the order in which a server looks at it. Depends on the request only. */
export interface Situation {
  readonly who: Who;
  readonly tool: Named;
  readonly body: Sent;
  /** Fields of the body that violate the schema of the tool. */
  readonly broken: readonly Broken[];
  /** Whether the request presents a confirmation ID. */
  readonly presents: boolean;
}

/** Returns the situation of a request to a tool; undefined for other requests, which the specification leaves open. */
export function situationOf(exchange: Completed): Situation | undefined {
  const { sender, request } = exchange;
  if (!isToolRequest(exchange)) return undefined;
  return {
    who: whoOf(sender),
    tool: namedBy(request.tool ?? ''),
    body: sentIn(request),
    broken: brokenFields(exchange),
    presents: request.args?.confirmation_id !== undefined,
  };
}

const endedRoles: readonly Role[] = ['revoked', 'expired', ...closedRoles];

function whoOf({ kind, role }: Sender): Who {
  // The filter keeps only roles that `Who` contains.
  const ended = endedRoles.find((refused) => refused === role) as Who | undefined;
  return kind === 'key' ? (ended ?? kind) : kind;
}

/** Fewest letters that a near miss shares with a tool. */
const leastLetters = 6;

function namedBy(segment: string): Named {
  if (isToolName(segment)) return segment;
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    return 'unruled';
  }
  // A name of dots, or with one of these characters, changes the path.
  if (isToolName(name) || /^\.*$/.test(name) || /[/\\?#]/.test(name)) return 'unruled';
  const letters = lettersOf(name);
  const isNear = toolNames
    .map(lettersOf)
    .some((tool) => letters.length >= leastLetters && (tool.startsWith(letters) || letters.startsWith(tool)));
  if (isNear) return 'near miss';
  return name in {} ? 'built-in name' : 'unknown name';
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/** Fewest elements of a large array. */
const largeArray = 1000;

const mostCharacters = 100_000;

function sentIn({ args, body, headers }: Request): Sent {
  if (args !== null) return body === null ? 'omitted' : 'object';
  const type = headers.find(([name]) => name === 'content-type')?.[1];
  if (body === null || type !== 'application/json') return 'unruled';
  // Invalid UTF-8, a byte order mark, white space only, or too many characters.
  if (body.trim() === '' || /[\ufeff\ufffd]/.test(body) || body.length > mostCharacters) return 'unruled';
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'not JSON';
  }
  if (value === null) return 'null';
  if (!Array.isArray(value)) return malformedKinds.find((kind) => kind === typeof value) ?? 'unruled';
  if (value.length === 0) return 'empty array';
  return value.length < largeArray ? 'array' : 'large array';
}
