import type { Command } from './command-line/command.ts';

interface Listed {
  /** The description in the help. Starts with a verb. */
  readonly summary: string;
  /** Loads the command on demand, so that each command waits only for its own imports. */
  readonly load: () => Promise<Command>;
}

/** All commands of `tck`, in the order of the help. */
export const commands = {
  run: {
    summary: 'Test a deployment and write a report',
    load: async () => (await import('./run.ts')).run,
  },
  plan: {
    summary: 'Show what a run would send and cost; send nothing',
    load: async () => (await import('./plan.ts')).plan,
  },
  init: {
    summary: 'Find the role of each key and write tck.config.json',
    load: async () => (await import('./init.ts')).init,
  },
  list: {
    summary: 'List all requirements and their needs',
    load: async () => (await import('./list.ts')).list,
  },
  explain: {
    summary: 'Explain a requirement and show a violation',
    load: async () => (await import('./explain.ts')).explain,
  },
  describe: {
    summary: 'Print the OpenAPI description of the API',
    load: async () => (await import('./describe.ts')).describe,
  },
  open: {
    summary: 'Open the last report in a browser',
    load: async () => (await import('./open.ts')).open,
  },
  compare: {
    summary: 'Compare two reports; exit with 1 on regressions',
    load: async () => (await import('./compare.ts')).compare,
  },
  audit: {
    summary: 'Judge recorded traffic, such as a HAR file; send nothing',
    load: async () => (await import('./audit.ts')).audit,
  },
  proxy: {
    summary: 'Forward traffic to a deployment and judge the traffic',
    load: async () => (await import('./proxy.ts')).proxy,
  },
  stub: {
    summary: 'Serve the reference stub, or run a command with a stub',
    load: async () => (await import('./stub.ts')).stub,
  },
  judge: {
    summary: 'Test a client in scenarios and write a report',
    load: async () => (await import('./judge.ts')).judge,
  },
} as const satisfies Record<string, Listed>;

export function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name);
}
