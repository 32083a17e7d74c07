import type { Command } from './command-line/command.ts';

interface Listed {
  /** What help says of it; begins with a verb. */
  readonly summary: string;
  /** A command is loaded when it is run: the others need not wait for what it needs. */
  readonly load: () => Promise<Command>;
}

/** Every command of `tck`, in the order of the help. */
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
    summary: 'List the requirements and what each needs',
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
  replay: {
    summary: 'Send the requests behind findings again and show which are fixed',
    load: async () => (await import('./replay.ts')).replay,
  },
  open: {
    summary: 'Open the last report in a browser, or serve it',
    load: async () => (await import('./open.ts')).open,
  },
  compare: {
    summary: 'Compare two reports; exit with 1 on regressions',
    load: async () => (await import('./compare.ts')).compare,
  },
  merge: {
    summary: 'Combine several reports, such as those of shards, into one',
    load: async () => (await import('./merge.ts')).merge,
  },
  matrix: {
    summary: 'Show several reports side by side',
    load: async () => (await import('./matrix.ts')).matrix,
  },
  audit: {
    summary: 'Judge recorded traffic, such as a HAR file; send nothing',
    load: async () => (await import('./audit.ts')).audit,
  },
  proxy: {
    summary: 'Forward traffic to a deployment and judge it as it passes',
    load: async () => (await import('./proxy.ts')).proxy,
  },
  stub: {
    summary: 'Serve the reference stub, or run a command with it',
    load: async () => (await import('./stub.ts')).stub,
  },
  judge: {
    summary: 'Test a client in scenarios and write a report',
    load: async () => (await import('./judge.ts')).judge,
  },
  completion: {
    summary: 'Print the script that completes command lines in a shell',
    load: async (): Promise<Command> => (await import('./completion.ts')).completion,
  },
} as const satisfies Record<string, Listed>;

export function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name);
}
