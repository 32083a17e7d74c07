import { isDeepStrictEqual } from 'node:util';
import { isToolName } from '../../fixtures/contract/tools.ts';
import { isRecord, member } from '../../suites/json.ts';
import type { Ids } from './ids.ts';
import { type List, mainData } from './main-data.ts';

/** Status and body of a response. */
interface Outcome {
  readonly status: number;
  readonly json: unknown;
}

/**
 * Returns the first difference between a recorded response and the response of the stub, as a sentence; undefined if
 * the outcome and the main data are equal. Members that the recorded response lacks are not compared.
 */
export function differenceOf(tool: string, recorded: Outcome, actual: Outcome, ids: Ids): string | undefined {
  if (outcomeOf(recorded) !== outcomeOf(actual))
    return `the stub returns ${outcomeOf(actual)} instead of ${outcomeOf(recorded)}`;
  if (!isRecord(recorded.json)) return 'the recording shows a body that is not a JSON object';
  if (recorded.json.ok !== member(actual.json, 'ok')) return 'ok differs';
  if (!isSuccess(recorded) || !isToolName(tool)) return choicesOf(recorded, actual);
  const { values, ids: created = [], lists = [] } = mainData[tool];
  // The IDs and lists come first, because they pair IDs that later requests can contain.
  const id = created.find((name) => !ids.agree(member(recorded.json, name), member(actual.json, name)));
  const inLists = lists.map((list) => listDifference(list, recorded.json, actual.json, ids));
  const value = values.find((path) => !isEqual(path, at(recorded.json, path), at(actual.json, path))) ?? id;
  return value === undefined ? inLists.find((difference) => difference !== undefined) : `${value} differs`;
}

const isSuccess = ({ status, json }: Outcome) => status === 200 && member(json, 'ok') === true;

function outcomeOf({ status, json }: Outcome): string {
  const code = member(json, 'code') ?? member(json, 'error', 'code');
  const isSafe = typeof code === 'string' && /^[\w.-]{1,60}$/.test(code);
  return code === undefined ? String(status) : `${status} with ${isSafe ? code : 'another code'}`;
}

function choicesOf(recorded: Outcome, actual: Outcome): string | undefined {
  const [given, own] = [member(recorded.json, 'workspaces'), member(actual.json, 'workspaces')];
  if (!Array.isArray(given)) return undefined;
  const isSame = Array.isArray(own) && isDeepStrictEqual([...given].sort(), [...own].sort());
  return isSame ? undefined : 'workspaces differs';
}

function at(json: unknown, path: string): unknown {
  return member(json, ...path.split('.'));
}

function isEqual(path: string, recorded: unknown, actual: unknown): boolean {
  if (recorded === undefined || isDeepStrictEqual(recorded, actual)) return true;
  if (!/(^|\.)scheduled_for$/.test(path)) return false;
  // Times can have a different precision.
  return typeof recorded === 'string' && typeof actual === 'string' && Date.parse(recorded) === Date.parse(actual);
}

function listDifference(list: List, recorded: unknown, actual: unknown, ids: Ids): string | undefined {
  const [given, own] = [member(recorded, list.member), member(actual, list.member)];
  if (!Array.isArray(given)) return undefined;
  if (!Array.isArray(own)) return `${list.member} differs`;
  const isSame = (one: unknown, other: unknown) =>
    list.key.every((name) => ids.isSame(keyPart(one, name), keyPart(other, name)));
  const pairs = given.map((row) => [row, own.find((each) => isSame(row, each))] as const);
  if (pairs.some(([, match]) => match === undefined)) return `${list.member}: the stub lacks some`;
  if (own.length > given.length) return `${list.member}: the stub has more`;
  const isMoved = list.isOrdered && given.some((row, index) => !isSame(row, own[index]));
  if (isMoved) return `${list.member} are in another order`;
  const differs = list.members.find((name) =>
    pairs.some(([row, match]) => !isEqual(name, member(row, name), member(match, name))),
  );
  return differs === undefined ? undefined : `${list.member}[].${differs} differs`;
}

/** A provider can be a text instead of an object. */
const keyPart = (row: unknown, name: string) => (isRecord(row) ? row[name] : row);
