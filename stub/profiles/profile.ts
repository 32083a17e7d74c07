import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { headerNames } from '../../fixtures/contract/headers.ts';
import { toolNames } from '../../fixtures/contract/tools.ts';
import { type Fault, faultMembers, requireFault } from '../faults/fault.ts';
import { schemaOf } from '../worlds/members.ts';

/** A fault of a profile. It never expires and applies to matching requests with this probability. */
export type ProfileFault = Omit<Fault, 'times' | 'probability'> & { readonly probability: number };

const { times: _, ...members } = faultMembers;

const fault = z
  .looseObject({})
  .meta({ ...schemaOf(members), required: ['probability'] })
  .transform((given, context): ProfileFault => {
    const { probability, times } = given;
    const problem = times === undefined ? problemOf(given) : 'times does not apply to profiles; leave it out';
    if (problem === undefined && typeof probability === 'number') return { ...given, probability };
    context.addIssue(problem ?? 'probability is missing; expected a number above 0, and at most 1');
    return z.NEVER;
  });

function problemOf(given: object): string | undefined {
  try {
    requireFault(given);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message.replace(/^A fault: /, '');
    throw error;
  }
}

const milliseconds = z.number().min(0).max(600_000);
const latencyMembers = {
  medianMs: milliseconds.describe('Half of the responses take longer'),
  p95Ms: milliseconds.describe('One response in 20 takes longer; from medianMs'),
};
const fits = ({ medianMs, p95Ms }: { medianMs: number; p95Ms: number }) =>
  medianMs === 0 ? p95Ms === 0 : p95Ms >= medianMs;
const misfit = { message: 'expected a number from medianMs, and 0 if medianMs is 0', path: ['p95Ms'] };
const latency = z.strictObject(latencyMembers).refine(fits, misfit);

export const profileShape = z
  .strictObject({
    name: z.string().min(1).max(100).optional(),
    latency: z
      .strictObject({
        ...latencyMembers,
        tools: z.partialRecord(z.enum(toolNames), latency).describe('Other latencies of tools').optional(),
      })
      .refine(fits, misfit)
      .describe('Real time before responses, log-normal')
      .optional(),
    bytesPerSecond: z.int().min(1).max(1_000_000_000).describe('Bandwidth of the bodies of responses').optional(),
    rateLimit: z.int().min(1).max(1_000_000).describe('Most requests per minute for each key').optional(),
    faults: z.array(fault).max(100).describe('Faults; a request matches at most one, the first').optional(),
  })
  .meta({ title: 'Profile', description: 'Profile of latency and faults of tck stub' });

/** Latency, bandwidth, rate limit and faults of a network and its intermediaries. */
export type Profile = z.infer<typeof profileShape>;
/** A profile before validation. */
export type ProfileData = Omit<Profile, 'faults'> & { readonly faults?: readonly ProfileFault[] | undefined };
const page = (title: string) => `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

const soon = { [headerNames.retryAfter.toLowerCase()]: '1' };

/** The predefined profiles. */
export const profiles = {
  /** A phone with a weak signal: high latency, low bandwidth, and some lost connections. */
  'slow-mobile': {
    latency: { medianMs: 400, p95Ms: 2500, tools: { 'images.generate': { medianMs: 1200, p95Ms: 6000 } } },
    bytesPerSecond: 50_000,
    faults: [
      { probability: 0.01, drop: 'before', reset: true },
      { probability: 0.02, drop: 'after', reset: true },
    ],
  },
  /** A gateway in front of a restarting service: error pages and truncated responses. */
  'flaky-gateway': {
    latency: { medianMs: 60, p95Ms: 600 },
    faults: [
      { probability: 0.04, status: 502, body: page('502 Bad Gateway') },
      { probability: 0.03, status: 503, body: page('503 Service Unavailable'), headers: soon },
      { probability: 0.02, status: 504, body: page('504 Gateway Time-out'), latencyMs: 3000 },
      { probability: 0.02, drop: 'after' },
      { probability: 0.02, cutAtBytes: 20, reset: true },
    ],
  },
  /** A busy service: a low rate limit, and additional 429 responses within the limit. */
  'rate-limited': {
    latency: { medianMs: 40, p95Ms: 200 },
    rateLimit: 30,
    faults: [{ probability: 0.15, retryAfterSeconds: 2 }],
  },
} as const satisfies Record<string, ProfileData>;

export type ProfileName = keyof typeof profiles;

export function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(profiles, name);
}

/** The name of a profile, or its data. */
export type GivenProfile = ProfileName | ProfileData;

/** Validates a profile. Throws a RangeError that names each invalid member. */
export function parseProfile(given: unknown): Profile {
  const parsed = profileShape.safeParse(typeof given === 'string' ? profileNamed(given) : given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${['profile', ...path].join('.')}: ${message}`);
  throw new RangeError(issues.join('; '));
}

function profileNamed(name: string): object {
  if (isProfileName(name)) return { name, ...profiles[name] };
  throw new RangeError(`profile: expected one of ${Object.keys(profiles).join(', ')}, or an object, got '${name}'`);
}

const schemaOptions = { target: 'draft-2020-12', io: 'input' } as const;

/**
 * Returns the published JSON Schema (2020-12) as text. Running this file writes it to `fixtures/profile.schema.json`.
 */
export function profileSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(profileShape, schemaOptions), null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(new URL('../../fixtures/profile.schema.json', import.meta.url), profileSchema());
}
