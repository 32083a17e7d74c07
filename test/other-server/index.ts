import type { Server } from 'node:http';
import { deviating, isMutationName, mutationOf } from './mutations/index.ts';
import { defaultOptions, type OtherServerOptions } from './options.ts';
import { createPipeline } from './pipeline.ts';
import { clockPath, closedSuffix, createApiServer, createClockServer } from './transport.ts';
import { type Counters, createWorld, type Role, roles } from './world.ts';

export { mutations } from './mutations/index.ts';
export type { OtherServerOptions } from './options.ts';
export { type Role, roles } from './world.ts';

/** A conforming server, independent of the stub, that listens on 127.0.0.1. */
export interface OtherServer {
  /** Includes the path prefix, without a trailing slash. */
  baseUrl: string;
  /** Base addresses of roles with an address of their own. */
  baseUrls: Partial<Record<Role, string>>;
  keys: Record<Role, string>;
  /** Workspaces that `primary` may name, each with a board. */
  workspaces: { slug: string; board: string }[];
  /** A workspace and a board of the key `otherAccount`. */
  otherAccount: { workspace: string; board: string };
  /** A shape that the server offers. */
  shape: string;
  /** `POST` with `{"seconds": n}` advances the clock. Present only with `controllableClock`. */
  controlUrl?: string;
  /** Counts of requests and side effects. */
  counters: Counters;
  advance(seconds: number): void;
  close(): Promise<void>;
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
};

const stop = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Starts the server. Every option has a default (see `defaultOptions`), and any mixture conforms. `mutation` is one of
 * `mutations`, which makes the server violate the specification. Throws if the name is unknown.
 */
export const createOtherServer = async (
  given: Partial<OtherServerOptions> & { mutation?: string } = {},
): Promise<OtherServer> => {
  const { mutation: name, ...chosen } = given;
  if (name !== undefined && !isMutationName(name)) throw new Error(`there is no mutation ${name}`);
  const mutation = name === undefined ? undefined : mutationOf(name);
  const options = { ...defaultOptions, ...mutation?.options, ...chosen };
  const world = createWorld(options);
  const pipeline = createPipeline(world);
  const api = createApiServer(world, mutation ? deviating(world, mutation, pipeline) : pipeline);
  const origin = await listen(api);
  const servers = [api];
  let controlUrl = `${origin}${clockPath}`;
  if (options.controllableClock && options.clockHost === 'own-port') {
    const clock = createClockServer(world);
    servers.push(clock);
    controlUrl = `${await listen(clock)}${clockPath}`;
  }

  const byRole = new Map([...world.keys.values()].map((key) => [key.role, key]));
  const keyOf = (role: Role) => {
    const key = byRole.get(role);
    if (!key) throw new Error(`no key plays ${role}`);
    return key;
  };
  const placesOf = (role: Role) => {
    const { reaches, pin } = keyOf(role);
    const passable = pin && options.pinnedWithArgument !== 'honour' ? [pin] : reaches;
    return passable.map(({ slug, boards }) => ({ slug, board: boards[0]?.id ?? '' }));
  };
  const [other] = placesOf('otherAccount');
  const baseUrl = origin + options.pathPrefix;
  return {
    baseUrl,
    baseUrls: options.platformOffAt === 'own-base' ? { platformSwitchOff: baseUrl + closedSuffix } : {},
    // `fromEntries` loses the names, but every role is present.
    keys: Object.fromEntries(roles.map((role) => [role, keyOf(role).secret])) as Record<Role, string>,
    workspaces: placesOf('primary'),
    otherAccount: { workspace: other?.slug ?? '', board: other?.board ?? '' },
    shape: options.shapes[0] ?? '1:1',
    ...(options.controllableClock ? { controlUrl } : {}),
    counters: world.counters,
    advance: world.advance,
    async close() {
      await Promise.all(servers.map(stop));
    },
  };
};
