import { planOf, planText } from '../reports/plan.ts';
import { lookOf } from '../reports/terminal/layout.ts';
import { defaultLimit, rateOfPace } from '../suites/session/run-time.ts';
import { rehearsalOf } from '../suites/target/embedded.ts';
import { parseAllow } from '../suites/target/open.ts';
import { redactorOf } from '../suites/target/secrets.ts';
import { exitCodes } from '../suites/verdict.ts';
import { optional } from './command-line/declaration.ts';
import { flag } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';
import { consentToNone, withFoundConfig } from './consent.ts';
import { embedded } from './embedded.ts';
import { allow, config, insecure, json, maxDuration, selection } from './options.ts';

/** `tck plan` never runs commands. */
const commands = flag(
  'Accept a configuration with commands, and run none of them; --no-commands rejects such a configuration',
  true,
);

const planOptions = { config, commands, allow, insecure, ...selection, 'max-duration': maxDuration, json };
const positionals = { url: optional('Base URL of the deployment; overrides the configuration') };

export const command = commandOf({
  name: 'plan',
  positionals,
  options: planOptions,
  groups: {
    Target: ['config', 'commands', 'allow', 'insecure'],
    Scope: ['only', 'skip', 'observe', 'explore', 'seed', 'max-duration'],
  },
  examples: [['tck plan --config tck.config.json --allow all', 'Show what a run with all side effects would do']],
  exits: { 0: 'done', 2: 'wrong usage or configuration' },

  /** Rehearses a run against the embedded stub, with the same roles, settings and side effects. Sends no requests. */
  async run(given, around) {
    const options = await withFoundConfig(given, around.cwd);
    // Large modules: help and usage errors do not wait for them.
    const [{ selectionOf }, { audit }, { effectsUsed, mostCalls }, { loadTarget }] = await Promise.all([
      import('./selection.ts'),
      import('../suites/engine/audit.ts'),
      import('../suites/engine/options.ts'),
      import('../suites/target/load.ts'),
    ]);
    const selection = selectionOf(options);
    const { url, config, insecure } = options;
    const allow = options.allow === undefined ? undefined : parseAllow(options.allow);
    const { consent, notices: ofCommands } = consentToNone(options);
    const loaded = await loadTarget(
      { url, config, insecure, allow },
      { ...around, consent, restricted: !options.commands },
    );
    const { target } = loaded;
    const notices = [...loaded.destinations, ...loaded.notices, ...ofCommands];
    around.hide(redactorOf(target).redact);
    const rehearsal = rehearsalOf(target, await embedded(options.seed, unlimited));
    const rehearsed = await audit(rehearsal, { ...selection, seed: options.seed, signal: around.signal });
    const result = { ...rehearsed, target: { ...rehearsed.target, baseUrl: target.baseUrl, kind: target.kind } };
    const most = mostCalls(target, selection);
    const maxSeconds = options.maxDuration ?? defaultLimit(most, () => rateOfPace(target.pace));
    const { maxImages } = target;
    const planned = planOf(result, { maxImages, most, maxSeconds, notices, uses: effectsUsed(selection) });
    const look = lookOf(around.stdout, around.env);
    around.stdout.write(options.json ? `${JSON.stringify(planned, null, 2)}\n` : planText(planned, result, look));
    return exitCodes.ok;
  },
});

/** More requests per minute than a rehearsal sends, so it never waits for a limit. */
const unlimited = 100_000;
