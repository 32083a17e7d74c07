import type { TargetConfig } from '../../fixtures/target-config.ts';

/** A command of a configuration, and its field. */
export interface ConfiguredCommand {
  readonly field: string;
  readonly command: readonly string[];
}

/**
 * Decides about the commands of a configuration, before the first one starts. Returns true to run them, or false to use
 * placeholders for the secrets that they print. Throws to refuse the configuration.
 */
export type Consent = (commands: readonly ConfiguredCommand[]) => boolean;

/** Returns all commands of a configuration. */
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
