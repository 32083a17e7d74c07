import { expect, test } from 'vitest';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { judgementOf, type Said } from '../../../test/history.ts';

const place = { workspace: 'north', working_in: { label: 'North', note: 'Named.' } };
const found = (args: Said['args'], tool = 'knowledge.search'): Said => ({
  tool,
  ...(args === undefined ? {} : { args }),
  body: { ok: true, query: 'a', hits: [], ...place },
});
const wrongType = 'knowledge.query-wrong-type-refused';
const raw = (body: string): Said => ({ ...found(undefined, 'schedule.read'), request: { body, args: null } });

test.each<[string, RequirementId, Said, Said, RegExp]>([
  ['NaN', 'bodies.not-json', found({}, 'schedule.read'), raw('{"query": NaN}'), /\(not a number\).*: Python json/],
  ['a comment', 'bodies.not-json', found({}, 'schedule.read'), raw('{/* none */}'), /\(comments\).*: Newtonsoft/],
  ['a number', wrongType, found({ query: 'a' }), found({ query: 7 }), /^A number is taken/],
  ['an array', wrongType, found({ query: 'a' }), found({ query: ['a'] }), /^An array is taken for a string/],
  ['a capital letter', 'library.kind-missing-refused', item({ kind: 'a' }), item({ Kind: 'a' }), /^Kind is taken for/],
])('the hint names what a server accepts: %s', (_, id, control, accepted, hint) => {
  const { findings } = judgementOf(id, [control, accepted]);
  expect(findings).toMatchObject([{ hint: expect.stringMatching(hint) }]);
});

function item(args: { kind: string } | { Kind: string }): Said {
  return { tool: 'library.get', args: { ...args, id: '1' }, body: { ok: true, ...place } };
}
