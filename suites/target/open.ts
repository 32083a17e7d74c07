import { redactor } from '../history/redaction/redactor.ts';
import type { Target } from '../target.ts';
import { UsageError } from '../usage/usage-error.ts';
import { parseAllow } from './allow.ts';
import { environmentOf, type ImageChoice } from './image-options.ts';
import { type KnownTarget, type LoadedTarget, loadKnownTarget, loadTarget, type Surroundings } from './load.ts';
import { secretsOf } from './secrets.ts';

/**
 * What the command line says about the target; exactly one of url, stub and image, or a configuration with a base URL.
 */
export interface TargetChoice extends ImageChoice {
  url?: string | undefined;
  stub?: boolean | undefined;
  config?: string | undefined;
  allow?: string | undefined;
  insecure?: boolean | undefined;
}

/** A target that may have to be put away after use. */
export interface OpenTarget extends LoadedTarget {
  close(): Promise<void>;
}

export interface Sources extends Surroundings {
  signal: AbortSignal;
  /** The embedded stub; the kit itself knows none. */
  embedded(seed: number): Promise<KnownTarget>;
}

const nothingToClose = async () => {};

/** Finds, or starts, the one target that was asked for; throws a UsageError when that is none or several. */
export async function openTarget(choice: TargetChoice, seed: number, sources: Sources): Promise<OpenTarget> {
  const { url, stub = false, image, config } = choice;
  const given = [
    ...(url === undefined ? [] : ['a URL']),
    ...(stub ? ['--stub'] : []),
    ...(image === undefined ? [] : ['--image']),
  ];
  if (given.length > 1) throw new UsageError(`expected one target, got ${given.join(' and ')}`);
  for (const option of ['port', 'env', 'ready', 'readyTimeout'] as const) {
    if (image === undefined && choice[option] !== undefined)
      throw new UsageError(`--${dashed(option)}: expected only with --image`);
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

/** `readyTimeout` as `ready-timeout`. */
function dashed(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function openImage(
  image: string,
  choice: ImageChoice,
  asked: { config: string | undefined; allow: Target['allow'] | undefined; insecure: boolean | undefined },
  sources: Sources,
): Promise<OpenTarget> {
  const settings = environmentOf(choice, sources.env);
  // What is wrong with the configuration is told before a container is started for it.
  const { target: before } = await loadTarget({ url: 'http://127.0.0.1', ...asked }, sources);
  // Of the values given to the container the kit cannot know which are secret.
  const given = Object.entries(settings.env).filter(([, value]) => value.length > 3);
  const redact = redactor(new Map([...given.map(([name, value]) => [value, name] as const), ...secretsOf(before)]));
  const { startImage } = await imageStarter();
  const running = await startImage({ image, ...settings, redact }, sources.signal);
  try {
    // The container is the kit's own, on this machine or on the engine's: its address is no stranger's.
    const { target, notices } = await loadTarget({ url: running.baseUrl, ...asked, insecure: true }, sources);
    return { target: { ...target, kind: 'image' }, notices, close: running.remove };
  } catch (error) {
    await running.remove();
    throw error;
  }
}

/**
 * What starts images, which needs a package that only those install who use `--image`. Throws a UsageError where it is
 * not there.
 */
async function imageStarter(): Promise<typeof import('../image/start.ts')> {
  try {
    return await import('../image/start.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError(
      '--image needs the package testcontainers: install it beside the kit (npm install testcontainers)',
    );
  }
}
