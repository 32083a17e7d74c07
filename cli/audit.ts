import { basename, resolve } from 'node:path';
import { parseBaseUrl } from '../suites/target/target.ts';
import { several } from './command-line/declaration.ts';
import { text } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';
import { gateExits } from './options.ts';
import { recordedGroups, recordedOptions, reportRecorded, trafficOf } from './recorded.ts';

export const command = commandOf({
  name: 'audit',
  positionals: { files: several('HAR files, a report.json, or a journal of the stub') },
  options: {
    url: text(
      'Judge the requests to this base URL (default: that of the first response to a tool request but a redirect)',
    ),
    ...recordedOptions,
  },
  groups: { ...recordedGroups, Traffic: ['url', ...recordedGroups.Traffic] },
  exits: gateExits,
  examples: [
    ['tck audit traffic.har', 'Judge a recording of a browser'],
    ['tck audit --config tck.config.json --assume complete tests/*.har', 'Judge the complete traffic of a test suite'],
  ],
  setsAside: true,

  /** Judges recorded traffic and reports it. Throws a UsageError if a file is not a recording. */
  async run(options, around) {
    const { auditFiles } = await import('../suites/recorded/audit.ts');
    const { traffic, known } = await trafficOf(options, around);
    const { files, url } = options;
    const audited = await auditFiles({
      ...traffic,
      files: files.map((name) => ({ name: basename(name), path: resolve(around.cwd, name) })),
      baseUrl: url === undefined ? traffic.target?.baseUrl : parseBaseUrl(url, '--url'),
      signal: around.signal,
    });
    return reportRecorded(audited, known, options, around);
  },
});
