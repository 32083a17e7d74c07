import { existsSync, readFileSync, writeFileSync } from 'node:fs';

// A tested process imports this file, which writes the peak memory of the process in megabytes. An aborted process
// writes nothing.
process.on('exit', () => {
  writeFileSync(process.env.TCK_TEST_PEAK ?? '', String(peakKilobytes() / 1024));
});

/** Reads the peak of this process. On Linux, `resourceUsage` starts with the peak of the parent process. */
function peakKilobytes(): number {
  const status = '/proc/self/status';
  if (!existsSync(status)) return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]);
}
