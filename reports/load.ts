import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import schema from '../fixtures/report.schema.json' with { type: 'json' };
import type { RunResult } from '../suites/result.ts';
import { megabyte, readText, whyNotRead } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { addedUp, conclude } from '../suites/verdict.ts';
import { plain } from './plain.ts';

/** Ten times the size of the largest report that the kit writes. */
const mostOfReport = 256 * megabyte;

/**
 * Loads a `report.json` of any version of the kit. `place` is a file, or a folder that contains `report.json`.
 * Throws a UsageError that names the file and the problem.
 */
export async function loadReport(place: string): Promise<RunResult> {
  const found = await stat(place).catch(() => null);
  const path = found?.isDirectory() === true ? join(place, 'report.json') : place;
  const json = await readText(path, mostOfReport).catch((error: unknown) => {
    throw new UsageError(`Cannot read the report: '${path}' ${whyNotRead(error)}`);
  });
  const value = parsed(json, path);
  const problem = await firstProblem(value);
  if (problem !== null) throw new UsageError(`${path} is not a report of tck run: ${problem}`);
  return consistent(value as RunResult, path); // the schema describes RunResult
}

/** The report with its conclusions drawn again. Throws a UsageError if the requirements lead to other conclusions. */
function consistent(report: RunResult, path: string): RunResult {
  const { requirements, interrupted, trouble } = report;
  const drawn = conclude({ requirements, interrupted, trouble, counts: addedUp([report.summary]) });
  const factsOf = ({ verdict, complete, gate, summary }: typeof drawn) =>
    new Map<string, unknown>([
      ...Object.entries({ verdict, complete, 'gate.passed': gate.passed }),
      ...Object.entries(summary).map(([name, count]) => [`summary.${name}`, count] as const),
    ]);
  const given = factsOf(report);
  for (const [name, expected] of factsOf(drawn)) {
    const value = given.get(name);
    if (value === expected) continue;
    throw new UsageError(`${path} contradicts itself: ${name} is ${value}, but its requirements lead to ${expected}`);
  }
  return { ...report, ...drawn };
}

function parsed(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // The message quotes the file.
    throw new UsageError(`${path} is not JSON: ${plain(error instanceof Error ? error.message : String(error))}`);
  }
}

/** First schema violation as `member: expectation`. Null if the report is valid. */
async function firstProblem(value: unknown): Promise<string | null> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const validate = new Ajv2020().compile(schema);
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  if (error === undefined) return 'it does not match its schema';
  const place = error.instancePath.slice(1).replaceAll('/', '.') || 'the file';
  const allowed = 'allowedValue' in error.params ? ` (${JSON.stringify(error.params.allowedValue)})` : '';
  return `${place} ${error.message ?? 'is wrong'}${allowed}`;
}
