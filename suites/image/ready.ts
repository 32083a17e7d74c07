import { setTimeout as pause } from 'node:timers/promises';
import type { ContainerRuntimeClient } from 'testcontainers';
import { request } from 'undici';
import type { Redact } from '../history/redaction/redactor.ts';
import { type ImageOptions, ImageUnavailable } from './options.ts';

type Container = ReturnType<ContainerRuntimeClient['container']['getById']>;

const pauseMs = 100;
/** Slow stacks, such as a cold JVM, take half of it. */
const readySeconds = 60;
/** Number of log lines that a message shows. */
const logLines = 20;

/** Waits until a server responds. Rejects with `ImageUnavailable` if its container ends, or on timeout. */
export async function untilReady(
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
