import { createCore, type StubCore, type StubOptions } from '../core.ts';
import { deviationOf, type Names } from '../variants/index.ts';
import type { Extras } from './files.ts';

type ServedOptions = Omit<StubOptions, 'around' | 'deviation' | 'deviate' | 'page'> &
  Names &
  Extras & {
    readonly seed: number;
    /** Serves the page of the control plane. */
    readonly ui: boolean;
  };

/** Creates the stub of `tck stub`. Loads its optional parts on demand. */
export async function createServed({
  variants,
  defects,
  ui,
  openapi,
  health,
  ...options
}: ServedOptions): Promise<StubCore> {
  const { withExtras } = openapi || health ? await import('./files.ts') : {};
  return createCore({
    ...options,
    deviation: deviationOf({ seed: options.seed, variants, defects }),
    deviate: deviationOf,
    ...(ui ? { page: (await import('../page/page.ts')).page } : {}),
    ...(withExtras && { around: (handle, main) => withExtras(handle, { openapi, health }, main) }),
  });
}
