import type { Redact } from '../exchange/redactor.ts';
import { UsageError } from '../usage/usage-error.ts';

/** Options of `tck run --image`, which tests a release of the server. */
export interface ImageOptions {
  /** Reference of the image, which is pulled if the engine does not have it. */
  image: string;
  port: number;
  env: Readonly<Record<string, string>>;
  /** Path that returns a 2xx for GET once the server is ready. Default: any response counts as ready. */
  ready?: string | undefined;
  redact: Redact;
}

export interface ImageChoice {
  image?: string | undefined;
  port?: number | undefined;
  /**
   * `NAME=value`, or `NAME` to pass on the value of this process. The second form keeps a secret off the command line.
   */
  env?: readonly string[] | undefined;
  ready?: string | undefined;
}

/** Returns the settings of a container. Throws a UsageError that names the wrong option, and never a value. */
export function environmentOf(
  { port, env = [], ready }: ImageChoice,
  here: Readonly<Record<string, string | undefined>>,
): Omit<ImageOptions, 'image' | 'redact'> {
  if (port === undefined)
    throw new UsageError('--port: expected with --image, to name the port that the container listens on');
  if (ready !== undefined && !ready.startsWith('/'))
    throw new UsageError(`--ready: expected a path such as /health, got '${ready}'`);
  return { port, env: Object.fromEntries(env.map((entry) => variableOf(entry, here))), ready };
}

function variableOf(entry: string, here: Readonly<Record<string, string | undefined>>): [string, string] {
  const [name = ''] = entry.split('=', 1);
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)) {
    throw new UsageError('--env: expected NAME=value or NAME, got a value that does not start with a name');
  }
  if (entry !== name) return [name, entry.slice(name.length + 1)];
  const value = here[name];
  if (value === undefined)
    throw new UsageError(`--env: expected the environment variable ${name} to be set, because --env contains no value`);
  return [name, value];
}

/** Error for an image that did not start a server to test. The message is for the user. */
export class ImageUnavailable extends Error {
  override readonly name = 'ImageUnavailable';
}
