import type { Command } from './command-line/parse.ts';

/**
 * A command in the table. The summary starts with a verb. `load` imports the command on demand, so that each command
 * waits only for its own imports.
 */
const listed = (summary: string, imported: () => Promise<{ readonly command: Command }>) => ({
  summary,
  load: async () => (await imported()).command,
});

/** All commands of `tck`, in the order of the help. */
export const commands = {
  run: listed('Test a deployment and write a report', () => import('./run.ts')),
  plan: listed('Show what a run would send and cost; send nothing', () => import('./plan.ts')),
  init: listed('Find the role of each key and write tck.config.json', () => import('./init.ts')),
  list: listed('List all requirements and their needs', () => import('./list.ts')),
  explain: listed('Explain a requirement and show a violation', () => import('./explain.ts')),
  describe: listed('Print the OpenAPI description of the API', () => import('./describe.ts')),
  open: listed('Open the last report in a browser', () => import('./open.ts')),
  compare: listed('Compare two reports; exit with 1 on regressions', () => import('./compare.ts')),
  audit: listed('Judge recorded traffic, such as a HAR file; send nothing', () => import('./audit.ts')),
  proxy: listed('Forward traffic to a deployment and judge the traffic', () => import('./proxy.ts')),
  stub: listed('Serve the reference stub, or run a command with a stub', () => import('./stub.ts')),
  judge: listed('Test a client in scenarios and write a report', () => import('./judge.ts')),
} as const;

export function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name);
}
