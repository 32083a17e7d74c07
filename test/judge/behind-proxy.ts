// Runs a client behind `tck proxy`, which judges it and writes its report to a new folder. Exits with the client's
// code.
// Usage: node behind-proxy.ts <folder> <command of the client…>
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Role, roleEnv, roles } from '../../fixtures/roles.ts';

const [folder = '', ...client] = process.argv.slice(2);
const out = mkdtempSync(join(folder, 'report-'));
const [config, code] = ['config.json', 'code'].map((name) => join(out, name)) as [string, string];
const baseUrl = process.env.TCK_BASE_URL ?? '';
const keyOf = (role: Role) => process.env[roleEnv(role)];
// A scenario can assign one key to several roles, but a configuration allows each key only once.
const isFirst = (role: Role) => roles.find((each) => keyOf(each) === keyOf(role)) === role;
const held = roles.filter((role) => keyOf(role) !== undefined && isFirst(role));
const keys = Object.fromEntries(held.map((role) => [role, { env: roleEnv(role) }]));
writeFileSync(config, JSON.stringify({ baseUrl, keys }));
const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const proxy = [main, 'proxy', baseUrl, '--client', '--config', config, '--assume', 'complete,clock', '--out', out];
const { status } = spawnSync(process.execPath, [...proxy, '--', 'sh', '-c', '"$@"; echo $? > "$0"', code, ...client], {
  stdio: 'inherit',
});
process.exitCode = status === 2 ? 2 : Number(readFileSync(code, 'utf8'));
