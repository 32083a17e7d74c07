import { defaultMaxImages, defaultPace, type Pace, type Target } from '../target.ts';
import { withoutUndefined } from '../without-undefined.ts';
import { assertKeysCanBeHidden } from './secrets.ts';

/** Members that may be undefined. */
type Maybe<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** How a run uses a target. */
export type Settings = Pick<Target, 'allow'> &
  Maybe<Pick<Target, 'maxImages' | 'maxCredits' | 'trace'> & { pace: Maybe<Pace> }>;

/** A target without the defaults. `secrets`: values to hide, besides the keys. */
type Parts = Settings &
  Pick<Target, 'baseUrl' | 'kind' | 'keys' | 'workspaces' | 'headers' | 'secrets'> &
  Maybe<Pick<Target, 'shape' | 'clock' | 'documentUrl' | 'tls' | 'dispatcher'>>;

/** Returns settings in which the defaults replace missing values. */
export function withDefaults({ allow, maxImages = defaultMaxImages, maxCredits, pace = {}, trace }: Settings) {
  return {
    allow,
    maxImages,
    pace: { ...defaultPace, ...withoutUndefined(pace) },
    ...withoutUndefined({ maxCredits, trace }),
  };
}

/** Returns a target, with defaults. Throws a UsageError if a key is part of a text that reports show. */
export function targetOf(parts: Parts): Target {
  const { baseUrl, kind, keys, workspaces, headers, secrets, shape, clock, documentUrl, tls, dispatcher } = parts;
  const target: Target = {
    baseUrl,
    kind,
    keys,
    workspaces,
    headers,
    ...withDefaults(parts),
    ...withoutUndefined({ shape, clock, documentUrl, tls, dispatcher }),
    secrets: [...Object.values(keys).map(({ key }) => key), ...secrets],
  };
  assertKeysCanBeHidden(target);
  return target;
}
