import { type Fault, requireFault } from '../faults/fault.ts';
import { neverMetMessage } from '../faults/queue.ts';
import { judgementOf } from '../judge/judgement.ts';
import { parseProfile } from '../profiles/profile.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';
import { requireMembers } from '../worlds/members.ts';
import { type MintRequest, requestMembers } from '../worlds/minting.ts';
import { requireSwitches } from '../worlds/switches.ts';
import type { World } from '../worlds/world.ts';
import { type Worlds, worldPrefix } from '../worlds/worlds.ts';
import { eventsOf } from './events.ts';
import { problem, reply } from './reply.ts';
import { type Asked, type Deviate, parse, type Route } from './route.ts';
import { clockShape, faultsShape, mintShape, personShape, profileShape, switchesShape } from './shapes.ts';

/**
 * Returns all routes, in the order of the guide. The RangeErrors and UsageErrors that a route throws become 400
 * responses.
 */
export function createRoutes(worlds: Worlds, deviate: Deviate | undefined): readonly Route[] {
  const of = (
    method: Route['method'],
    name: string,
    about: Pick<Route, 'takes' | 'example'>,
    run: (world: World, body: () => unknown, asked: Asked) => StubResponse,
  ): Route => ({
    method,
    path: `worlds/{sandbox}${name === '' ? '' : `/${name}`}`,
    ...about,
    run(asked, body) {
      const world = worlds.find(asked.id ?? '');
      return world === undefined ? problem(404, noSuchWorld) : run(world, body, asked);
    },
  });
  const nothing = {};
  const clock = (world: World) => reply(200, clockOf(world));
  return [
    {
      method: 'GET',
      path: 'worlds',
      run: () => {
        const list = worlds.list().map(({ id, seed, stats }) => ({ world: id, seed, calls: stats.requests() }));
        return reply(200, { worlds: list, dropped: worlds.dropped() });
      },
    },
    {
      method: 'POST',
      path: 'worlds',
      takes: mintShape,
      example: { seed: 7 },
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
    of('GET', '', nothing, (world, _body, asked) => reply(200, describe(world, asked.request))),
    of('DELETE', '', nothing, (world) =>
      worlds.drop(world.id) ? reply(200, { world: world.id }) : problem(400, 'The main sandbox cannot be dropped.'),
    ),
    of('GET', 'clock', nothing, clock),
    of('POST', 'clock', { takes: clockShape, example: { seconds: 60 } }, (world, body) => {
      const { seconds, time, frozen } = parse(clockShape, body());
      if (seconds !== undefined && time !== undefined) throw new RangeError('seconds and time exclude each other.');
      if ((seconds ?? time ?? frozen) === undefined) throw new RangeError('Expected seconds, time or frozen.');
      // `advance` and `set` can throw, so they run first. On error, nothing changes.
      if (seconds !== undefined) world.clock.advance(seconds);
      if (time !== undefined) world.clock.set(time);
      if (frozen === true) world.clock.freeze();
      if (frozen === false) world.clock.resume();
      return clock(world);
    }),
    of('GET', 'faults', nothing, ({ faults }) => reply(200, { unmet: faults.unmet(), met: faults.met() })),
    of(
      'POST',
      'faults',
      { takes: faultsShape, example: { faults: [{ tool: 'schedule.read', status: 503 }] } },
      ({ faults }, body) => {
        const wanted = parse(faultsShape, body()).faults;
        return reply(201, { faults: faults.add(...wanted.map(faultIn)) });
      },
    ),
    of('DELETE', 'faults', nothing, ({ faults }) => {
      faults.clear();
      return reply(200, { unmet: [], met: [] });
    }),
    of('POST', 'faults/verify', nothing, ({ faults }) => {
      const never = faults.neverMet();
      return never.length > 0
        ? problem(409, neverMetMessage(never))
        : reply(200, { unmet: faults.unmet(), met: faults.met() });
    }),
    of('GET', 'profile', nothing, profileOf),
    of('POST', 'profile', { takes: profileShape, example: { profile: 'slow-mobile' } }, (world, body) => {
      world.profile.set(parseProfile(parse(profileShape, body()).profile));
      return profileOf(world);
    }),
    of('DELETE', 'profile', nothing, (world) => {
      world.profile.clear();
      return profileOf(world);
    }),
    of('POST', 'switches', { takes: switchesShape, example: { role: 'primary', key: 'revoked' } }, (world, body) => {
      const { role, ...rest } = parse(switchesShape, body());
      const switches: object = rest;
      requireSwitches(switches);
      world.switch(role, switches);
      return reply(200, world.state());
    }),
    of('GET', 'state', nothing, (world) => reply(200, world.state())),
    of('GET', 'journal', nothing, (world, _body, { query }) => reply(200, world.journal(after(query)))),
    of('GET', 'events', nothing, (world, _body, { query }) => eventsOf(world, after(query))),
    of('GET', 'judgement', nothing, (world) => reply(200, judgementOf(world))),
    of(
      'POST',
      'person',
      { takes: personShape, example: { act: 'approve', subject: '<confirmation_id>' } },
      ({ person }, body) => {
        const { act, subject } = parse(personShape, body());
        if (act === 'approve') person.approve(subject);
        else if (act === 'deny') person.deny(subject);
        else person.picks(subject);
        return reply(200, { act, subject });
      },
    ),
    of('POST', 'expire', nothing, (world) => {
      world.expireProposals();
      return clock(world);
    }),
    of('POST', 'reset', nothing, (world) => {
      world.reset();
      return clock(world);
    }),
  ];
}

function faultIn(given: object): Fault {
  requireFault(given);
  return given;
}

const profileOf = ({ profile }: World) => reply(200, { profile: profile.current() });

const noSuchWorld = 'There is no such sandbox. Idle sandboxes are dropped when others are created.';

function clockOf({ clock }: World) {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen() };
}

/** Configuration that a client needs to use a sandbox. The base URL uses the host of the request. */
function describe(world: World, { headers, secure = false }: StubRequest): object {
  const { id, keys, roles, workspaces, otherAccount, shape, basePath, seed } = world;
  const own = id === 'main' ? basePath : `${worldPrefix}${id}${basePath}`;
  return {
    world: id,
    seed,
    baseUrl: typeof headers.host === 'string' ? `${secure ? 'https' : 'http'}://${headers.host}${own}` : own,
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
