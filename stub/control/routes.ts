import { z } from 'zod';
import { roles } from '../../fixtures/roles.ts';
import type { Fault } from '../faults/fault.ts';
import { neverMetMessage } from '../faults/queue.ts';
import { judgementOf } from '../judge/judgement.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';
import { checked, object, text, time } from '../worlds/checked.ts';
import { switchMembers } from '../worlds/switches.ts';
import type { WorldView } from '../worlds/view.ts';
import type { World } from '../worlds/world.ts';
import { requestMembers, type Worlds, worldPrefix } from '../worlds/worlds.ts';
import { problem, reply } from './reply.ts';

interface Asked {
  /** The sandbox in the path; `main` without one. */
  readonly world: World;
  readonly body: object;
  readonly query: URLSearchParams;
  readonly request: StubRequest;
}

/** A RangeError or UsageError of `run` becomes a 400 response. */
interface Route {
  /** A valid body; undefined if the route takes none. */
  readonly example?: object;
  readonly run: (asked: Asked) => StubResponse;
}

export type SandboxState = WorldView & { readonly access: ReturnType<typeof accessTo> };

/** `seconds` advances the clock; excludes `time`. */
const clockMembers = z.strictObject({ seconds: z.number(), time, frozen: z.boolean() }).partial();

/** `subject` is a confirmation ID or a workspace. */
const decisionMembers = z.strictObject({ act: z.enum(['approve', 'deny', 'pick']), subject: text(2000) });
const faultsMembers = z.strictObject({ faults: z.array(object<Fault>()) });
const roleMembers = switchMembers.extend({ role: z.enum(roles) });

/**
 * Returns all routes by method and path, in the order of the guide. The path is relative to the control plane, with
 * `{sandbox}` for the ID of a sandbox.
 */
export function createRoutes(worlds: Worlds): Readonly<Record<string, Route>> {
  const clock = ({ world }: Pick<Asked, 'world'>) => {
    return reply(200, { now: new Date(world.clock.now()).toISOString(), frozen: world.clock.frozen() });
  };
  const faults = ({ faults }: World) => reply(200, { unmet: faults.unmet(), met: faults.met() });
  return {
    'POST worlds': {
      example: { seed: 7 },
      run({ body, request }) {
        return reply(201, accessTo(worlds.mint(checked('A sandbox', requestMembers, body)), request));
      },
    },
    'DELETE worlds/{sandbox}': {
      run: ({ world: { id } }) =>
        worlds.drop(id) ? reply(200, { world: id }) : problem(400, 'The main sandbox cannot be dropped.'),
    },
    'POST worlds/{sandbox}/clock': {
      example: { seconds: 60 },
      run({ world, body }) {
        const { seconds, time, frozen } = checked('A clock', clockMembers, body);
        if (seconds !== undefined && time !== undefined) throw new RangeError('seconds and time exclude each other.');
        if ((seconds ?? time ?? frozen) === undefined) throw new RangeError('Expected seconds, time or frozen.');
        // `advance` and `set` can throw, so they run first. On error, nothing changes.
        if (seconds !== undefined) world.clock.advance(seconds);
        if (time !== undefined) world.clock.set(time);
        if (frozen === true) world.clock.freeze();
        if (frozen === false) world.clock.resume();
        return clock({ world });
      },
    },
    'POST worlds/{sandbox}/faults': {
      example: { faults: [{ tool: 'schedule.read', status: 503 }] },
      run({ world, body }) {
        const { faults } = checked('The body', faultsMembers, body);
        return reply(201, { faults: world.faults.add(...faults) });
      },
    },
    'POST worlds/{sandbox}/faults/verify': {
      run({ world }) {
        const never = world.faults.neverMet();
        return never.length > 0 ? problem(409, neverMetMessage(never)) : faults(world);
      },
    },
    'DELETE worlds/{sandbox}/faults': {
      run({ world }) {
        world.faults.clear();
        return faults(world);
      },
    },
    'POST worlds/{sandbox}/switches': {
      example: { role: 'primary', key: 'revoked' },
      run({ world, body }) {
        const { role, ...switches } = checked('A switch', roleMembers, body);
        world.switch(role, switches);
        return reply(200, world.state());
      },
    },
    'POST worlds/{sandbox}/person': {
      example: { act: 'approve', subject: '<confirmation_id>' },
      run({ world: { person }, body }) {
        const { act, subject } = checked('A decision', decisionMembers, body);
        if (act === 'approve') person.approve(subject);
        else if (act === 'deny') person.deny(subject);
        else person.picks(subject);
        return reply(200, { act, subject });
      },
    },
    'GET worlds/{sandbox}/state': {
      run({ world, request }) {
        const state: SandboxState = { ...world.state(), access: accessTo(world, request) };
        return reply(200, state);
      },
    },
    'GET worlds/{sandbox}/journal': {
      run: ({ world, query }) => reply(200, world.journal(Number(query.get('after')) || 0)),
    },
    'GET worlds/{sandbox}/judgement': {
      run: ({ world }) => reply(200, judgementOf(world)),
    },
    'POST worlds/{sandbox}/reset': {
      run({ world }) {
        world.reset();
        return clock({ world });
      },
    },
  };
}

/** Configuration that a client needs to use a sandbox. The base URL uses the host of the request. */
function accessTo(world: World, { headers, secure = false }: StubRequest) {
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
