import { expect, test } from 'vitest';
import { exchangesOf, type Said } from '../../test/history.ts';
import { isCompleted } from '../exchange/exchange.ts';
import { predict } from './predict.ts';

const absent: Said['sender'] = { label: 'no credential', kind: 'absent', role: null };
const notJson: Said['request'] = { args: null, body: '{"a": ' };
const create = { format: 'posts', day: '2027-01-05' };
const asking = (args: object): Said => ({ tool: 'content.create_request', args: { ...create, ...args } });
const propose = { board: 'b-1', brief: 'a cup', shape: '1:1' };

/** The first thing that is wrong decides. Nothing decides where the order of errors is open. */
test.each<[what: string, asked: Said, expected: string | undefined]>([
  ['nothing wrong', { tool: 'schedule.read' }, undefined],
  ['no credential', { tool: 'library.get', sender: absent }, 'authentication.absent-refused'],
  ['no credential, for an unknown tool', { tool: 'tck-none', sender: absent }, undefined],
  ['no credential, with a body that is not JSON', { tool: 'library.get', sender: absent, request: notJson }, undefined],
  ['a closed API, without arguments', { tool: 'library.get', as: 'withoutAccess' }, 'surface.without-access-refused'],
  ['an unknown tool', { tool: 'tck-none' }, 'unknown-tools.unknown-404'],
  ['a near miss', { tool: 'Schedule.Read' }, 'unknown-tools.near-misses-404'],
  ['an inherited name', { tool: 'toString' }, 'unknown-tools.prototype-names-404'],
  ['an encoded tool', { tool: 'schedule%2Eread' }, undefined],
  ['a body that is not JSON', { tool: 'schedule.read', request: notJson }, 'bodies.not-json'],
  ['the same for another tool', { tool: 'images.generate', request: notJson }, 'bodies.images-generate'],
  ['another method', { tool: 'schedule.read', request: { ...notJson, method: 'PUT' } }, undefined],
  ['an empty workspace', { tool: 'schedule.read', args: { workspace: '' } }, 'workspaces.empty-refused'],
  ['no kind', { tool: 'library.get', args: { id: '7' } }, 'library.kind-missing-refused'],
  ['null for an optional field', { tool: 'library.search', args: { query: null } }, undefined],
  ['two errors, refused', { tool: 'library.get', body: { ok: false } }, undefined],
  ['two errors, accepted', { tool: 'library.get', body: { ok: true } }, 'library.kind-missing-refused'],
  ['text after a day', asking({ day: '2027-01-05T09:00' }), 'content-requests.day-anchored-refused'],
  ['another day', asking({ day: 'today' }), 'content-requests.day-pattern-refused'],
  ['an unknown property', asking({ a: 1 }), 'content-requests.unknown-property-refused'],
  ['no count', { tool: 'images.generate', args: propose }, 'image-proposals.count-missing-refused'],
  ['no count with an ID', { tool: 'images.generate', args: { ...propose, confirmation_id: 'c' } }, undefined],
])('%s', (_, asked, expected) => {
  const [id] = exchangesOf([asked])
    .filter(isCompleted)
    .map((exchange) => predict(exchange)?.id);
  expect(id).toBe(expected);
});
