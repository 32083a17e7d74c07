import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

export const kilobyte = 1024;
export const megabyte = 1024 * kilobyte;
export const gigabyte = 1024 * megabyte;

/** Error for an unusable file that the user named. The message continues a sentence after the file name. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/**
 * Returns the text of a file named by the user, without a byte order mark. Rejects with a `FileRefused` for a folder, a
 * FIFO, a device, or a file over the limit.
 */
export async function readText(path: string, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(path, mostBytes)) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

const chunkBytes = 256 * kilobyte;

/** Yields the content of a file in chunks, for files larger than the memory. Rejects like `readText`. */
export async function* chunksOf(path: string, mostBytes: number): AsyncGenerator<Buffer> {
  // Check before opening the file: to open a device can have side effects, and to open a FIFO waits for a writer.
  const stats = await stat(path);
  if (stats.isDirectory()) throw new FileRefused('is a folder');
  if (!stats.isFile()) throw new FileRefused('is not a regular file; save its content to a file');
  assertSize(stats.size, mostBytes);
  // Files in /proc report the size 0, so count the bytes.
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    bytes += chunk.length;
    assertSize(bytes, mostBytes);
    yield chunk;
  }
}

function assertSize(bytes: number, mostBytes: number): void {
  if (bytes > mostBytes) throw new FileRefused(`is larger than ${inWords(mostBytes)}`);
}

/** Whether an error says that a file could not be read. */
export const isUnread = (error: unknown): boolean =>
  error instanceof FileRefused || (error instanceof Error && 'syscall' in error);

/** The code of an error of Node.js, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Returns why a file could not be read, as text after its name. */
export function whyNotRead(error: unknown): string {
  if (error instanceof FileRefused) return error.message;
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied';
  return `cannot be read (${code ?? 'unknown reason'})`;
}

function inWords(bytes: number): string {
  if (bytes >= gigabyte) return `${bytes / gigabyte} GB`;
  return bytes >= megabyte ? `${bytes / megabyte} MB` : `${bytes / kilobyte} KB`;
}
