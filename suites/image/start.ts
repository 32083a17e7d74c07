import { randomUUID } from 'node:crypto';
import { type ContainerRuntimeClient, getContainerRuntimeClient, ImageName } from 'testcontainers';
import { keepTidy } from './keeper.ts';
import { type ImageOptions, ImageUnavailable } from './options.ts';
import { untilReady } from './ready.ts';

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
  const client = await engine();
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

async function engine(): Promise<ContainerRuntimeClient> {
  try {
    return await getContainerRuntimeClient();
  } catch {
    throw new ImageUnavailable('no container engine responds: is Docker or Podman running, and may this user use it?');
  }
}

async function startContainer(
  client: ContainerRuntimeClient,
  options: ImageOptions,
  label: string,
  signal: AbortSignal,
): Promise<string> {
  await pull(client, options.image);
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
  await startOrExplain(container.start(), options.image);
  const state = await container.inspect();
  const mapped = state.NetworkSettings.Ports[port]?.[0]?.HostPort;
  const baseUrl = `http://${local ? '127.0.0.1' : host}:${mapped ?? options.port}`;
  await untilReady(container, baseUrl, options, signal);
  return baseUrl;
}

async function pull(client: ContainerRuntimeClient, image: string): Promise<void> {
  try {
    await client.image.pull(ImageName.fromString(image), { force: false, platform: undefined });
  } catch (error) {
    throw new ImageUnavailable(`the image '${image}' is not here and could not be pulled: ${messageOf(error)}`);
  }
}

async function startOrExplain(starting: Promise<unknown>, image: string): Promise<void> {
  try {
    await starting;
  } catch (error) {
    throw new ImageUnavailable(`the container of '${image}' could not be started: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim();
}
