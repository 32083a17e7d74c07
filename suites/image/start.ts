import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ContainerRuntimeClient, getContainerRuntimeClient, ImageName } from 'testcontainers';
import { request } from 'undici';
import type { Redact } from '../exchange/redactor.ts';
import { keepTidy } from './keeper.ts';
import { type ImageOptions, ImageUnavailable } from './options.ts';

interface RunningImage {
  /** Base URL of the server, without a trailing slash. */
  baseUrl: string;
  /** Removes the container. Call it in any case. */
  remove(): Promise<void>;
}

const labelName = 'content-workspace-tck.run';

/**
 * Starts a container of an image and waits until the server responds. Rejects with `ImageUnavailable` if the engine,
 * the image or a response is missing. On abort, rejects with the reason of the signal. After a rejection, nothing keeps
 * running.
 */
export async function startImage(options: ImageOptions, signal: AbortSignal): Promise<RunningImage> {
  const client = await getContainerRuntimeClient().catch(() => {
    throw new ImageUnavailable('no container engine responds: is Docker or Podman running, and may this user use it?');
  });
  const label = `${labelName}=${randomUUID()}`;
  const keeper = keepTidy(label);
  try {
    const baseUrl = await startContainer(client, options, label, signal);
    return { baseUrl, remove: keeper.remove };
  } catch (error) {
    await keeper.remove();
    throw error;
  }
}

async function startContainer(
  client: ContainerRuntimeClient,
  options: ImageOptions,
  label: string,
  signal: AbortSignal,
): Promise<string> {
  const pulled = client.image.pull(ImageName.fromString(options.image), { force: false, platform: undefined });
  await orExplain(pulled, `the image '${options.image}' is not here and could not be pulled`);
  signal.throwIfAborted();
  const { host } = client.info.containerRuntime;
  const local = host === 'localhost' || host.startsWith('127.');
  const port = `${options.port}/tcp`;
  const [name = '', value = ''] = label.split('=');
  const container = await client.container.create({
    Image: options.image,
    Env: Object.entries(options.env).map(([variable, content]) => `${variable}=${content}`),
    Labels: { [name]: value },
    ExposedPorts: { [port]: {} },
    // Publish the port only to this machine, unless the engine runs on another machine.
    HostConfig: { PortBindings: { [port]: [{ HostIp: local ? '127.0.0.1' : '', HostPort: '' }] } },
  });
  await orExplain(container.start(), `the container of '${options.image}' could not be started`);
  const state = await container.inspect();
  const mapped = state.NetworkSettings.Ports[port]?.[0]?.HostPort;
  const baseUrl = `http://${local ? '127.0.0.1' : host}:${mapped ?? options.port}`;
  await untilReady(container, baseUrl, options, signal);
  return baseUrl;
}

/** Rejects with `ImageUnavailable` if an action of the engine fails. */
async function orExplain<T>(action: Promise<T>, problem: string): Promise<T> {
  try {
    return await action;
  } catch (error) {
    throw new ImageUnavailable(`${problem}: ${(error instanceof Error ? error.message : String(error)).trim()}`);
  }
}

type Container = ReturnType<ContainerRuntimeClient['container']['getById']>;

const pauseMs = 100;
/** Slow stacks, such as a cold JVM, take half of it. */
const readySeconds = 60;
const logLines = 20;

/** Waits until a server responds. Rejects with `ImageUnavailable` if its container ends, or on timeout. */
async function untilReady(
  container: Container,
  baseUrl: string,
  options: ImageOptions,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + readySeconds * 1000;
  while (!(await answers(baseUrl, options.ready, signal))) {
    signal.throwIfAborted();
    const { State: state } = await container.inspect();
    if (!state.Running) {
      const end = `the container of '${options.image}' exited with code ${state.ExitCode} before it responded`;
      throw new ImageUnavailable(`${end}${await logOf(container, options.redact)}`);
    }
    if (performance.now() > endsAt) {
      const what = options.ready === undefined ? 'no answer' : `no 2xx from GET ${options.ready}`;
      const where = `at port ${options.port} of the container of '${options.image}'`;
      throw new ImageUnavailable(
        `${what} ${where} within ${readySeconds} seconds${await logOf(container, options.redact)}`,
      );
    }
    await pause(pauseMs);
  }
}

async function answers(baseUrl: string, ready: string | undefined, signal: AbortSignal): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${baseUrl}${ready ?? '/'}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(2000)]),
      reset: true,
    });
    await body.dump();
    return ready === undefined || (statusCode >= 200 && statusCode <= 299);
  } catch {
    return false;
  }
}

/** Returns the end of the container's output, without secrets and terminal control characters. */
async function logOf(container: Container, redact: Redact): Promise<string> {
  const raw = await container.logs({ stdout: true, stderr: true, tail: logLines, follow: false });
  const text = redact(withoutFrames(raw))
    .trimEnd()
    .replace(/[^\P{C}\n]/gu, '');
  return text === '' ? ', and printed nothing' : `. It printed:\n${text.replace(/^/gm, '  ')}`;
}

/**
 * Removes the frames of output without a terminal. A frame starts with the stream (one byte), three zero bytes and the
 * length (four bytes).
 */
function withoutFrames(raw: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= raw.length; ) {
    const length = raw.readUInt32BE(at + 4);
    parts.push(raw.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return Buffer.concat(parts).toString('utf8');
}
