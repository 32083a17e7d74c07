#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { commandIn, refusalOf, refuseCommand, refuseRepeats, wholeNumber } from './fixtures/command-line.ts';
import { kit } from './fixtures/kit.ts';
import { exitCodeOf, surroundingsOf } from './fixtures/process.ts';
import type { Target } from './suites/target.ts';

// Before anything large is imported. Everything below is imported when a command needs it.
enableCompileCache();
const { default: yargs } = await import('yargs');

const around = surroundingsOf(process);

const value = { type: 'string', requiresArg: true } as const;
const patterns = { ...value, array: true, nargs: 1 } as const;
const flag = { type: 'boolean', default: false } as const;
const number = (option: string, from: number, to: number) => ({ ...value, coerce: wholeNumber(option, from, to) });
const seed = { ...number('--seed', 0, 2 ** 32 - 1), default: 1, describe: 'Whole number that all chance comes from' };

const runOptions = {
  config: { ...value, describe: 'Configuration of the deployment (tck.config.json)' },
  stub: { ...flag, describe: 'Run against the embedded stub' },
  image: { ...value, describe: 'Run against a container of this image' },
  port: { ...number('--port', 1, 65_535), describe: 'With --image: the port that it listens on' },
  env: { ...patterns, describe: 'With --image: NAME=value for its environment, or NAME for the value here' },
  ready: { ...value, describe: 'With --image: a path that answers 2xx once it is ready' },
  'ready-timeout': { ...number('--ready-timeout', 1, 3600), describe: 'With --image: seconds until it must be ready' },
  allow: { ...value, describe: 'Effects that are allowed: all, none, or names with commas between them' },
  only: { ...patterns, describe: 'Check these requirements: topics, or globs on ids, with commas between them' },
  skip: { ...patterns, describe: 'Leave these requirements out' },
  'known-failures': { ...value, describe: 'File of failures that are known' },
  'update-known-failures': { ...flag, describe: 'Add what failed to that file, for a person to fill in' },
  require: { ...patterns, describe: 'Fail where these were not tested; all for every one' },
  shard: { ...value, describe: 'A part of the work, such as 1/3; tck merge puts the parts together' },
  out: { ...value, default: 'tck-report', describe: 'Folder for the report' },
  reporter: { ...value, choices: ['github'] as const, describe: 'Annotations and a job summary besides' },
  observe: { type: 'boolean', default: true, describe: 'Answer open questions too; --no-observe leaves them out' },
  fuzz: { ...number('--fuzz', 0, 100_000), default: 24, describe: 'Calls drawn by chance from the published schemas' },
  seed,
  bail: { ...flag, describe: 'Stop after the first failure' },
  insecure: { ...flag, describe: 'Let keys travel over plain http to other machines' },
} as const;

const stubOptions = {
  port: { ...number('--port', 0, 65_535), describe: 'Port, 4010 unless named; 0 for a free one' },
  host: { ...value, default: '127.0.0.1', describe: 'Address to listen on' },
  'allow-remote': { ...flag, describe: 'Let --host be an address that other machines reach' },
  seed,
  defect: { ...patterns, describe: 'Deviate from the document in these ways, with commas between them' },
  variant: { ...patterns, describe: 'Differ in these conforming ways; random for many that the seed chooses' },
  'rate-cap': { ...number('--rate-cap', 1, 1_000_000), describe: 'Calls a minute for each key' },
  'write-config': { ...value, describe: 'Write a configuration for tck run to this file' },
  control: { ...flag, describe: 'Serve the control plane: clock, faults, switches, worlds, journal' },
  ui: { ...flag, describe: 'Serve a page that shows what the client does; a person approves proposals there' },
  journal: { type: 'boolean', default: true, describe: 'Write calls down; --no-journal for the last bit of speed' },
  json: { ...flag, describe: 'Print one line of JSON when it listens' },
} as const;

const judgeOptions = {
  out: runOptions.out,
  seed,
  timeout: { ...number('--timeout', 1, 3600), default: 60, describe: 'Seconds that one run of the client may take' },
  attended: { ...flag, describe: 'A person speaks over the control plane: nothing is to be confirmed without' },
} as const;

