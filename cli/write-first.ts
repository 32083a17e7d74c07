/**
 * Writes files before the summary is printed, so that no summary says that the gate passed although the command fails.
 * Returns the first error; the caller prints what was found and then throws it.
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
