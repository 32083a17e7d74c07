import { once } from 'node:events';
import { resolve } from 'node:path';
import { plain } from '../reports/plain.ts';
import type { ProxyOptions } from '../suites/recorded/proxy/proxy.ts';
import { environmentFor } from '../suites/target/embedded.ts';
import { safeBaseUrl } from '../suites/target/target.ts';
import { required } from './command-line/declaration.ts';
import { flag, integer, list, text } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';
import { cannotListen, certificateOf, listening, requireLoopback, trustIn } from './listening.ts';
import { gateExits, har, insecure } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';
import { recordedGroups, recordedOptions, reportRecorded, trafficOf } from './recorded.ts';

const options = {
  port: integer('Listen on this port (default: 4011, or a free port with a command)', 0, 65_535),
  ...listening,
  'allow-host': list(
    'Also accept these host names from clients; by default, only names of this machine (prevents DNS rebinding)',
  ),
  tls: flag('Use TLS with clients; openssl generates the certificate'),
  'tls-cert': text('Use TLS with the certificate in this PEM file'),
  'tls-key': text('Read the key of that certificate from this PEM file'),
  for: integer('Stop after this many seconds', 1, 7 * 24 * 3600),
  har,
  insecure,
  ...recordedOptions,
};

export const command = commandOf({
  name: 'proxy',
  positionals: { url: required('Base URL of the deployment') },
  options,
  program: 'optional',
  groups: {
    Listening: ['port', 'host', 'allow-remote', 'allow-host', 'tls', 'tls-cert', 'tls-key', 'for', 'insecure'],
    ...recordedGroups,
    Report: [...recordedGroups.Report, 'har'],
  },
  exits: { ...gateExits, 0: 'the gate passed; with a command, its exit code' },
  examples: [
    ['tck proxy https://staging.example.test', 'Forward and judge until Ctrl-C'],
    ['tck proxy https://staging.example.test -- npm test', 'Judge the traffic of a test suite'],
  ],
  setsAside: true,

  /**
   * Forwards requests until the proxy is stopped, and reports them. Returns the exit code of the report, or the exit
   * code of the command if the gate passes.
   */
  async run({ program, ...given }, around) {
    const { host, har } = given;
    const baseUrl = safeBaseUrl(given.url, 'url', given.insecure);
    const { JudgingProxy } = await import('../suites/recorded/proxy/proxy.ts');
    if (!given.allowRemote) requireLoopback(host);
    const { traffic, known } = await trafficOf(given, around);
    await using tls = await certificateOf(given, host);
    const port = given.port ?? (program.length > 0 ? 0 : defaultPort);
    const proxy = new JudgingProxy({
      ...traffic,
      baseUrl,
      tls,
      allowHosts: given.allowHost?.flatMap((names) => names.split(',')),
      har: har === undefined ? undefined : resolve(around.cwd, har),
      onFinding: printFinding(around),
      onProblem: (problem) => around.stderr.write(`! ${problem}\n`),
    });
    const address = await proxy.listen(port, host).catch((error: unknown) => {
      throw cannotListen(error, port, host);
    });
    const { target } = traffic;
    const stop =
      given.for === undefined ? around.signal : AbortSignal.any([around.signal, AbortSignal.timeout(given.for * 1000)]);
    if (program.length === 0) {
      const trust = tls === undefined ? '' : `; certificate to trust: ${tls.file}`;
      around.stdout.write(
        `Forwarding ${address} to ${baseUrl}${trust}; Ctrl-C stops the proxy and writes the report\n`,
      );
    }
    const keys = Object.values(target?.keys ?? {}).map(({ role, key }) => [role, key] as const);
    const found = environmentFor({ baseUrl: address, keys, workspace: target?.workspaces[0], shape: target?.shape });
    const code = await untilTheEnd(program, { ...found, ...trustIn(tls) }, stop);
    const result = await proxy.end();
    const gateCode = await reportRecorded(result, known, given, around);
    return gateCode === 0 ? code : gateCode;
  },
});

const defaultPort = 4011;

async function untilTheEnd(
  program: readonly string[],
  env: Readonly<Record<string, string>>,
  stop: AbortSignal,
): Promise<number> {
  if (program.length > 0) {
    const { runCommand } = await import('../stub/serve/command.ts');
    return runCommand({ command: program, env, stop });
  }
  if (!stop.aborted) await once(stop, 'abort');
  return 0;
}

function printFinding({ stderr }: Surroundings): ProxyOptions['onFinding'] {
  return (id, { expected, actual }, places) => {
    const lines = [
      `✗ ${id} (${places.join(', ')})`,
      `  expected  ${plain(expected, 300)}`,
      `  actual    ${plain(actual, 300)}`,
    ];
    stderr.write(`${lines.join('\n')}\n`);
  };
}
