import { writeFileSync } from 'node:fs';
import { deviations } from './third-server/deviations/index.ts';
import { findersOf } from './third-server/measure.ts';
const out: Record<string, string[]> = {};
for (const [name, d] of Object.entries(deviations)) { out[name] = await findersOf(d); writeFileSync('/tmp/finders.json', JSON.stringify(out)); }
