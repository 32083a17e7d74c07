import { type Effect, effects } from '../../fixtures/side-effects.ts';
import { Redactor } from '../exchange/redactor.ts';
import { environmentOf, type ImageChoice } from '../image/options.ts';
import { codeOf } from '../usage/read-file.ts';
import { didYouMean, UsageError } from '../usage/usage-error.ts';
import {
  type Environment,
  type KnownTarget,
  type LoadedTarget,
  loadKnownTarget,
  loadTarget,
  type TargetRequest,
} from './load.ts';
import { secretsOf } from './secrets.ts';

/** Target options of the command line: exactly one of `url`, `stub` and `image`, or a configuration with a base URL. */
export interface TargetChoice extends ImageChoice {
  url?: string | undefined;
  stub?: boolean | undefined;
  config?: string | undefined;
  allow?: string | undefined;
  insecure?: boolean | undefined;
}

export interface OpenTarget extends LoadedTarget {
  close(): Promise<void>;
}

export interface Sources extends Environment {
  signal: AbortSignal;
  /** Returns the embedded stub. The kit must not import the stub. */
  embedded(seed: number): Promise<KnownTarget>;
}

const nothingToClose = async () => {};

/** Finds or starts the requested target. Throws a UsageError if the options name none or several. */
export async function openTarget(choice: TargetChoice, seed: number, sources: Sources): Promise<OpenTarget> {
  const { url, stub = false, image, config } = choice;
  const given = [
    ...(url === undefined ? [] : ['a URL']),
    ...(stub ? ['--stub'] : []),
    ...(image === undefined ? [] : ['--image']),
  ];
  if (given.length > 1) throw new UsageError(`expected one target, got ${given.join(' and ')}`);
  for (const option of ['port', 'env', 'ready'] as const) {
    if (image === undefined && choice[option] !== undefined)
      throw new UsageError(`--${option}: expected only with --image`);
  }
  const allow = choice.allow === undefined ? undefined : parseAllow(choice.allow);
  if (stub) {
    const loaded = await loadKnownTarget(await sources.embedded(seed), { config, allow }, sources);
    return { ...loaded, close: nothingToClose };
  }
  const asked = { config, allow, insecure: choice.insecure };
  if (image === undefined) return { ...(await loadTarget({ url, ...asked }, sources)), close: nothingToClose };
  return openImage(image, choice, asked, sources);
}

async function openImage(
  image: string,
  choice: ImageChoice,
  asked: Pick<TargetRequest, 'config' | 'allow' | 'insecure'>,
  sources: Sources,
): Promise<OpenTarget> {
  const settings = environmentOf(choice, sources.env);
  // Reports errors of the configuration before a container starts.
  const { target: before } = await loadTarget({ url: 'http://127.0.0.1', ...asked }, sources);
  // The kit cannot know which values for the container are secret, so it redacts all except very short ones.
  const given = Object.entries(settings.env).filter(([, value]) => value.length > 3);
  const { redact } = new Redactor(
    new Map([...given.map(([name, value]) => [value, name] as const), ...secretsOf(before)]),
  );
  const { startImage } = await imageStarter();
  const running = await startImage({ image, ...settings, redact }, sources.signal);
  try {
    // The container belongs to the kit, so plain HTTP to its address is safe.
    const loaded = await loadTarget({ url: running.baseUrl, ...asked, insecure: true }, sources);
    return { ...loaded, target: { ...loaded.target, kind: 'image' }, close: running.remove };
  } catch (error) {
    await running.remove();
    throw error;
  }
}

/**
 * Imports the code that starts images, which needs a package that only users of `--image` install. Throws a UsageError
 * if the package is missing.
 */
async function imageStarter(): Promise<typeof import('../image/start.ts')> {
  try {
    return await import('../image/start.ts');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      '--image needs the package testcontainers: install it beside the kit (npm install testcontainers)',
    );
  }
}

/**
 * Parses the side effects of `--allow`: `all`, `none`, or comma-separated names. Returns them in the order of their
 * weight.
 */
export function parseAllow(text: string): Effect[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === 'all') return [...effects];
  if (names.length === 1 && names[0] === 'none') return [];
  for (const name of names) {
    if ((effects as readonly string[]).includes(name)) continue;
    if (name === 'all' || name === 'none')
      throw new UsageError(`--allow: expected '${name}' alone, got it beside side effects`);
    throw new UsageError(
      `--allow: expected all, none or side effects (${effects.join(', ')}), got '${name}'${didYouMean(name, effects)}`,
    );
  }
  return effects.filter((effect) => names.includes(effect));
}
