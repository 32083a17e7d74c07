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
  const sources = new Map<string, SecretReference[]>();
  const add = (url: string, reference: SecretReference | string) => {
    const { origin } = new URL(url);
    if (typeof reference !== 'string') sources.set(origin, [...(sources.get(origin) ?? []), reference]);
  };
  for (const { role, variable, baseUrl = target.baseUrl } of Object.values(target.keys))
    add(baseUrl, keys?.[role] ?? { env: variable });
  const addresses = [...sources.keys()];
  for (const reference of Object.values(headers)) for (const address of addresses) add(address, reference);
  const { url, headers: ofClock = {} } = clock?.advance ?? {};
  for (const reference of Object.values(ofClock)) if (url !== undefined) add(url, reference);
  return [...sources].map(([origin, from]) => `${origin} gets the secrets of ${inWords(from)}`);
}

/** Names each source once, and each folder of files once: `the files keys/primary, sole`. */
function inWords(references: readonly SecretReference[]): string {
  const files = new Set(references.flatMap(({ file }) => file ?? []));
  const byFolder = Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf('/') + 1));
  const inFolders = [...byFolder].map(([folder, [first = '', ...others]]) => {
    const names = [first, ...others.map((other) => other.slice(folder.length))];
    return `the file${others.length === 0 ? '' : 's'} ${names.join(', ')}`;
  });
  const others = references.filter(({ file }) => file === undefined);
  return [...new Set([...inFolders, ...others.map(({ env, command }) => env ?? `the program ${command?.[0]}`)])].join(
    ', ',
  );
}
