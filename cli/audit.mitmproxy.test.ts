import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { tck } from '../test/tck.ts';

/** HAR addon in Debian's package. It is built into later versions of mitmproxy. */
const addon = '/usr/share/doc/mitmproxy/examples/contrib/har_dump.py';

/** A reverse proxy in front of the stub, and a client that calls three tools through it. */
const recording = `
mitmdump -q --mode reverse:$TCK_BASE_URL --listen-host 127.0.0.1 -p $PORT -s ${addon} \\
  --set hardump=$PWD/saved.har --set confdir=$PWD/settings &
until curl -s -o none http://127.0.0.1:$PORT/; do kill -0 $! || exit 1; sleep 0.1; done
for tool in credits.balance schedule.read connections.status; do
  curl -s -o none http://127.0.0.1:$PORT/api/v1/tools/$tool -d '{}' \\
    -H "authorization: Bearer $TCK_KEY_SOLE" -H 'content-type: application/json'
done
kill -INT $! && wait $!
exit 0`;

test.skipIf(!existsSync(addon))('a HAR of mitmproxy is judged', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-mitmproxy-'));
  const env = { PORT: String(20_000 + (process.pid % 10_000)) };
  const recorded = await tck(['stub', '--defect', 'days-empty', '--', 'sh', '-c', recording], { cwd: folder, env });
  expect(recorded.code, recorded.stderr).toBe(0);
  const { code, stdout } = await tck(['audit', 'saved.har'], { cwd: folder });
  const report: RunResult = JSON.parse(await readFile(join(folder, 'tck-report/report.json'), 'utf8'));
  expect([code, report.summary.requests], stdout).toEqual([1, 3]);
  const failed = report.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const passed = report.requirements.filter(({ status }) => status === 'passed').map(({ id }) => id);
  expect(failed).toEqual(['schedule.days']);
  expect(passed).toEqual(expect.arrayContaining(['credits.balance', 'connections.answers']));
  await rm(folder, { recursive: true });
});
