import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import type { Judgement } from '../model/judge/judgement.ts';
import type { RunResult } from '../result.ts';
import { UsageError } from '../usage/usage-error.ts';
import { judgingOf, type TrafficOptions } from './options.ts';
import { readRecording } from './read.ts';
import { Recording } from './recording.ts';
import { recordedResult } from './result.ts';

interface FilesOptions extends TrafficOptions {
  /** Names of the files for reports, and their paths. */
  readonly files: readonly { readonly name: string; readonly path: string }[];
  readonly baseUrl: string | undefined;
  readonly signal: AbortSignal;
}

/** Judges recorded traffic. Throws a `UsageError` if a file is not a recording, or if no request is for the API. */
export async function auditFiles(options: FilesOptions): Promise<RunResult> {
  const { files, signal } = options;
  const startedAt = new Date();
  const { selected, ways } = judgingOf(options);
  const ofClient: Judgement<ClientRuleId>[] = [];
  const judgements: Judgement[] = [];
  const firsts: { readonly name: string; readonly first: number }[] = [];
  const notices: string[] = [];
  let { baseUrl } = options;
  let requests = 0;
  let next = 0;
  for (const { name, path } of files) {
    const recording = new Recording({ ...ways, baseUrl }, next);
    firsts.push({ name, first: next });
    for await (const entries of readRecording(path, name)) {
      for (const entry of entries) recording.add(entry);
      if (signal.aborted) break;
    }
    for (const judgement of recording.end()) {
      judgements.push(judgement);
      const [open] = judgement.findings.length > 0 ? [] : judgement.unconfirmed;
      if (open !== undefined)
        notices.push(`${name}: ${judgement.id} is not certain: expected ${open.expected}, got ${open.actual}`);
    }
    ofClient.push(...recording.ofClient());
    notices.push(...noticesOf(recording, name));
    baseUrl ??= recording.baseUrl;
    requests += recording.judged;
    next += recording.entries;
  }
  if (requests === 0 && !signal.aborted) throw new UsageError(nothingFound(options));
  const fileOf = (number: number) => firsts.findLast(({ first }) => first <= number);
  return recordedResult({
    ...options,
    baseUrl: baseUrl ?? '',
    kind: 'recording',
    selected,
    judgements,
    ofClient,
    requests,
    startedAt,
    notices,
    trouble: [],
    interrupted: signal.aborted,
    placeOf: (number) => `${fileOf(number)?.name}, entry ${number - (fileOf(number)?.first ?? 0) + 1}`,
    senders: ways.senders,
  });
}

function noticesOf({ others, notJudged, late }: Recording, name: string): string[] {
  const elsewhere = [...others].map(
    ([base, count]) => `${count} requests to ${base} were not judged; --url ${base} judges them instead`,
  );
  const outOfOrder = late === 0 ? [] : [`entries too far out of order to be judged: ${late}`];
  return [...elsewhere, ...notJudged, ...outOfOrder].map((notice) => `${name}: ${notice}`);
}

function nothingFound({ files, baseUrl }: FilesOptions): string {
  const where = files.map(({ name }) => name).join(', ');
  const wanted =
    baseUrl === undefined ? 'a request to a path with /api/v1/tools/' : `a request to ${baseUrl}/api/v1/tools/`;
  return `${where}: expected ${wanted}, got none`;
}
