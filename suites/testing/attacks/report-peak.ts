import { writeFileSync } from 'node:fs';

// Imported by a process under test: leaves the most memory that it had, in megabytes, where a process that is aborted leaves nothing.
process.on('exit', () => {
  writeFileSync(process.env.TCK_TEST_PEAK ?? '', String(process.resourceUsage().maxRSS / 1024));
});
