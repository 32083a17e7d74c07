import { existsSync, readFileSync, writeFileSync } from 'node:fs';

// Imported by a process under test: leaves the most memory that it had, in megabytes, where a process that is aborted
// leaves nothing.
process.on('exit', () => {
  writeFileSync(process.env.TCK_TEST_PEAK ?? '', String(peakKilobytes() / 1024));
});

/** On Linux the resource usage of a process begins with that of its parent, so its own peak is read instead. */
function peakKilobytes(): number {
  const status = '/proc/self/status';
  if (!existsSync(status)) return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]);
}
