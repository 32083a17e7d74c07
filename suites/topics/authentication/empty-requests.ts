import { type Role, servedRoles } from '../../../fixtures/roles.ts';
import type { Credential } from '../../session/sent-exchange.ts';
import type { Steps, StoryRequest } from '../steps.ts';

/** Returns a role with a valid key, from which the stories derive invalid credentials. */
export function aServedRole(t: Steps): Role {
  return t.present(servedRoles)[0] ?? t.cannot('the configuration has no valid key', { kind: 'role', role: 'primary' });
}

/** Returns requests with an empty body object, so that a server that accepts the credential runs nothing. */
export function emptyRequests(
  t: Steps,
  tools: readonly string[],
  of: (tool: string) => Credential | Role,
  at: Role,
): StoryRequest[] {
  const baseUrl = t.target.keys[at]?.baseUrl;
  const there = baseUrl === undefined ? {} : { baseUrl };
  return tools.map((tool) => ({ tool, args: {}, as: of(tool), ...there }));
}
