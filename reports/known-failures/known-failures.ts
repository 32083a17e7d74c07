import { basename } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import schema from '../../fixtures/known-failures.schema.json' with { type: 'json' };
import { requirements } from '../../suites/requirements.ts';
import type { KnownFailureNote, RequirementResult, RunResult } from '../../suites/result.ts';
import { codeOf, megabyte, readText, whyNotRead } from '../../suites/usage/read-file.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { addedUp, conclude } from '../../suites/verdict.ts';
import { plain } from '../plain.ts';

/** An entry in the list of known failures. */
export interface KnownFailure extends KnownFailureNote {
  requirement: string;
  /** Position of the entry, for messages: `known-failures.yaml, line 7`. */
  place: string;
}

type Field = keyof typeof schema.items.properties;

/**
 * Loads a list of known failures in YAML or JSON. Each entry needs a reason, an issue, an owner and an expiration date.
 * Throws a UsageError with the line, the entry, the field and the expected value. A new list is missing or empty.
 */
export async function loadKnownFailures(path: string, mayBeNew = false): Promise<KnownFailure[]> {
  const name = basename(path);
  const text = await listText(path, mayBeNew);
  if (mayBeNew && text.trim() === '') return [];
  const listed = readListed(text, name);
  await checkShape(listed, name);
  const known = listed.value as Omit<KnownFailure, 'place'>[]; // the schema describes it
  const failures = known.map((entry, index) => ({ ...entry, place: placeOf(name, listed.lineOf([index])) }));
  failures.forEach((failure, index) => {
    const problem = problemOf(failure, failures.slice(0, index));
    if (problem !== null) throw new UsageError(`${failure.place}: ${plain(problem)}`);
  });
  return failures;
}

/** A parsed file with the positions of its values. */
interface Listed {
  value: unknown;
  /** Line number from 1 of a value. Null if the line is unknown. */
  lineOf(path: (string | number)[]): number | null;
  /** ` (requirement ID)`, or an empty text if the entry has no requirement. */
  nameOf(index: number): string;
}

/** Parses YAML or JSON. Throws a UsageError with the line number if parsing fails. */
function readListed(text: string, name: string): Listed {
  const lines = new LineCounter();
  const document = readingYaml(name, () => parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  const [error] = document.errors;
  if (error !== undefined) {
    const [twice = ''] = error.code === 'DUPLICATE_KEY' ? (/[\w-]+/.exec(text.slice(error.pos[0])) ?? []) : [];
    const what = twice === '' ? error.message : `'${twice}' occurs twice`;
    throw new UsageError(`${name}, line ${lines.linePos(error.pos[0]).line}: ${plain(what)}`);
  }
  return {
    // Throws if aliases expand beyond the limit of the library, which protects memory.
    value: readingYaml(name, () => document.toJS()),
    lineOf(path) {
      const node = document.getIn(path, true);
      const start = isNode(node) ? node.range?.[0] : undefined;
      return start === undefined ? null : lines.linePos(start).line;
    },
    nameOf(index) {
      const requirement: unknown = document.getIn([index, 'requirement']);
      return typeof requirement === 'string' && requirement !== '' ? ` (${plain(requirement, 80)})` : '';
    },
  };
}

/** Converts errors of the YAML library into usage errors, for example about too many aliases or too deep nesting. */
export function readingYaml<Read>(name: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw new UsageError(
      `${name} cannot be read as YAML: ${plain(error instanceof Error ? error.message : String(error))}`,
    );
  }
}

const mostOfKnownFailures = 4 * megabyte;

/** The text of a list; empty if it is missing and may be. */
export function listText(path: string, mayBeMissing: boolean): Promise<string> {
  return readText(path, mostOfKnownFailures).catch((error: unknown) => {
    if (mayBeMissing && codeOf(error) === 'ENOENT') return '';
    throw new UsageError(`Cannot read the known failures: '${path}' ${whyNotRead(error)}`);
  });
}

