import type { SecretReference, TargetConfig } from '../../fixtures/target-config.ts';
import type { Target } from './target.ts';

export interface ConfiguredCommand {
  readonly field: string;
  readonly command: readonly string[];
}

/**
 * Decides about the commands of a configuration, before the first one starts. Returns true to run them, or false to use
 * placeholders for the secrets that they print. Throws to refuse the configuration.
 */
export type Consent = (commands: readonly ConfiguredCommand[]) => boolean;

export function commandsOf({ keys = {}, headers = {}, tls = {}, clock }: TargetConfig): ConfiguredCommand[] {
  const { advance } = clock ?? {};
  const clockCommand = advance?.command === undefined ? [] : [{ field: 'clock.advance', command: advance.command }];
  return [
    ...commandsIn(keys, 'keys'),
    ...commandsIn(headers, 'headers'),
    ...commandsIn(tls, 'tls'),
    ...commandsIn(advance?.headers ?? {}, 'clock.advance.headers'),
    ...clockCommand,
  ];
}

type References = Readonly<Record<string, string | { command?: readonly string[] | undefined } | undefined>>;

function commandsIn(references: References, field: string): ConfiguredCommand[] {
  return Object.entries(references).flatMap(([name, reference]) => {
    const command = typeof reference === 'object' ? reference.command : undefined;
    return command === undefined ? [] : [{ field: `${field}.${name}`, command }];
  });
}

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
  return [...sources].map(([origin, from]) => `${origin} gets the secrets of ${inFolders([...from]).join(', ')}`);
}

/** Names each folder of files once: `the files keys/primary, sole`. */
function inFolders(sources: readonly string[]): string[] {
  const byFolder = Map.groupBy(sources, (source) => /^the file .*\//.exec(source)?.[0] ?? source);
  return [...byFolder].map(([folder, [first = '', ...others]]) =>
    others.length === 0
      ? first
      : `${first.replace('the file', 'the files')}, ${others.map((other) => other.slice(folder.length)).join(', ')}`,
  );
}

function sourceOf({ env, file, command }: SecretReference): string {
  return env ?? (file === undefined ? `the program ${command?.[0]}` : `the file ${file}`);
}
