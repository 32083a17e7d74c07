import type { Command } from './command-line/parse.ts';

/**
 * A command in the table. The summary starts with a verb. `load` imports the command on demand, so that each command
 * waits only for its own imports.
 */
const listed = (summary: string, load: () => Promise<Command>) => ({ summary, load });

/** All commands of `tck`, in the order of the help. */
export const commands = {
  run: listed('Test a deployment and write a report', async () => (await import('./run.ts')).run),
  plan: listed('Show what a run would send and cost; send nothing', async () => (await import('./plan.ts')).plan),
  init: listed('Find the role of each key and write tck.config.json', async () => (await import('./init.ts')).init),
  list: listed('List all requirements and their needs', async () => (await import('./list.ts')).list),
  explain: listed('Explain a requirement and show a violation', async () => (await import('./explain.ts')).explain),
  describe: listed('Print the OpenAPI description of the API', async () => (await import('./describe.ts')).describe),
  open: listed('Open the last report in a browser', async () => (await import('./open.ts')).open),
  compare: listed(
    'Compare two reports; exit with 1 on regressions',
    async () => (await import('./compare.ts')).compare,
  ),
  audit: listed(
    'Judge recorded traffic, such as a HAR file; send nothing',
    async () => (await import('./audit.ts')).audit,
  ),
  proxy: listed(
    'Forward traffic to a deployment and judge the traffic',
    async () => (await import('./proxy.ts')).proxy,
  ),
  stub: listed('Serve the reference stub, or run a command with a stub', async () => (await import('./stub.ts')).stub),
  judge: listed('Test a client in scenarios and write a report', async () => (await import('./judge.ts')).judge),
} as const;

export function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name);
}
