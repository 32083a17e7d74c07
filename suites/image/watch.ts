import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { removeLabelled } from './keeper.ts';

/** Limits the search for the container, which the engine may still be creating when the kit is killed. */
const patience = { times: 20, pauseMs: 500 };

// Ctrl+C reaches every process of the terminal, but this process must still clean up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// The other end of the pipe closes when the kit ends for any reason.
const [label = ''] = process.argv.slice(2);
if ((await text(process.stdin)) !== 'done') {
  for (let time = 0; time < patience.times; time++) {
    if ((await removeLabelled(label)) > 0) break;
    await pause(patience.pauseMs);
  }
}