async function checkShape(listed: Listed, name: string): Promise<void> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const validate = new Ajv2020().compile(schema);
  if (validate(listed.value)) return;
  const [error] = validate.errors ?? [];
  const path = (error?.instancePath ?? '').split('/').slice(1);
  const [entry, given] = path;
  if (error === undefined || entry === undefined) {
    throw new UsageError(`${name} must be a list of entries with ${schema.items.required.join(', ')}`);
  }
  const index = Number(entry);
  const missing: unknown = error.params.missingProperty;
  const surplus: unknown = error.params.additionalProperty;
  const place = placeOf(name, listed.lineOf(given === undefined ? [index] : [index, given]));
  const which = `${place}: entry ${index + 1}${listed.nameOf(index)}`;
  if (typeof surplus === 'string') {
    throw new UsageError(
      `${which}: '${plain(surplus)}' is not known; the fields are ${schema.items.required.join(', ')}`,
    );
  }
  const field = typeof missing === 'string' ? missing : given;
  if (!isField(field)) throw new UsageError(`${which} must be an object with ${schema.items.required.join(', ')}`);
  const wrong = typeof missing === 'string' ? 'is missing' : 'is wrong';
  throw new UsageError(`${which}: '${field}' ${wrong}; expected ${schema.items.properties[field].description}`);
}

function isField(name: string | undefined): name is Field {
  return name !== undefined && Object.hasOwn(schema.items.properties, name);
}

function problemOf(failure: KnownFailure, before: readonly KnownFailure[]): string | null {
  const { requirement, expires } = failure;
  if (!requirements.some(({ id }) => id === requirement)) {
    return `there is no requirement '${requirement}'; tck list shows all requirements`;
  }
  const first = before.find((other) => other.requirement === requirement);
  if (first !== undefined) return `'${requirement}' is listed twice, first at ${first.place}`;
  const date = new Date(`${expires}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== expires) {
    return `'expires' is wrong for '${requirement}': there is no day ${expires}`;
  }
  return null;
}

function placeOf(name: string, line: number | null): string {
  return line === null ? name : `${name}, line ${line}`;
}

/**
 * Applies known failures to a result and recomputes its verdict and gate. `today` has the format YYYY-MM-DD. An entry
 * is stale and fails the gate if its requirement passes or the entry has expired. Does nothing if no requirement was
 * tested.
 */
export function applyKnownFailures(result: RunResult, known: readonly KnownFailure[], today: string): RunResult {
  if (result.requirements.every(({ status }) => status === 'not-tested')) return result;
  const requirements = excused(result.requirements, known, today);
  const { interrupted, summary, trouble } = result;
  const grounds = { requirements, interrupted, trouble, counts: addedUp([summary]) };
  return { ...result, requirements, ...conclude(grounds) };
}

/** Attaches each entry to its requirement. A failed requirement with a valid entry becomes a known failure. */
function excused(
  requirements: readonly RequirementResult[],
  known: readonly KnownFailure[],
  today: string,
): RequirementResult[] {
  const entries = new Map(known.map((entry) => [entry.requirement, entry]));
  return requirements.map((requirement) => {
    const entry = entries.get(requirement.id);
    if (entry === undefined) return requirement;
    const stale = stalenessOf(entry, requirement, today);
    const { reason, issue, owner, expires } = entry;
    const knownFailure = { reason, issue, owner, expires, ...(stale === undefined ? {} : { stale }) };
    const isExcused = requirement.status === 'failed' && stale === undefined;
    return { ...requirement, knownFailure, ...(isExcused ? { status: 'known-failure' } : {}) };
  });
}

/** Why an entry is stale. Undefined if the entry is valid, which includes its last day. */
function stalenessOf(entry: KnownFailure, { id, status }: RequirementResult, today: string): string | undefined {
  if (status === 'passed') return `${entry.place}: remove '${id}': it passes now`;
  return entry.expires < today ? `${entry.place}: the entry for '${id}' expired on ${entry.expires}` : undefined;
}
