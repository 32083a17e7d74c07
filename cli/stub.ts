import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { flag, integer, list, text, textOr } from './command-line/option.ts';

export const stub = command({
  name: 'stub',
  options: {
    port: integer('Listen on this port; 0 selects a free one (default: 4010, or a free one with a command)', 0, 65_535),
    host: text('Listen on this address', '127.0.0.1'),
    'allow-remote': flag('Allow a --host that other machines can reach'),
    cors: textOr('Allow browser pages of this origin; without an origin, of every origin', '*'),
    tls: flag('Use TLS; openssl generates the certificate'),
    openapi: flag('Serve the OpenAPI description at GET /openapi.json'),
    health: flag('Respond to probes at GET /health'),
    seed: integer('Seed of all random values (default: the seed of --data, or 1)', 0, 2 ** 32 - 1),
    data: text('Start with the workspaces, keys and balances of this file (JSON or YAML)'),
    from: text('Start with the data that this recording shows: a HAR file, a report.json or a journal of the stub'),
    now: text('Start at this time, such as 2027-03-08T09:00:00Z (default: the current time)'),
    defect: list('Violate the specification with these defects, separated by commas; see tck list --defects'),
    variant: list('Differ in these conforming ways, separated by commas; random selects many; see tck list --variants'),
    fault: list('Inject this fault, in JSON; repeat the option for more'),
    profile: text(
      'Start with the faults of this profile: slow-mobile, flaky-gateway, rate-limited, or a file (JSON or YAML)',
    ),
    'rate-limit': integer('Allow each key this many requests a minute', 1, 1_000_000),
    'write-config': text('Write a configuration for tck run to this file, and serve the control plane for its clock'),
    control: flag(
      'Serve the control plane for the clock, faults, sandboxes and more; TCK_CONTROL_TOKEN sets its token',
    ),
    ui: flag('Serve a live page where a person sees requests and approves proposals'),
    mcp: textOr('Offer the tools to agents over MCP at /mcp, or with stdio over standard input and output', 'http'),
    keys: flag('Print the keys of all roles and their workspaces'),
    json: flag('Print base URL, keys and control plane as one line of JSON'),
  },
  program: 'optional',
  groups: {
    Listening: ['port', 'host', 'allow-remote', 'cors', 'tls', 'openapi', 'health', 'mcp'],
    Behavior: ['seed', 'data', 'from', 'now', 'defect', 'variant', 'fault', 'profile', 'rate-limit'],
    Control: ['control', 'ui', 'write-config', 'keys', 'json'],
  },
  exits: { 0: 'stopped; with a command, its exit code', 1: 'a fault of --fault matched no request', 2: 'wrong usage' },
  examples: [
    ['tck stub', 'Serve until Ctrl-C; print a key for every role'],
    ['tck stub -- npm test', 'Run a command with base URL and keys in its environment'],
    ['tck stub --mcp stdio', 'Serve an agent that starts this command as an MCP server'],
    [
      `tck stub --fault '{"tool": "schedule.read", "status": 503}' -- npm test`,
      'Respond to one schedule.read with 503; fail if the tests send none',
    ],
  ],

  async run({ program, ...given }, { stdout, stderr, env, signal }) {
    const { serveStub } = await import('../stub/serve/serve.ts');
    const to = (stream: typeof stdout) => (line: string) => stream.write(`${line}\n`);
    const io = { print: to(stdout), warn: to(stderr), stop: signal };
    const { mcp } = given;
    if (mcp !== undefined && mcp !== 'http' && mcp !== 'stdio') {
      throw new UsageError(`--mcp: expected http or stdio, got '${mcp}'`);
    }
    return serveStub({ ...given, mcp, command: program, controlToken: env.TCK_CONTROL_TOKEN }, io);
  },
});
