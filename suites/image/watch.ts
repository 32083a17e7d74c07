import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { removeLabelled } from './remove.ts';

/** The engine may still be creating the container when the kit is killed; it is looked for as long as this. */
const patience = { times: 20, pauseMs: 500 };

// A Ctrl-C reaches every process of the terminal, and this one has its work to do after it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// The other end of the pipe closes when the kit ends, however that comes about.
const [label = ''] = process.argv.slice(2);
if ((await text(process.stdin)) !== 'done') {
  for (let time = 0; time < patience.times; time++) {
    if ((await removeLabelled(label)) > 0) break;
    await pause(patience.pauseMs);
  }
}