const initOptions = {
  'key-env': { ...value, array: true, demandOption: true, describe: 'Environment variables that hold a key each' },
  out: { ...value, default: 'tck.config.json', describe: 'File to write' },
  force: { ...flag, describe: 'Replace a file that is there' },
  insecure: runOptions.insecure,
} as const;

const planOptions = (({ config, allow, only, skip, shard, observe, fuzz, seed, insecure }) => ({
  ...{ config, allow, only, skip, shard, observe, fuzz, seed, insecure },
  json: { ...flag, describe: 'Print JSON' },
}))(runOptions);

const mergeOptions = { require: runOptions.require, out: runOptions.out } as const;

const compareOptions = {
  format: { ...value, choices: ['text', 'markdown', 'html', 'json'] as const, describe: 'What is printed' },
  out: { ...value, describe: 'Folder for the comparison in all other forms' },
} as const;

const replayOptions = {
  url: { ...value, describe: "Where to; the configuration's base URL otherwise, or the report's" },
  config: runOptions.config,
  allow: runOptions.allow,
  insecure: runOptions.insecure,
  json: { ...flag, describe: 'Print JSON' },
} as const;

const listOptions = {
  json: { ...flag, describe: 'Print JSON' },
  variants: { ...flag, describe: 'List the conforming variants of the stub' },
  'client-rules': { ...flag, describe: 'List the rules that clients are judged by' },
  defects: { ...flag, describe: 'List the defects of the stub, with what each of them breaks' },
} as const;

const stubIs = 'Starts the reference stub; after -- a command to run with it';
const judgeIs = 'Judges a client, which stands after --, by what it does when things go wrong';

const everyOption = [runOptions, stubOptions, judgeOptions, initOptions, compareOptions, replayOptions, listOptions]
  .flatMap(Object.keys)
  .concat('help', 'version');

/** The command that a command line asks for. It is thrown: a handler that returns lets yargs write its help, for later, which takes longer than many a command. */
class Asked extends Error {
  readonly command: () => Promise<number>;

  constructor(command: () => Promise<number>) {
    super('a command is to run');
    this.command = command;
  }
}

const asks = (command: () => Promise<number>): never => {
  throw new Asked(command);
};

const embedded = async (worldSeed: number) => {
  const [{ createStub }, { embeddedTarget }] = await Promise.all([
    import('./stub/index.ts'),
    import('./suites/target/embedded.ts'),
  ]);
  return embeddedTarget(createStub({ seed: worldSeed }));
};

const reference = async ({ baseUrl, workspaces, keys }: Target) => {
  const { createReference } = await import('./stub/reference.ts');
  return createReference({ baseUrl, workspaces, otherAccount: keys.otherAccount });
};

