import { basename } from 'node:path';
import type { Document } from 'yaml';
import schema from '../fixtures/known-failures.schema.json' with { type: 'json' };
import { byTopic } from '../suites/causes/order.ts';
import { member } from '../suites/json.ts';
import { requirements } from '../suites/requirements.ts';
import type { KnownFailureNote, RequirementResult, RunResult } from '../suites/result.ts';
import { whyNotWritten, writeWhole } from '../suites/usage/files.ts';
import { codeOf, megabyte, readText, whyNotRead } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { addedUp, conclude } from '../suites/verdict.ts';
import { safeJson } from './json.ts';
import { plain } from './plain.ts';

/** An entry in the list of known failures. */
export interface KnownFailure extends KnownFailureNote {
  requirement: string;
  /** Position of the entry, for messages: `known-failures.yaml, line 7`. */
  place: string;
}

/**
 * Loads a list of known failures in YAML or JSON. Each entry needs a reason, an issue, an owner and an expiration date.
 * Throws a UsageError with the line, the entry, the field and the expected value. A new list is missing or empty.
 */
export async function loadKnownFailures(path: string, mayBeNew = false): Promise<KnownFailure[]> {
  const text = await listText(path, mayBeNew);
  const listed = await readListed(text, basename(path));
  await checkShape(listed);
  const known = listed.value as Omit<KnownFailure, 'place'>[]; // the schema describes it
  const failures = known.map((entry, index) => ({ ...entry, place: listed.placeOf([index]) }));
  failures.forEach((failure, index) => {
    const problem = problemOf(failure, failures.slice(0, index));
    if (problem !== null) throw new UsageError(`${failure.place}: ${plain(problem)}`);
  });
  return failures;
}

const mostBytes = 4 * megabyte;

/** The text of a list; empty if it is missing and may be. */
function listText(path: string, mayBeMissing: boolean): Promise<string> {
  return readText(path, mostBytes).catch((error: unknown) => {
    if (mayBeMissing && codeOf(error) === 'ENOENT') return '';
    throw new UsageError(`Cannot read the known failures: '${path}' ${whyNotRead(error)}`);
  });
}

interface Listed {
  name: string;
  document: Document.Parsed;
  value: unknown;
  /** `known-failures.yaml, line 7`; without the line if it is unknown. */
  placeOf(path: (string | number)[]): string;
}

