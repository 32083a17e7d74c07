import type { TargetConfig } from '../../fixtures/target-config.ts';

/** A command that a configuration names, and its field. */
export interface ConfiguredCommand {
  readonly field: string;
  readonly command: readonly string[];
}

/**
 * Decides about the commands of a configuration; called with all of them before the first one starts. Returns true to
 * run them, and false to use stand-ins for the secrets that they print. Throws to refuse the configuration.
 */
export type Consent = (commands: readonly ConfiguredCommand[]) => boolean;

/** All commands that a configuration names. */
export function commandsOf({ keys = {}, headers = {}, clock }: TargetConfig): ConfiguredCommand[] {
  const { advance } = clock ?? {};
  const clockCommand = advance?.command === undefined ? [] : [{ field: 'clock.advance', command: advance.command }];
  return [
    ...commandsIn(keys, 'keys'),
    ...commandsIn(headers, 'headers'),
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
