import { isToolName } from '../fixtures/contract/tools.ts';
import { severities } from '../fixtures/requirements/model.ts';
import { causesOf } from '../suites/causes/causes.ts';
import { byStatus, requirementFigures } from '../suites/figures.ts';
import { type RunResult, type TimelineEntry, verdicts } from '../suites/result.ts';
import { isInconclusive } from '../suites/verdict.ts';
import { plain } from './plain.ts';
import { deploymentName } from './status-words.ts';

type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly name: string;
  readonly type: 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** Added to the name of the family, as in `_bucket`. */
  readonly suffix?: string;
}

/** Numbers of `tck watch`. */
export interface WatchFigures {
  readonly intervalSeconds: number;
  /** Requests in the last 24 hours, and the most that the watch may send. */
  readonly dayRequests: number;
  readonly budget: number;
}

/** Upper bounds of the buckets of response times, in seconds. */
const bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/**
 * The numbers of a run in the format of OpenMetrics. The text is also valid in the older text format of Prometheus,
 * because it uses no counters and no `info` type. Each sample names its target, so that the files of several
 * deployments can be in one folder.
 */
export function metricsText(result: RunResult, watch?: WatchFigures): string {
  const target = deploymentName(result.target);
  return `${[...familiesOf(result), ...(watch === undefined ? [] : familiesOfWatch(watch))]
    .map((family) => textOf(family, target))
    .join('')}# EOF\n`;
}

function familiesOf(result: RunResult): Family[] {
  const { kit, document, target, summary, requirements } = result;
  const gate = !result.gate.passed ? 'failed' : isInconclusive(result) ? 'inconclusive' : 'passed';
  const info = { kit: kit.version, specification: document.version, label: target.label ?? '' };
  const causes = causesOf(result);
  const severityCounts = severities.map((severity) => ({
    labels: { severity },
    value: causes.filter((cause) => cause.severity === severity).length,
  }));
  return [
    gauge('run_info', 'Versions and label of the run.', [{ labels: info, value: 1 }]),
    gauge('run_start_time_seconds', 'Start of the run, in seconds since 1970.', Date.parse(result.startedAt) / 1000),
    gauge('run_duration_seconds', 'Duration of the run.', result.durationMs / 1000),
    gauge('run_verdict', '1 for the verdict of the run.', oneOf('verdict', verdicts, result.verdict)),
    gauge('run_gate', '1 for the gate of the run.', oneOf('gate', ['passed', 'failed', 'inconclusive'], gate)),
    gauge('run_complete', '1 if every requirement was tested.', Number(result.complete)),
    gauge(
      'requirements',
      'Requirements by status.',
      Object.entries(byStatus(requirementFigures(requirements))).map(([status, value]) => ({
        labels: { status },
        value,
      })),
    ),
    gauge('causes', 'Causes of findings by severity.', severityCounts),
    gauge('requests', 'Requests that the run sent.', summary.requests),
    gauge('images_requested', 'Images in the proposals that the run confirmed.', summary.imagesRequested),
    gauge('images_confirmed', 'Images that responses report as dispatched.', summary.imagesConfirmed),
    gauge('images_spent_max', 'The most images that the run can have spent.', summary.imagesWorstCase),
    {
      name: 'tck_response_time_seconds',
      type: 'histogram',
      help: 'Time until the response was complete, by tool.',
      samples: responseTimes(result.timeline),
    },
  ];
}

function familiesOfWatch({ intervalSeconds, dayRequests, budget }: WatchFigures): Family[] {
  return [
    gauge('watch_interval_seconds', 'Time from the start of one run to the start of the next.', intervalSeconds),
    gauge('watch_day_requests', 'Requests in the last 24 hours.', dayRequests),
    gauge('watch_day_requests_max', 'The most requests in 24 hours.', budget),
  ];
}

function gauge(name: string, help: string, value: number | readonly Sample[]): Family {
  return { name: `tck_${name}`, type: 'gauge', help, samples: typeof value === 'number' ? [{ value }] : value };
}

function oneOf(label: string, values: readonly string[], current: string): Sample[] {
  return values.map((value) => ({ labels: { [label]: value }, value: Number(value === current) }));
}

/** Unknown tools have an empty name, because the kit makes up many names. */
function responseTimes(timeline: readonly TimelineEntry[]): Sample[] {
  const answered = timeline.filter(({ status }) => status !== null);
  const toolOf = ({ tool }: TimelineEntry) => (tool !== null && isToolName(tool) ? tool : '');
  return [...Map.groupBy(answered, toolOf)].flatMap(([tool, entries]) => {
    const seconds = entries.map(({ durationMs }) => durationMs / 1000);
    const upTo = (bound: number) => seconds.filter((value) => value <= bound).length;
    return [
      ...bounds.map((bound) => bucket(tool, Number.isInteger(bound) ? `${bound}.0` : `${bound}`, upTo(bound))),
      bucket(tool, '+Inf', seconds.length),
      { suffix: '_count', labels: { tool }, value: seconds.length },
      { suffix: '_sum', labels: { tool }, value: seconds.reduce((sum, value) => sum + value, 0) },
    ];
  });
}

function bucket(tool: string, le: string, value: number): Sample {
  return { suffix: '_bucket', labels: { tool, le }, value };
}

function textOf({ name, type, help, samples }: Family, target: string): string {
  const lines = samples.map(({ suffix = '', labels = {}, value }) => {
    const pairs = Object.entries({ target, ...labels }).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${suffix}{${pairs.join(',')}} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** `plain` leaves no line feed, the third character that needs an escape sequence. */
function escaped(text: string): string {
  return plain(text).replace(/["\\]/g, '\\$&');
}
