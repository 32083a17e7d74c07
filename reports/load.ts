import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import schema from '../fixtures/report.schema.json' with { type: 'json' };
import type { RunResult } from '../suites/result.ts';
import { megabyte, readText, whyNotRead } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { addedUp, conclude } from '../suites/verdict.ts';
import { plain } from './plain.ts';

/**
 * Loads a `report.json` of any version of the kit. `place` is a file, or a folder that contains `report.json`.
 * Throws a UsageError that names the file and the problem.
 */
export async function loadReport(place: string): Promise<RunResult> {
  return load(place, await validator());
}

/** Loads several reports like `loadReport`, one after the other, so that the text of only one is in memory. */
export async function loadReports(places: readonly string[]): Promise<RunResult[]> {
  const validate = await validator();
  const reports: RunResult[] = [];
  for (const place of places) reports.push(await load(place, validate));
  return reports;
}

async function load(place: string, validate: ValidateFunction): Promise<RunResult> {
  const path = await fileAt(place);
  return reportIn(await text(path), path, validate);
}

function reportIn(json: string, path: string, validate: ValidateFunction): RunResult {
  const value = parsed(json, path);
  const problem = firstProblem(value, validate);
  if (problem !== null) throw new UsageError(`${path} is not a report of tck run: ${problem}`);
  return consistent(value as RunResult, path); // the schema describes RunResult
}

/** The report with its conclusions drawn again. Throws a UsageError if the requirements lead to other conclusions. */
function consistent(report: RunResult, path: string): RunResult {
  const { requirements, interrupted, trouble, summary } = report;
  const drawn = conclude({ requirements, interrupted, trouble, counts: addedUp([summary]) });
  const told = (one: Pick<RunResult, 'verdict' | 'complete' | 'gate' | 'summary'>) => ({
    verdict: one.verdict,
    complete: one.complete,
    'gate.passed': one.gate.passed,
    ...Object.fromEntries(
      Object.keys(drawn.summary).map((name) => [`summary.${name}`, Reflect.get(one.summary, name)]),
    ),
  });
  const [given, expected] = [Object.entries(told(report)), Object.values(told(drawn))];
  const wrong = given.findIndex(([, value], index) => value !== expected[index]);
  const [name, value] = given[wrong] ?? [];
  if (name === undefined) return { ...report, ...drawn };
  throw new UsageError(
    `${path} contradicts itself: ${name} is ${value}, but its requirements lead to ${expected[wrong]}`,
  );
}

async function validator(): Promise<ValidateFunction> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020().compile(schema);
}

async function fileAt(place: string): Promise<string> {
  const found = await stat(place).catch(() => null);
  return found?.isDirectory() === true ? join(place, 'report.json') : place;
}

/** Ten times the size of the largest report that the kit writes. */
const mostOfReport = 256 * megabyte;

async function text(path: string): Promise<string> {
  try {
    return await readText(path, mostOfReport);
  } catch (error) {
    throw new UsageError(`Cannot read the report: '${path}' ${whyNotRead(error)}`);
  }
}

function parsed(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${messageOf(error)}`);
  }
}

/** Removes control characters, because messages quote the contents of the file. */
function messageOf(error: unknown): string {
  return plain(error instanceof Error ? error.message : String(error));
}

/** First schema violation as `member: expectation`. Null if the report is valid. */
function firstProblem(value: unknown, validate: ValidateFunction): string | null {
  if (validate(value)) return null;
  const error = validate.errors?.[0];
  if (error === undefined) return 'it does not match its schema';
  const place = error.instancePath.slice(1).replaceAll('/', '.') || 'the file';
  const allowed = 'allowedValue' in error.params ? ` (${JSON.stringify(error.params.allowedValue)})` : '';
  return `${place} ${error.message ?? 'is wrong'}${allowed}`;
}
