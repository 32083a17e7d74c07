import { basename } from 'node:path';
import { z } from 'zod';
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

const expecting = (what: string) => ({
  error: ({ input }: { input?: unknown }) => `${input === undefined ? 'is missing' : 'is wrong'}; expected ${what}`,
});
const text = (what: string, pattern = /\S/) => z.string(expecting(what)).regex(pattern, expecting(what));

const entrySchema = z.strictObject({
  requirement: text('the ID of a requirement, as in tck list'),
  reason: text('the reason why the requirement fails'),
  issue: text('the URL of the tracking issue, which starts with http:// or https://', /^https?:\/\/\S+$/),
  owner: text('the person or team that fixes the failure'),
  expires: z.iso.date(expecting('the last day on which the failure is accepted, YYYY-MM-DD')),
});
const fields = Object.keys(entrySchema.shape).join(', ');

/**
 * Loads a list of known failures in YAML or JSON. Each entry needs a reason, an issue, an owner and an expiration date.
 * Throws a UsageError with the line, the entry, the field and the expected value. A new list is missing or empty.
 */
export async function loadKnownFailures(path: string, mayBeNew = false): Promise<KnownFailure[]> {
  const listed = await readListed(await listText(path, mayBeNew), basename(path));
  const parsed = z.array(entrySchema).safeParse(listed.value);
  if (!parsed.success) throw new UsageError(formProblem(parsed.error.issues[0], listed));
  const failures = parsed.data.map((entry, index) => ({ ...entry, place: listed.placeOf([index]) }));
  failures.forEach(({ requirement, place }, index) => {
    if (!requirements.some(({ id }) => id === requirement)) {
      const problem = `there is no requirement '${plain(requirement)}'; tck list shows all requirements`;
      throw new UsageError(`${place}: ${problem}`);
    }
    const first = failures.slice(0, index).find((other) => other.requirement === requirement);
    if (first !== undefined)
      throw new UsageError(`${place}: '${requirement}' is listed twice, first at ${first.place}`);
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

type Listed = Awaited<ReturnType<typeof readListed>>;

/** Parses YAML or JSON. Throws a UsageError, with the line number if it is known. */
async function readListed(text: string, name: string) {
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
    // Throws if aliases expand beyond the limit of the library, which protects memory.
    const value: unknown = document.toJS() ?? [];
    return {
      name,
      document,
      value,
      /** `known-failures.yaml, line 7`: the line of a field, or else that of its entry. */
      placeOf(path: readonly unknown[]) {
        const node = document.getIn(path, true) ?? document.getIn(path.slice(0, 1), true);
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

/** What is wrong with the form of a list, an entry or a field. */
function formProblem(issue: z.core.$ZodIssue | undefined, { name, value, placeOf }: Listed): string {
  const [index, field] = issue?.path ?? [];
  if (issue === undefined || index === undefined) return `${name} must be a list of entries with ${fields}`;
  const requirement = member(Array.isArray(value) ? value[Number(index)] : undefined, 'requirement');
  const whose = typeof requirement === 'string' && requirement !== '' ? ` (${plain(requirement, 80)})` : '';
  const which = `${placeOf(issue.path)}: entry ${Number(index) + 1}${whose}`;
  if (issue.code === 'unrecognized_keys')
    return `${which}: '${plain(issue.keys[0] ?? '')}' is not known; the fields are ${fields}`;
  if (field === undefined) return `${which} must be an object with ${fields}`;
  return `${which}: '${String(field)}' ${issue.message}`;
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

/**
 * Adds an entry for each failed requirement that the list does not contain, and returns the added IDs. Reason, issue,
 * owner and expiration date are empty, so the list is invalid until a person fills them in. Keeps existing entries and
 * comments, and creates the file if necessary.
 */
export async function updateKnownFailures(result: RunResult, path: string): Promise<string[]> {
  const { isSeq } = await import('yaml');
  const existing = await listText(path, true);
  const given = existing.trim() === '' ? '[]' : existing;
  const { document, value } = await readListed(given, 'the file of known failures');
  if (!isSeq(document.contents) || !Array.isArray(value)) {
    throw new UsageError('The file of known failures is not a list: make it a list, so that entries can be added');
  }
  const entries: unknown[] = value;
  const failed = result.requirements
    .filter(({ id, status }) => status === 'failed' && !entries.some((entry) => member(entry, 'requirement') === id))
    .toSorted(byTopic);
  if (failed.length === 0) return [];
  const emptyEntry = (requirement: string) => ({ requirement, reason: '', issue: '', owner: '', expires: '' });
  document.contents.flow = false;
  for (const { id, findings } of failed) {
    const node = document.createNode(emptyEntry(id));
    const [finding] = findings;
    if (finding !== undefined) {
      node.commentBefore = ` expected ${plain(finding.expected, 200)}\n got ${plain(finding.actual, 200)}`;
    }
    document.add(node);
  }
  const added = failed.map(({ id }) => id);
  const inJson = () => safeJson([...entries, ...added.map(emptyEntry)]);
  const text = path.endsWith('.json') ? inJson() : document.toString({ lineWidth: 0 });
  await writeWhole(path, text).catch((error: unknown) => {
    throw new UsageError(`Cannot write the known failures: '${path}': ${whyNotWritten(error)}`);
  });
  return added;
}
