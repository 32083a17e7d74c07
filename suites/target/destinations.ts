import type { SecretReference, TargetConfig } from '../../fixtures/target-config.ts';
import type { Target } from '../target.ts';

/** Returns one line for each host that gets a secret: the host, and the variables, files and programs it comes from. */
export function destinationsOf({ keys, headers = {}, clock }: TargetConfig, target: Target): string[] {
  const sources = new Map<string, Set<string>>();
  const add = (url: string, source: string) => {
    const { origin } = new URL(url);
    sources.set(origin, (sources.get(origin) ?? new Set()).add(source));
  };
  for (const { role, variable, baseUrl = target.baseUrl } of Object.values(target.keys)) {
    const reference = keys?.[role];
    add(baseUrl, reference === undefined ? variable : sourceOf(reference));
  }
  const addresses = [...sources.keys()];
  for (const reference of Object.values(headers)) {
    for (const address of addresses) if (typeof reference !== 'string') add(address, sourceOf(reference));
  }
  const { url, headers: ofClock = {} } = clock?.advance ?? {};
  for (const reference of Object.values(ofClock)) {
    if (url !== undefined && typeof reference !== 'string') add(url, sourceOf(reference));
  }
  return [...sources].map(([origin, from]) => `${origin} gets the secrets of ${[...from].join(', ')}`);
}

function sourceOf({ env, file, command }: SecretReference): string {
  return env ?? (file === undefined ? `the program ${command?.[0]}` : `the file ${file}`);
}
