/**
 * Writes files before the summary is printed. Otherwise a summary could show a passed gate although the command fails.
 * Returns the first error. The caller prints the summary and then throws the error.
 */
export async function writeFirst(writes: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  let failure: unknown;
  for (const write of writes) {
    await write().catch((error: unknown) => {
      failure ??= error;
    });
  }
  return failure;
}
