import type { z } from 'zod';
import type { Deviation } from '../server/behavior.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';
import type { ResponseName } from './responses.ts';

/** Deviations by name, as the control plane may be asked for them. */
export interface Chosen {
  readonly seed: number;
  readonly variants: readonly string[];
  readonly defects: readonly string[];
}

/** Throws a UsageError for names that are none, and for variants that contradict each other. */
export type Deviate = (chosen: Chosen) => Deviation;

/** What the description of the control plane says of a route. */
export interface About {
  /** Name of the operation. */
  readonly name: string;
  readonly what: string;
  readonly gives: ResponseName | 'text/event-stream';
  /** 200 unless something is created. */
  readonly status?: 201;
  /** The body that it takes, and one that works. */
  readonly takes?: z.ZodType;
  readonly example?: object;
  /** Whether it takes the number of an event, to give those after it. */
  readonly after?: true;
}

export interface Asked {
  readonly id?: string | undefined;
  readonly query: URLSearchParams;
  readonly request: StubRequest;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the control plane; `{sandbox}` stands for the name of one. */
  readonly path: string;
  readonly about: About;
  readonly run: (asked: Asked, body: () => unknown) => StubResponse;
}

/** Throws a RangeError that names the members that do not fit. */
export function parse<T extends z.ZodType>(shape: T, given: unknown): z.infer<T> {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${['body', ...path].join('.')}: ${message}`);
  throw new RangeError(`${issues.join('; ')}.`);
}
