import type { Role } from '../../fixtures/roles.ts';
import type { StubResponse } from '../server/handle.ts';
import type { World } from '../worlds/world.ts';

/** What a test of the stub looks at. */
export interface Reply {
  readonly status: number;
  readonly headers: StubResponse['headers'];
  /** As it was sent. */
  readonly text: string;
  // A test asserts on what it finds; the shape is what is under test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

export interface How {
  readonly role?: Role;
  /** A header that takes the place of the role's key; null for none at all. */
  readonly authorization?: string | null;
  /** A body that is no JSON object, as text or bytes. */
  readonly raw?: string | Uint8Array;
  readonly method?: string;
}

/** Calls a stub's handle as `primary`, unless told otherwise. Arguments that are left out send no body. */
export function clientOf(stub: Pick<World, 'keys' | 'basePath' | 'handle'>) {
  return (tool: string, args?: object, how: How = {}): Reply => {
    const { role = 'primary', authorization = `Bearer ${stub.keys[role]}`, raw, method = 'POST' } = how;
    const sent = raw ?? (args === undefined ? null : JSON.stringify(args));
    const { status, headers, body } = stub.handle({
      method,
      path: `${stub.basePath}/api/v1/tools/${tool}`,
      headers: authorization === null ? {} : { authorization },
      body: sent === null ? null : Buffer.from(sent),
    });
    return { status, headers, text: body, body: JSON.parse(body) };
  };
}
