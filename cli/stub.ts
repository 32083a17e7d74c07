import { stopGrowing } from '../stub/serve/memory.ts';
import { command } from './command-line/command.ts';
import { alias, flag, integer, list, text, textOr } from './command-line/option.ts';
import { json, seed } from './options.ts';

export const stub = command({
  name: 'stub',
  options: {
    port: integer('Listen on this port; 4010 unless given, 0 for a free one', 0, 65_535),
    host: text('Listen on this address', '127.0.0.1'),
    'allow-remote': flag('Accept a --host that other machines reach'),
    cors: textOr('Allow browser pages of this origin, or of every origin if none is given', '*'),
    tls: flag('Use TLS, with a certificate that openssl generates'),
    'tls-cert': text('Use TLS with this certificate, a PEM file'),
    'tls-key': text('The key of that certificate, a PEM file'),
    openapi: flag('Serve the OpenAPI description at GET /openapi.json'),
    viewer: flag('Serve a page at GET /viewer that shows the description and calls the stub; needs swagger-ui-dist'),
    health: flag('Answer probes at GET /health'),
    seed,
    now: text('Start at this time, such as 2027-03-08T09:00:00Z; the real time unless given'),
    defect: list('Violate the specification by these defects, separated by commas'),
    variant: list('Differ by these conforming variants, separated by commas; random for many, chosen by the seed'),
    fault: list('Inject this fault, in JSON; may be given more than once'),
    'rate-limit': alias('rate-cap', integer('Allow each key this many requests a minute', 1, 1_000_000)),
    'write-config': text('Write a configuration for tck run to this file'),
    control: flag(
      'Serve the control plane: clock, faults, switches, sandboxes, journal; its token may be in TCK_CONTROL_TOKEN',
    ),
    ui: flag('Serve a page that shows requests live, and where a person approves proposals'),
    journal: flag('Record requests; --no-journal is faster', true),
    json,
  },
  program: 'optional',
  groups: {
    Listening: ['port', 'host', 'allow-remote', 'cors', 'tls', 'tls-cert', 'tls-key', 'openapi', 'viewer', 'health'],
    Behaviour: ['seed', 'now', 'defect', 'variant', 'fault', 'rate-limit'],
    Control: ['control', 'ui', 'journal', 'write-config', 'json'],
  },
  exits: { 0: 'done, or what the command exits with', 1: 'a fault of --fault was never met', 2: 'wrong usage' },
  examples: [
    ['tck stub', 'Serve until Ctrl-C, and print a key for every role'],
    [
      `tck stub --fault '{"tool": "schedule.read", "status": 503}' -- npm test`,
      'Fail if the tests never met the fault',
    ],
    ['tck stub -- npm test', 'Run a command with address and keys in its environment'],
  ],

  async run({ program, ...given }, { stdout, stderr, env, signal }) {
    stopGrowing(); // before anything large is loaded
    const { serveStub } = await import('../stub/serve/serve.ts');
    const to = (stream: typeof stdout) => (line: string) => stream.write(`${line}\n`);
    const io = { print: to(stdout), warn: to(stderr), stop: signal };
    return serveStub({ ...given, command: program, controlToken: env.TCK_CONTROL_TOKEN }, io);
  },
});
