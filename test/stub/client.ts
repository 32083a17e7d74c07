import type { Role } from '../../fixtures/roles.ts';
import type { StubResponse } from '../../stub/server/handle.ts';
import type { World } from '../../stub/worlds/world.ts';

/** A response that a test checks. */
export interface Reply {
  readonly status: number;
  readonly headers: StubResponse['headers'];
  /** The body as sent. */
  readonly text: string;
  // Tests check the shape of the body, so it has no static type.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

export interface How {
  readonly role?: Role;
  /** Authorization header that replaces the role's key; null to send none. */
  readonly authorization?: string | null;
  /** Raw body that is not a JSON object. */
  readonly raw?: string | Uint8Array;
  readonly method?: string;
}

type Served = Pick<World, 'keys' | 'basePath' | 'handle'>;

/** Sends a request to a stub. The default role is `primary`. Without `args`, it sends no body. */
export function sendTo(stub: Served, tool: string, args?: object, how: How = {}): StubResponse {
  const { role = 'primary', authorization = `Bearer ${stub.keys[role]}`, raw, method = 'POST' } = how;
  const sent = raw ?? (args === undefined ? null : JSON.stringify(args));
  return stub.handle({
    method,
    path: `${stub.basePath}/api/v1/tools/${tool}`,
    headers: authorization === null ? {} : { authorization },
    body: sent === null ? null : Buffer.from(sent),
  });
}

/** Returns a function that sends requests to a stub and parses the response. */
export function clientOf(stub: Served) {
  return (tool: string, args?: object, how?: How): Reply => {
    const { status, headers, body } = sendTo(stub, tool, args, how);
    return { status, headers, text: body, body: JSON.parse(body) };
  };
}

/** Returns a function that sends requests to the control plane of a stub, below `/__control/worlds`. */
export function controlOf(stub: Pick<World, 'handle'>, token: string) {
  return (method: string, path: string, args: object = {}): Reply => {
    const headers = { 'x-control-token': token, 'content-type': 'application/json' };
    const sent = { method, path: `/__control/worlds${path}`, headers, body: Buffer.from(JSON.stringify(args)) };
    const { status, headers: received, body } = stub.handle(sent);
    return { status, headers: received, text: body, body: JSON.parse(body || 'null') };
  };
}
