import { keys } from './keys.ts';
import { money } from './money.ts';
import { protocol } from './protocol.ts';
import { rateLimits } from './rate-limits.ts';
import { redirects } from './redirects.ts';
import { size } from './size.ts';
import { structure } from './structure.ts';
import { texts } from './texts.ts';
import { timing } from './timing.ts';
import type { Attacks } from './wire.ts';

/** All attacks by a server, grouped by their target. The first ones take longest. */
export const attacks = {
  rateLimits,
  timing,
  size,
  structure,
  protocol,
  redirects,
  money,
  keys,
  texts,
} as const satisfies Readonly<Record<string, Attacks>>;
