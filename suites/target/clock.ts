import { Agent, request } from 'undici';
import { codeOf } from '../usage/read-file.ts';
import type { ClientTls, Clock, ExtraHeader } from './target.ts';

const patienceSeconds = 30;

/** Returns a clock that advances on `POST {"seconds": n}`. Any 2xx confirms the advance. */
export function clockByUrl(url: string, headers: readonly ExtraHeader[], tls?: ClientTls): Clock {
  const { origin, pathname } = new URL(url);
  const where = `${origin}${pathname}`;
  const dispatcher = tls === undefined ? {} : { dispatcher: new Agent({ connect: tls }) };
  return {
    async advance(seconds, signal) {
      const patience = AbortSignal.timeout(patienceSeconds * 1000);
      const fields = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
      let status: number;
      try {
        const answer = await request(url, {
          ...dispatcher,
          method: 'POST',
          headers: { ...fields, 'content-type': 'application/json' },
          body: JSON.stringify({ seconds }),
          signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
        });
        status = answer.statusCode;
        await answer.body.dump();
      } catch (error) {
        signal?.throwIfAborted();
        throw new Error(
          patience.aborted
            ? `the clock at ${where} did not respond within ${patienceSeconds} seconds`
            : `the clock at ${where} could not be reached (${codeOf(error) ?? 'unknown reason'})`,
        );
      }
      if (status < 200 || status > 299) throw new Error(`the clock at ${where} responded with ${status}, not 2xx`);
    },
  };
}

/**
 * Returns a clock that a program advances. `{seconds}` in an argument is replaced by the number of seconds. Exit code 0
 * confirms the advance.
 */
export function clockByCommand(command: readonly string[], folder: string): Clock {
  const [program = '', ...args] = command;
  return {
    async advance(seconds, signal) {
      const { outputOf } = await import('../usage/program.ts');
      const filled = args.map((arg) => arg.replaceAll('{seconds}', String(seconds)));
      const options = { cwd: folder, timeoutSeconds: patienceSeconds, signal };
      await outputOf([program, ...filled], options).catch((error: Error) => {
        signal?.throwIfAborted();
        throw new Error(`the clock's command '${program}' ${error.message}`);
      });
    },
  };
}
