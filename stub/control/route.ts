import type { z } from 'zod';
import type { Deviation } from '../server/behavior.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';

/** Defects and variants requested by name. */
export interface Chosen {
  readonly seed: number;
  readonly variants: readonly string[];
  readonly defects: readonly string[];
}

/** Throws a UsageError for unknown names and for incompatible variants. */
export type Deviate = (chosen: Chosen) => Deviation;

export interface Asked {
  readonly id?: string | undefined;
  readonly query: URLSearchParams;
  readonly request: StubRequest;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the control plane. `{sandbox}` is a placeholder for the ID. */
  readonly path: string;
  /** Schema of the request body. `example` is a valid body. */
  readonly takes?: z.ZodType;
  readonly example?: object;
  readonly run: (asked: Asked, body: () => unknown) => StubResponse;
}

/** Validates a value. Throws a RangeError that lists the invalid members. */
export function parse<T extends z.ZodType>(shape: T, given: unknown): z.infer<T> {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${['body', ...path].join('.')}: ${message}`);
  throw new RangeError(`${issues.join('; ')}.`);
}