const parser = yargs(process.argv.slice(2))
  .scriptName('tck')
  .usage('$0 <command>\n\nConformance tests and a reference stub of the tool-call API of a content workspace service')
  .command('run [url]', 'Checks a deployment and writes a report', runOptions, (argv) =>
    asks(async () => {
      const { run } = await import('./reports/run.ts');
      const options = {
        ...argv,
        url: argv.url as string | undefined, // a positional that the builder does not name
        readyTimeout: argv['ready-timeout'],
        knownFailures: argv['known-failures'],
        updateKnownFailures: argv['update-known-failures'],
      };
      return run(options, { ...around, embedded, reference });
    }),
  )
  .command('plan [url]', 'Says what a run would do, without sending anything', planOptions, (argv) =>
    asks(async () => {
      const { plan } = await import('./reports/plan.ts');
      return plan({ ...argv, url: argv.url as string | undefined }, { ...around, embedded });
    }),
  )
  .command(
    'stub',
    stubIs,
    (its) => its.usage(`$0 stub [options] [-- <command>]\n\n${stubIs}`).options(stubOptions),
    (argv) =>
      asks(async () => {
        const { stopGrowing } = await import('./stub/small.ts');
        stopGrowing(); // before anything large is loaded
        const { serveStub } = await import('./stub/serve.ts');
        const options = {
          ...argv,
          rateCap: argv['rate-cap'],
          writeConfig: argv['write-config'],
          allowRemote: argv['allow-remote'],
          command: commandIn(argv),
        };
        return serveStub(options, { print: (line) => around.stdout.write(`${line}\n`), stop: around.signal });
      }),
  )
  .command(
    'judge',
    judgeIs,
    (its) => its.usage(`$0 judge [options] -- <command>\n\n${judgeIs}`).options(judgeOptions),
    (argv) =>
      asks(async () => {
        const [{ judgeClient }, { provoke }] = await Promise.all([
          import('./reports/judge/judge.ts'),
          import('./stub/judge/provoke.ts'),
        ]);
        return judgeClient({ ...argv, command: commandIn(argv) }, { ...around, provoke });
      }),
  )
  .command('list', 'Lists requirements with their levels, checks and what each needs', listOptions, (argv) =>
    asks(async () => {
      if (argv.variants || argv.defects) {
        const { listDefects, listVariants } = await import('./stub/variants/list.ts');
        around.stdout.write(argv.variants ? listVariants(argv.json) : listDefects(argv.json));
        return 0;
      }
      const { list } = await import('./suites/list.ts');
      return list({ ...argv, clientRules: argv['client-rules'] }, around);
    }),
  )
  .command('describe', 'Prints the OpenAPI description', {}, () =>
    asks(async () => {
      const { describe } = await import('./fixtures/contract/describe.ts');
      around.stdout.write(describe());
      return 0;
    }),
  )
  .command('init <url>', 'Finds out which role each key plays, and writes tck.config.json', initOptions, (argv) =>
    asks(async () => {
      const [{ init }, { questionsAt }] = await Promise.all([
        import('./suites/init/init.ts'),
        import('./suites/init/ask.ts'),
      ]);
      return init(
        { ...argv, url: String(argv.url), keyEnv: argv['key-env'] },
        { ...around, ask: questionsAt(process) },
      );
    }),
  )
  .command('compare <before> <after>', 'Compares two reports; 1 where something got worse', compareOptions, (argv) =>
    asks(async () => {
      const { compare } = await import('./reports/compare.ts');
      return compare({ ...argv, before: String(argv.before), after: String(argv.after) }, around);
    }),
  )
  .command('replay <report> [requirement]', 'Sends the requests behind findings again', replayOptions, (argv) =>
    asks(async () => {
      const { replay } = await import('./reports/replay.ts');
      const { report, requirement } = argv as { report?: unknown; requirement?: string }; // positionals, as above
      return replay({ ...argv, report: String(report), requirement }, { ...around, embedded });
    }),
  )
  .command('merge <reports..>', 'Makes one report of several, such as those of shards', mergeOptions, (argv) =>
    asks(async () => {
      const { merge } = await import('./reports/merge.ts');
      return merge({ ...argv, reports: [argv.reports].flat().map(String) }, around);
    }),
  )
  .demandCommand(1, 1, 'a command is missing: tck --help lists them', 'one command at a time')
  .middleware(refuseRepeats(['only', 'skip', 'require', 'env', 'defect', 'variant', 'key-env', 'reports']))
  .parserConfiguration({ 'camel-case-expansion': false, 'populate--': true })
  .middleware(refuseCommand(['stub', 'judge'], process.argv.slice(2)))
  .strict()
  .recommendCommands()
  .locale('en')
  .version(kit.version)
  .wrap(Math.min(110, process.stdout.columns ?? 110))
  .exitProcess(false)
  .fail((message, error) => {
    throw refusalOf(message ?? error.message, process.argv.slice(2), everyOption);
  });

process.exitCode = await exitCodeOf(async () => {
  try {
    await parser.parseAsync();
  } catch (thrown) {
    if (!(thrown instanceof Asked)) throw thrown;
    return thrown.command();
  }
  return 0;
}, around.stderr);
