import { z } from 'zod';
import { clientRules } from '../../fixtures/client-rules.ts';
import { formats } from '../../fixtures/contract/enums.ts';
import { roles } from '../../fixtures/roles.ts';
import { personActs } from '../../suites/history/history.ts';
import { statuses, verdicts } from '../../suites/result.ts';
import { faultMembers } from '../faults/fault.ts';
import { deliveries } from '../journal/event.ts';
import { profileShape } from '../profiles/profile.ts';
import { schemaOf } from '../worlds/members.ts';

/** Returns the response schemas by name. Created on demand, because few clients request the description. */
export function createResponses() {
  const time = z.string().meta({ format: 'date-time' });
  const role = z.enum(roles);
  const count = z.int().min(0);
  const place = z.strictObject({ slug: z.string(), board: z.string() });

  const queuedFault = z.looseObject({ fault: count, left: count.optional(), metBy: count.nullable() }).meta({
    properties: {
      ...Object(schemaOf(faultMembers).properties),
      fault: { type: 'integer' },
      left: { type: 'integer' },
      metBy: { type: ['integer', 'null'] },
    },
    additionalProperties: false,
  });

  const problem = z.strictObject({ problem: z.string() });
  const clock = z.strictObject({ now: time, frozen: z.boolean() });
  const advance = z.strictObject({ now: time });
  const sandboxes = z.strictObject({
    worlds: z.array(z.strictObject({ world: z.string(), seed: count, calls: count })),
    dropped: count,
  });
  const sandbox = z.strictObject({
    world: z.string(),
    seed: count,
    baseUrl: z.string(),
    keys: z.partialRecord(role, z.string()),
    workspaces: z.array(place),
    otherAccount: place,
    shape: z.string(),
  });
  const dropped = z.strictObject({ world: z.string() });
  const queued = z.strictObject({ faults: z.array(count) });
  const faults = z.strictObject({ unmet: z.array(queuedFault), met: z.array(queuedFault) });
  const profile = z.strictObject({ profile: profileShape.nullable() });
  const person = z.strictObject({ act: z.enum(['approve', 'deny', 'pick']), subject: z.string() });
  const snapshot = z.strictObject({ snapshot: z.string() });

  const state = z.strictObject({
    now: time,
    frozen: z.boolean(),
    keys: z.array(
      z.strictObject({
        role,
        account: z.string(),
        state: z.enum(['live', 'revoked', 'expired']),
        capability: z.boolean(),
        rateLimit: count,
        reach: z.array(z.string()),
        pin: z.string().nullable(),
        storedDefault: z.string().nullable(),
      }),
    ),
    accounts: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        apiSwitch: z.boolean(),
        platformSwitch: z.boolean(),
        credits: z.number(),
      }),
    ),
    created: z.array(
      z.strictObject({
        piece_id: z.string(),
        title: z.string().nullable(),
        format: z.enum(formats),
        day: z.string(),
        scheduled_for: z.string().nullable(),
        platforms: z.array(z.string()),
        filled_planned_slot: z.boolean(),
        workspace: z.string(),
      }),
    ),
    proposals: z.array(
      z.strictObject({
        confirmation_id: z.string(),
        request_summary: z.string(),
        workspace: z.string(),
        role,
        issuedAt: time,
        expiresAt: time,
        person: z.enum(['approved', 'denied']).nullable(),
      }),
    ),
    dispatched: z.array(
      z.strictObject({
        run_id: z.string(),
        confirmation_id: z.string(),
        workspace: z.string(),
        account: z.string(),
        role,
        images: count,
        credits: z.number(),
        at: time,
      }),
    ),
    charged: z.number(),
    faults,
    forgotten: z.record(z.string(), count),
  });

  const dated = { seq: count, at: z.number(), aheadMs: z.number() };
  const message = { headers: z.array(z.array(z.string()).length(2)), bodyBytes: count };
  const exchange = z.strictObject({
    kind: z.literal('exchange'),
    ...dated,
    role: role.nullable(),
    account: z.string().nullable(),
    tool: z.string().nullable(),
    connection: count.nullable(),
    request: z.strictObject({ method: z.string(), path: z.string(), body: z.string().nullable(), ...message }),
    answer: z.strictObject({ status: count, body: z.string(), ...message }).nullable(),
    delivery: z.enum(deliveries),
    delayMs: z.number(),
    fault: count.nullable(),
  });
  const said = z.strictObject({ kind: z.literal('person'), ...dated, act: z.enum(personActs), subject: z.string() });
  const changed = z.strictObject({ kind: z.literal('control'), ...dated, what: z.string() });
  const journal = z.strictObject({
    events: z.array(z.discriminatedUnion('kind', [exchange, said, changed])),
    dropped: count,
  });

  const judgement = z.strictObject({
    verdict: z.enum(verdicts),
    requirements: z.array(
      z.strictObject({
        id: z.enum(Object.keys(clientRules)),
        statement: z.string(),
        status: z.enum(statuses),
        reason: z.string().optional(),
        findings: z.array(
          z.strictObject({
            expected: z.string(),
            actual: z.string(),
            hint: z.string(),
            exchanges: z.array(count),
          }),
        ),
      }),
    ),
  });
  return {
    problem,
    clock,
    advance,
    sandboxes,
    sandbox,
    dropped,
    queued,
    faults,
    profile,
    person,
    snapshot,
    state,
    journal,
    judgement,
  };
}

export type ResponseName = keyof ReturnType<typeof createResponses>;
