import type { z } from 'zod';
import { type Fault, requireFault } from '../faults/fault.ts';
import { judgementOf } from '../judge/judgement.ts';
import type { Deviation } from '../server/behavior.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';
import { requireMembers } from '../worlds/members.ts';
import { type MintRequest, requestMembers } from '../worlds/minting.ts';
import { requireSwitches } from '../worlds/switches.ts';
import type { World } from '../worlds/world.ts';
import { type Worlds, worldPrefix } from '../worlds/worlds.ts';
import { eventsOf } from './events.ts';
import { problem, reply } from './reply.ts';
import {
  advanceShape,
  clockShape,
  faultsShape,
  mintShape,
  nothingShape,
  personShape,
  restoreShape,
  switchesShape,
} from './shapes.ts';
import { createSnapshots } from './snapshots.ts';

/** Deviations by name, as the control plane may be asked for them. */
export interface Chosen {
  readonly seed: number;
  readonly variants: readonly string[];
  readonly defects: readonly string[];
}

/** Throws a UsageError for names that are none, and for variants that contradict each other. */
export type Deviate = (chosen: Chosen) => Deviation;

export interface Asked {
  readonly id?: string;
  readonly query: URLSearchParams;
  readonly request: StubRequest;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: RegExp;
  /** A body that it takes, for whoever sent another. */
  readonly example?: string | undefined;
  readonly run: (asked: Asked, body: () => unknown) => StubResponse;
}

/** Every control, in the order of the guide. A RangeError or a UsageError that one throws is the asker's to mend. */
export function createRoutes(worlds: Worlds, deviate: Deviate | undefined): readonly Route[] {
  const snapshots = createSnapshots();
  const of = (
    method: Route['method'],
    name: string,
    run: (world: World, body: () => unknown, asked: Asked) => StubResponse,
    example?: string,
  ): Route => ({
    method,
    example,
    path: new RegExp(`^worlds/(?<id>[\\w-]+)${name === '' ? '' : `/${name}`}$`),
    run(asked, body) {
      const world = worlds.find(asked.id ?? '');
      return world === undefined ? problem(404, noSuchWorld) : run(world, body, asked);
    },
  });
  const done = (world: World) => reply(200, clockOf(world));
  return [
    {
      method: 'POST',
      path: /^advance$/,
      example: '{"seconds": 60}',
      run(_asked, body) {
        worlds.main.clock.advance(parse(advanceShape, body()).seconds);
        return reply(200, { now: clockOf(worlds.main).now });
      },
    },
    {
      method: 'GET',
      path: /^worlds$/,
      run: () => {
        const list = worlds.list().map(({ id, seed, stats }) => ({ world: id, seed, calls: stats.requests() }));
        return reply(200, { worlds: list, dropped: worlds.dropped() });
      },
    },
    {
      method: 'POST',
      path: /^worlds$/,
      example: '{"seed": 7}',
      run({ request }, body) {
        const asked: object = parse(mintShape, body());
        requireMembers<MintRequest>('A sandbox', asked, requestMembers);
        const { variants = [], defects = [], ...wanted } = asked;
        const plain = variants.length + defects.length === 0;
        if (!plain && deviate === undefined) throw new RangeError('This stub knows neither variants nor defects.');
        const deviation = plain ? undefined : deviate?.({ seed: wanted.seed ?? worlds.main.seed, variants, defects });
        return reply(201, describe(worlds.mint({ ...wanted, deviation }), request));
      },
    },
    of('GET', '', (world, _body, { request }) => reply(200, describe(world, request))),
    of('DELETE', '', (world) =>
      worlds.drop(world.id) ? reply(200, { world: world.id }) : problem(400, 'The main sandbox cannot be dropped.'),
    ),
    of('GET', 'clock', done),
    of(
      'POST',
      'clock',
      (world, body) => {
        const { seconds, frozen } = parse(clockShape, body());
        // First what may be refused, so that then nothing has changed.
        if (seconds !== undefined) world.clock.advance(seconds);
        if (frozen === true) world.clock.freeze();
        if (frozen === false) world.clock.resume();
        return done(world);
      },
      '{"seconds": 60} or {"frozen": true}',
    ),
    of('GET', 'faults', ({ faults }) => reply(200, { unmet: faults.unmet(), met: faults.met() })),
    of(
      'POST',
      'faults',
      ({ faults }, body) => {
        const wanted = parse(faultsShape, body()).faults;
        return reply(201, { faults: faults.add(...wanted.map(faultIn)) });
      },
      '{"faults": [{"tool": "schedule.read", "status": 503}]}',
    ),
    of('DELETE', 'faults', ({ faults }) => {
      faults.clear();
      return reply(200, { unmet: [], met: [] });
    }),
    of(
      'POST',
      'switches',
      (world, body) => {
        const { role, ...rest } = parse(switchesShape, body());
        const switches: object = rest;
        requireSwitches(switches);
        world.switch(role, switches);
        return reply(200, world.state());
      },
      '{"role": "primary", "key": "revoked"}',
    ),
    of('GET', 'state', (world) => reply(200, world.state())),
    of('GET', 'journal', (world, _body, { query }) => reply(200, world.journal(after(query)))),
    of('GET', 'events', (world, _body, { query }) => eventsOf(world, after(query))),
    of('GET', 'judgement', (world) => reply(200, judgementOf(world))),
    of(
      'POST',
      'person',
      ({ person }, body) => {
        const { act, subject } = parse(personShape, body());
        if (act === 'approve') person.approve(subject);
        else if (act === 'deny') person.deny(subject);
        else person.picks(subject);
        return reply(200, { act, subject });
      },
      '{"act": "approve", "subject": "<confirmation_id>"}',
    ),
    of('POST', 'expire', (world) => {
      world.expireProposals();
      return done(world);
    }),
    of('POST', 'snapshots', (world, body) => {
      parse(nothingShape, body());
      return reply(201, { snapshot: snapshots.take(world) });
    }),
    of(
      'POST',
      'restore',
      (world, body) => {
        snapshots.restore(world, parse(restoreShape, body()).snapshot);
        return done(world);
      },
      '{"snapshot": "s1"}',
    ),
    of('POST', 'reset', (world) => {
      world.reset();
      return done(world);
    }),
  ];
}

function faultIn(given: object): Fault {
  requireFault(given);
  return given;
}

const noSuchWorld = 'There is no such sandbox. Idle sandboxes are dropped when others are created.';

function clockOf({ clock }: World) {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen() };
}

/** What a client needs to call a world. The base URL is on the address that the asker knows the stub by. */
function describe(world: World, { headers }: StubRequest): object {
  const { id, keys, roles, workspaces, otherAccount, shape, basePath, seed } = world;
  const own = id === 'main' ? basePath : `${worldPrefix}${id}${basePath}`;
  return {
    world: id,
    seed,
    baseUrl: typeof headers.host === 'string' ? `http://${headers.host}${own}` : own,
    keys: Object.fromEntries(roles.map((role) => [role, keys[role]])),
    workspaces,
    otherAccount,
    shape,
  };
}

function after(query: URLSearchParams): number {
  const given = Number(query.get('after') ?? '0');
  return Number.isInteger(given) && given > 0 ? given : 0;
}

function parse<T extends z.ZodType>(shape: T, given: unknown): z.infer<T> {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${['body', ...path].join('.')}: ${message}`);
  throw new RangeError(`${issues.join('; ')}.`);
}
