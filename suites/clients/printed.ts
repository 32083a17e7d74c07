import { isToolName, isWorkspaceScoped } from '../../fixtures/contract/tools.ts';
import { body, type Completed, isRefusal } from '../exchange/exchange.ts';
import { isRecord } from '../json.ts';
import { stepOf } from './exchange.ts';
import type { RunOfClient } from './run.ts';

/** Texts that programs print for a missing value. Other programs print 0 or nothing. */
const words = ['undefined', 'null', 'None', 'NaN', 'nil', '<nil>', '[object Object]'];
/** A short text may be part of another one by coincidence. */
const leastLetters = 3;
/** More lines show no other mistakes. */
const mostLines = 300;

/** A line of a run without trouble, with a slot for each value of a request or a response. */
interface Template {
  readonly pattern: RegExp;
  /** Steps whose results have the value of each slot; empty if the client knows the value from elsewhere. */
  readonly slots: readonly ReadonlySet<string>[];
}

/** Returns the lines that a run printed, without white space around them. */
export function linesOf({ output = '' }: RunOfClient): string[] {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').slice(-mostLines);
}

/** Adds the texts, numbers, and lengths of lists in a JSON value. */
function addValues(value: unknown, add: (text: string) => void): void {
  if (typeof value === 'string' && value.trim().length >= leastLetters) add(value.trim());
  if (typeof value === 'number') add(String(value));
  if (Array.isArray(value)) add(String(value.length));
  if (Array.isArray(value) || isRecord(value)) for (const part of Object.values(value)) addValues(part, add);
}

/** Returns the values of a run: those of results with their tools, and those of requests without tools. */
function valuesOf({ results, refusals }: RunOfClient): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const result of results) {
    addValues(result.response.json, (text) => values.set(text, (values.get(text) ?? new Set()).add(stepOf(result))));
  }
  for (const { request } of [...results, ...refusals]) addValues(request.args, (text) => values.set(text, new Set()));
  return values;
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Numbers and white space may differ. */
const escaped = (text: string) => literal(text).replace(/\d+/g, '\\d+').replace(/\s+/g, '\\s*');

/** Returns a pattern that captures any of these values between other words, the longest first. */
function anyOf(values: Iterable<string>): RegExp {
  const longestFirst = [...values].sort((one, other) => other.length - one.length);
  if (longestFirst.length === 0) return /(?!)/;
  return new RegExp(`(?<![\\p{L}\\p{N}_])(${longestFirst.map(literal).join('|')})(?![\\p{L}\\p{N}_])`, 'u');
}

function templateOf(line: string, values: ReadonlyMap<string, Set<string>>, value: RegExp): Template {
  const parts = line.split(value);
  // Every second part is a value that the pattern captured.
  const isValue = (_: string, index: number) => index % 2 === 1;
  const pattern = parts.map((part, index) => (isValue(part, index) ? '(.*?)' : escaped(part))).join('');
  const slots = parts.filter(isValue).map((part) => values.get(part) ?? new Set<string>());
  return { pattern: new RegExp(`^${pattern}$`), slots };
}

const templates = new WeakMap<readonly Completed[], readonly Template[]>();

/** Returns the templates of a finished run. */
function templatesOf(run: RunOfClient): readonly Template[] {
  const known = templates.get(run.results);
  if (known !== undefined) return known;
  const values = valuesOf(run);
  const value = anyOf(values.keys());
  const all = linesOf(run).map((line) => templateOf(line, values, value));
  templates.set(run.results, all);
  return all;
}

/** Whether a template has text besides its slots, so that not every line matches. */
const hasText = ({ pattern }: Template) => /[^$^]/.test(pattern.source.replace(/\\[sd][*+]|\(\.\*\?\)/g, ''));

/** Returns the runs that show what a client prints if nothing is refused or fails. */
export function untroubledOf(runs: readonly RunOfClient[]): RunOfClient[] {
  return runs.filter((run) => !run.metTrouble && run.exitCode === 0);
}

/** Returns the lines that no run without trouble prints. */
export function newLines(run: RunOfClient, untroubled: readonly RunOfClient[]): string[] {
  const usual = untroubled.flatMap(templatesOf);
  return linesOf(run).filter(
    (line) => !usual.some((template) => template.pattern.test(line) && (hasText(template) || isMissing(line))),
  );
}

const isMissing = (text: string) => text === '' || text === '0' || words.includes(text);

