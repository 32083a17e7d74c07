import { type Condition, each, json, like } from './condition.ts';

/** Patterns for the types that findings mention. Longer names come first. */
const types: readonly (readonly [name: string, pattern: string])[] = [
  ['an ISO 8601 date and time in UTC (such as 2027-01-05T09:00:00Z)', json.instant],
  ['a date as YYYY-MM-DD', json.date],
  ['a non-empty string', json.text],
  ['a non-empty array', json.array],
  ['a whole number', json.integer],
  ['true or false', json.boolean],
  ['a string', json.string],
  ['a number', json.number],
  ['an array', json.array],
  ['an object', json.object],
  ['at least 0', '^[0-9]'],
  ['present', json.any],
  ['null', json.null],
  ['true', json.true],
];

/** Conditions for `PLACE to be WORDS`, for example `hits[].relevance to be a number`. Undefined for other words. */
export function fits(place: string, words: string): Condition[] | undefined {
  const pattern = patternOf(words);
  if (pattern === undefined) return undefined;
  const [list, member, ...more] = `.${place}`.split('[]');
  if (list === undefined || more.length > 0 || place.includes('[0')) return undefined;
  if (member !== undefined) return [each(list, member, pattern)];
  const length = words === 'a non-empty array' ? [like(`.${place}[]`, json.some)] : [];
  return [like(`.${place}`, pattern), ...length];
}

/** Joins alternatives into a single pattern. */
function patternOf(words: string): string | undefined {
  const patterns: string[] = [];
  let rest = words;
  while (rest !== '') {
    const type = types.find(([name]) => rest === name || rest.startsWith(`${name} or `));
    const [literal] = /^"[\w-]+"/.exec(rest) ?? [];
    if (type === undefined && literal === undefined) return undefined;
    patterns.push(type?.[1] ?? `^${literal}$`);
    rest = rest.slice((type?.[0] ?? literal ?? '').length + ' or '.length);
  }
  return patterns.length === 0 ? undefined : patterns.map((each) => `(${each})`).join('|');
}