/** Parses YAML or JSON. Throws a UsageError, with the line number if it is known. */
async function readListed(text: string, name: string): Promise<Listed> {
  const { isNode, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) {
      const [twice = ''] = error.code === 'DUPLICATE_KEY' ? (/[\w-]+/.exec(text.slice(error.pos[0])) ?? []) : [];
      const what = twice === '' ? error.message : `'${twice}' occurs twice`;
      throw new UsageError(`${name}, line ${lines.linePos(error.pos[0]).line}: ${plain(what)}`);
    }
    return {
      name,
      document,
      // Throws if aliases expand beyond the limit of the library, which protects memory.
      value: document.toJS() ?? [],
      placeOf(path) {
        const node = document.getIn(path, true);
        const start = isNode(node) ? node.range?.[0] : undefined;
        return start === undefined ? name : `${name}, line ${lines.linePos(start).line}`;
      },
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${name} cannot be read as YAML: ${plain(why)}`);
  }
}

const { properties, required } = schema.items;

async function checkShape({ name, value, placeOf }: Listed): Promise<void> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const validate = new Ajv2020().compile(schema);
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  const [index, given] = (error?.instancePath ?? '').split('/').slice(1);
  if (error === undefined || index === undefined) {
    throw new UsageError(`${name} must be a list of entries with ${required.join(', ')}`);
  }
  const { missingProperty: missing, additionalProperty: surplus }: Record<string, unknown> = error.params;
  const requirement = member(Array.isArray(value) ? value[Number(index)] : undefined, 'requirement');
  const whose = typeof requirement === 'string' && requirement !== '' ? ` (${plain(requirement, 80)})` : '';
  const place = placeOf([Number(index), ...(given === undefined ? [] : [given])]);
  const which = `${place}: entry ${Number(index) + 1}${whose}`;
  if (typeof surplus === 'string') {
    throw new UsageError(`${which}: '${plain(surplus)}' is not known; the fields are ${required.join(', ')}`);
  }
  const field = Object.entries(properties).find(([each]) => each === (missing ?? given));
  if (field === undefined) throw new UsageError(`${which} must be an object with ${required.join(', ')}`);
  const [fieldName, { description }] = field;
  const wrong = missing === undefined ? 'is wrong' : 'is missing';
  throw new UsageError(`${which}: '${fieldName}' ${wrong}; expected ${description}`);
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

/**
 * Applies known failures to a result and recomputes its verdict and gate, as of the day of the run. An entry is stale
 * and fails the gate if its requirement passes or the entry has expired. Does nothing if no requirement was tested.
 */
export function applyKnownFailures(result: RunResult, known: readonly KnownFailure[]): RunResult {
  if (known.length === 0 || result.requirements.every(({ status }) => status === 'not-tested')) return result;
  const entries = new Map(known.map((entry) => [entry.requirement, entry]));
  const today = result.startedAt.slice(0, 10);
  // A failed requirement with a valid entry becomes a known failure.
  const requirements = result.requirements.map((requirement): RequirementResult => {
    const entry = entries.get(requirement.id);
    if (entry === undefined) return requirement;
    const stale = stalenessOf(entry, requirement, today);
    const { reason, issue, owner, expires } = entry;
    const knownFailure = { reason, issue, owner, expires, ...(stale === undefined ? {} : { stale }) };
    const isExcused = requirement.status === 'failed' && stale === undefined;
    return { ...requirement, knownFailure, ...(isExcused ? { status: 'known-failure' } : {}) };
  });
  const { interrupted, summary, trouble } = result;
  return { ...result, requirements, ...conclude({ requirements, interrupted, trouble, counts: addedUp([summary]) }) };
}

/** Why an entry is stale. Undefined if the entry is valid, which includes its last day. */
function stalenessOf(entry: KnownFailure, { id, status }: RequirementResult, today: string): string | undefined {
  if (status === 'passed') return `${entry.place}: remove '${id}': it passes now`;
  return entry.expires < today ? `${entry.place}: the entry for '${id}' expired on ${entry.expires}` : undefined;
}

interface Proposal {
  text: string;
  added: string[];
}

/**
 * Adds an entry for each failed requirement that the list does not contain. Reason, issue, owner and expiration date
 * are empty, so the list is invalid until a person fills them in. Keeps existing entries and comments.
 */
export async function proposeKnownFailures(
  result: RunResult,
  format: 'yaml' | 'json',
  existing = '',
): Promise<Proposal> {
  const { isSeq } = await import('yaml');
  const given = existing.trim() === '' ? '[]' : existing;
  const { document, value } = await readListed(given, 'the file of known failures');
  if (!isSeq(document.contents) || !Array.isArray(value)) {
    throw new UsageError('The file of known failures is not a list: make it a list, so that entries can be added');
  }
  const entries: unknown[] = value;
  const failed = result.requirements
    .filter(({ id, status }) => status === 'failed' && !entries.some((entry) => member(entry, 'requirement') === id))
    .toSorted(byTopic);
  const added = failed.map(({ id }) => id);
  const emptyEntry = (requirement: string) => ({ requirement, reason: '', issue: '', owner: '', expires: '' });
  if (format === 'json') return { text: safeJson([...entries, ...added.map(emptyEntry)]), added };

  document.contents.flow = entries.length === 0 && added.length === 0;
  for (const { id, findings } of failed) {
    const node = document.createNode(emptyEntry(id));
    const [finding] = findings;
    if (finding !== undefined) {
      node.commentBefore = ` expected ${plain(finding.expected, 200)}\n got ${plain(finding.actual, 200)}`;
    }
    document.add(node);
  }
  return { text: document.toString({ lineWidth: 0 }), added };
}

/** Adds failed requirements to a list of known failures. Creates the file if necessary. Returns the added IDs. */
export async function updateKnownFailures(result: RunResult, path: string): Promise<string[]> {
  const existing = await listText(path, true);
  const { text, added } = await proposeKnownFailures(result, path.endsWith('.json') ? 'json' : 'yaml', existing);
  if (added.length === 0) return added;
  await writeWhole(path, text).catch((error: unknown) => {
    throw new UsageError(`Cannot write the known failures: '${path}': ${whyNotWritten(error)}`);
  });
  return added;
}