/** Returns whether a line of a run has a word for a missing value. */
export function printsNothing(run: RunOfClient): boolean {
  return linesOf(run).some(
    (line) => !/^[{"[]/.test(line) && line.split(/[\s:=,]+/).some((word) => words.includes(word)),
  );
}

/** Returns whether a run ends like another one, with a line about the confirmation. Values may differ. */
export function endsLike(run: RunOfClient, other: RunOfClient): boolean {
  const [last, line] = [templatesOf(other).at(-1), linesOf(run).at(-1)];
  if (last === undefined || line === undefined || !hasText(last)) return false;
  return last.pattern.test(line) && last.slots.every((steps) => steps.size === 0 || steps.has('confirmation'));
}

/**
 * Returns a line with another text in place of a value that only a refused step could have returned, and its refusal.
 * `undefined` if there is no such line, and `null` if no line could show it.
 */
export function misprintIn(
  run: RunOfClient,
  plain: readonly RunOfClient[],
  isAbout: (refusal: Completed) => boolean,
): { line: string; refusal: Completed } | null | undefined {
  const refused = new Map(
    unfulfilled(run)
      .filter(isAbout)
      .map((refusal) => [stepOf(refusal), refusal]),
  );
  let couldShow = false;
  for (const template of plain.flatMap(templatesOf)) {
    const { pattern, slots } = template;
    const own = slots.map((steps) => steps.size > 0 && [...steps].every((step) => refused.has(step)));
    if (!own.includes(true)) continue;
    couldShow = true;
    for (const line of linesOf(run)) {
      const texts =
        pattern
          .exec(line)
          ?.slice(1)
          .map((text) => text.trim()) ?? [];
      // Without text between the slots, each line matches.
      const isMisprint = hasText(template) ? isMissing : (text: string) => words.includes(text);
      const at = texts.findIndex((text, slot) => own[slot] === true && isMisprint(text));
      const refusal = refused.get([...(slots[at] ?? [])][0] ?? '');
      // A client that says why may add that it did nothing, or print data with gaps.
      const isData = /^[{"[]/.test(line) || !words.includes(texts[at] ?? '');
      if (refusal !== undefined && !(isData && showsReason(run, refusal))) return { line, refusal };
    }
  }
  return couldShow ? undefined : null;
}

/** Returns the latest refusal or error response of each step without a result in a run. */
export function unfulfilled({ results, refusals }: RunOfClient): Completed[] {
  const done = new Set(results.map(stepOf));
  const latest = new Map(refusals.map((refusal) => [stepOf(refusal), refusal]));
  return [...latest.values()].filter((refusal) => refusal.request.tool !== null && !done.has(stepOf(refusal)));
}

const plainText = (text: string) => text.replace(/\s+/g, ' ').toLowerCase();
/** Returns whether the output of a run contains a text, apart from white space, letter case and escapes. */
export function prints({ output = '' }: RunOfClient, text: string): boolean {
  const shown = plainText(output);
  return [text, JSON.stringify(text).slice(1, -1)].some((form) => shown.includes(plainText(form)));
}

/** A client may shorten a message. */
const lettersOfMessage = 24;

/** Returns whether the output of a run contains the code or the start of the message of a response. */
export function showsReason(run: RunOfClient, refusal: Completed): boolean {
  const { error } = body(refusal);
  const { code, message } = isRecord(error) ? error : body(refusal);
  return [code, String(message ?? '').slice(0, lettersOfMessage)].some(
    (text) => typeof text === 'string' && text !== '' && prints(run, text),
  );
}

/** Returns whether the output shows a path or a message of an issue, or the refusal has none. */
export function showsIssue({ output = '' }: RunOfClient, refusal: Completed): boolean {
  const { issues } = body(refusal);
  if (!isRefusal(refusal) || !Array.isArray(issues) || issues.length === 0) return true;
  const texts = issues.flatMap((issue) => (isRecord(issue) ? [issue.path, issue.message] : []));
  return texts.some((text) => typeof text === 'string' && output.includes(text));
}

/** A result of which a run prints a value, and whether the output names its workspace. */
interface PrintedResult {
  readonly result: Completed;
  readonly value: string;
  readonly isNamed: boolean;
}

/** Returns a printed result of a workspace, preferably of one that the output does not name. */
export function printedResult(run: RunOfClient): PrintedResult | undefined {
  const { output = '' } = run;
  const values = valuesOf(run);
  // A summary is a question and no result.
  const summaries = run.results.map((result) => String(body(result).request_summary ?? ''));
  const printed = run.results.flatMap((result): PrintedResult[] => {
    const { tool } = result.request;
    if (tool === null || !isToolName(tool) || !isWorkspaceScoped(tool)) return [];
    let value: string | undefined;
    addValues(result.response.json, (text) => {
      // Short texts, and those of requests, may come from elsewhere.
      const isOwn = text.length >= 2 * leastLetters && (values.get(text)?.size ?? 0) > 0;
      if (isOwn && output.includes(text) && !summaries.some((summary) => summary.includes(text))) value ??= text;
    });
    const { workspace, working_in: place } = body(result);
    const names = [workspace, isRecord(place) ? place.label : undefined];
    const isNamed = names.some((name) => typeof name === 'string' && prints(run, name));
    return value === undefined || typeof workspace !== 'string' ? [] : [{ result, value, isNamed }];
  });
  return printed.find(({ isNamed }) => !isNamed) ?? printed[0];
}
