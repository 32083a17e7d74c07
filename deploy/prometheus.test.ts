import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricsText } from '../reports/metrics.ts';
import { createStub } from '../stub/index.ts';
import { hostileRun, hostileTexts } from '../test/reports/hostile.ts';
import { aFailure, aRun } from '../test/reports/results.ts';
import { tck } from '../test/tck.ts';

const rules = fileURLToPath(new URL('prometheus-rules.yaml', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'tck-prometheus-'));

afterAll(() => rm(folder, { recursive: true }));

const run = (program: string, args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8', cwd: folder });
  return { status, output: `${stdout}${stderr}` };
};

/** Reads a list of texts and prints the samples of each. Exits with 1 if one is not valid OpenMetrics. */
const parser = `
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
samples = lambda text: [sample for family in parse(text) for sample in family.samples]
print(json.dumps([[[each.name, each.labels, each.value] for each in samples(text)] for text in json.load(sys.stdin)]))
`;
const python = ['python3', '/usr/bin/python3'].find((program) => {
  return run(program, ['-c', 'import prometheus_client.openmetrics.parser']).status === 0;
});
const hasPromtool = run('promtool', ['--version']).status === 0;

const label = 'C:\\new\\"quoted"';
const ordinary = aRun([aFailure('headers.beta')]);
const figures = { intervalSeconds: 600, dayRequests: 1200, budget: 50_000 };
const results = [
  { ...ordinary, target: { ...ordinary.target, label } },
  ...Object.values(hostileTexts).map((text) => hostileRun(text)),
];

test.skipIf(python === undefined)('the text is valid OpenMetrics (skipped without prometheus_client)', () => {
  const { status, output } = run(
    python ?? '',
    ['-c', parser],
    JSON.stringify(results.map((result) => metricsText(result, figures))),
  );
  expect(status, output).toBe(0);
  const [first] = JSON.parse(output);
  expect(first).toContainEqual(['tck_run_info', expect.objectContaining({ label }), 1]);
});

test.skipIf(!hasPromtool)('a textfile collector can read the text (skipped without promtool)', () => {
  for (const result of results.slice(0, 4)) {
    expect(run('promtool', ['check', 'metrics'], metricsText(result, figures))).toEqual({ status: 0, output: '' });
  }
});

const { groups } = parse(await readFile(rules, 'utf8'));

/** Expects that the alert fires after three days for these labels only. */
function fires(alertname: string, labels: Record<string, string>) {
  const { annotations } = groups[0].rules.find(({ alert }: { alert: string }) => alert === alertname);
  const summary = annotations.summary.replace('{{ $labels.target }}', labels.target).replace('{{ $value }}', '2');
  return { eval_time: '72h', alertname, exp_alerts: [{ exp_labels: labels, exp_annotations: { summary } }] };
}

/** Checks with promtool what fires for these series, which have one value for each interval. */
async function expectAlerts(
  interval: string,
  series: Record<string, string>,
  expected: { eval_time: string; alertname: string; exp_alerts: object[] }[],
): Promise<void> {
  const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  const tests = [{ interval, input_series, alert_rule_test: expected }];
  await writeFile(
    join(folder, 'alerts.yaml'),
    JSON.stringify({ rule_files: [rules], evaluation_interval: interval, tests }),
  );
  const { status, output } = run('promtool', ['test', 'rules', 'alerts.yaml']);
  expect(status, output).toBe(0);
}

test.skipIf(!hasPromtool)('each alert fires only for its run (skipped without promtool)', async () => {
  await expectAlerts(
    '1h',
    {
      'tck_run_gate{target="a",gate="failed"}': '1x80',
      'tck_run_gate{target="b",gate="failed"}': '0x80',
      'tck_run_gate{target="b",gate="inconclusive"}': '1x80',
      'tck_causes{target="a",severity="security"}': '2x80',
      'tck_causes{target="b",severity="contract"}': '2x80',
      'tck_run_start_time_seconds{target="a"}': '0x80',
      'tck_run_start_time_seconds{target="b"}': '0+3600x80',
    },
    [
      fires('ConformanceGateFailed', { gate: 'failed', target: 'a', severity: 'page' }),
      fires('CriticalViolation', { target: 'a', severity: 'page' }),
      fires('ConformanceRunInconclusive', { gate: 'inconclusive', target: 'b', severity: 'ticket' }),
      fires('ConformanceRunMissing', { target: 'a', severity: 'ticket' }),
    ],
  );
});

test.skipIf(!hasPromtool)('alerts on a watch fire only for a watch (skipped without promtool)', async () => {
  const at = (eval_time: string, alert: ReturnType<typeof fires>) => ({ ...alert, eval_time });
  const none = (eval_time: string, alertname: string) => ({ eval_time, alertname, exp_alerts: [] });
  const stopped = fires('ConformanceWatchStopped', { target: 'a', severity: 'ticket' });
  const unclear = fires('ConformanceWatchInconclusive', { gate: 'inconclusive', target: 'b', severity: 'ticket' });
  await expectAlerts(
    '1m',
    {
      'tck_watch_interval_seconds{target="a"}': '600x90',
      'tck_watch_interval_seconds{target="b"}': '600x90',
      'tck_run_start_time_seconds{target="a"}': '0x90',
      'tck_run_start_time_seconds{target="b"}': '0+60x90',
      // A run without a watch.
      'tck_run_start_time_seconds{target="c"}': '0x90',
      'tck_run_gate{target="b",gate="inconclusive"}': '1x90',
      'tck_run_gate{target="c",gate="inconclusive"}': '1x90',
    },
    [
      none('30m', 'ConformanceWatchStopped'),
      at('40m', stopped),
      none('50m', 'ConformanceWatchInconclusive'),
      at('70m', unclear),
    ],
  );
});

test('tck run and tck merge write the file as a whole', async () => {
  await using stub = createStub();
  const { baseUrl } = await stub.listen({ port: 0 });
  const metrics = join(folder, 'tck.prom');
  const env = { TCK_KEY_PRIMARY: stub.keys.primary };
  const args = ['run', baseUrl, '--only', 'schedule', '--out', folder];
  expect(await tck([...args, '--metrics', metrics], { env })).toMatchObject({ code: 0 });
  const text = await readFile(metrics, 'utf8');
  expect(text).toContain(`tck_run_gate{target="${baseUrl}",gate="passed"} 1`);
  expect(text).toMatch(/tck_response_time_seconds_count\{target="[^"]+",tool="schedule.read"\} [1-9]/);
  expect(text.endsWith('# EOF\n')).toBe(true);
  expect(text).not.toContain(stub.keys.primary);
  const merged = join(folder, 'merged.prom');
  expect(await tck(['merge', folder, '--out', folder, '--metrics', merged])).toMatchObject({ code: 0 });
  expect(await readFile(merged, 'utf8')).toContain('tck_run_gate');
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  const { code, stderr } = await tck([...args, '--metrics', join(folder, 'none', 'tck.prom')], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('tck: --metrics: cannot write')]);
});
