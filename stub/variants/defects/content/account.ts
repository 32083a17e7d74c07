import { type Change, changing, field, fields, list, result } from '../../changes/responses.ts';
import { around, calls, declining } from '../../changes/steps.ts';
import { defect } from '../defect.ts';

const connections = (...changes: readonly Change[]) => changing(result('connections.status'), ...changes);
const balance = (...changes: readonly Change[]) => changing(result('credits.balance'), ...changes);

/** Defects in connections and credits. */
export const accountDefects = {
  'connections-refused': defect('refuses connections.status while a connection needs attention')
    .breaks('connections.answers')
    .by(
      declining(
        'connections.status',
        ({ place }) => (place?.workspace.content.connections.needs_attention.length ?? 0) > 0,
      ),
    ),
  'connected-by-name': defect('sends the group connected as an object instead of an array')
    .breaks('connections.connected')
    .by(connections(list('connected', (group) => ({ ...group })))),
  'connected-left-out': defect('leaves out the group connected')
    .breaks('connections.connected')
    .by(connections(fields({ connected: undefined }))),
  'empty-group-left-out': defect('leaves out the group needs_attention')
    .breaks('connections.needs-attention')
    .by(connections(fields({ needs_attention: undefined }))),
  'needs-attention-in-camel-case': defect('sends the group needs_attention under the name needsAttention')
    .breaks('connections.needs-attention')
    .by(
      connections(({ body: { needs_attention, ...body }, ...response }) => ({
        ...response,
        body: { ...body, needsAttention: needs_attention },
      })),
    ),
  'available-counted': defect('sends the number of available providers instead of an array')
    .breaks('connections.available')
    .by(connections(list('available', (group) => group.length))),
  'available-null': defect('sends the group available as null')
    .breaks('connections.available')
    .by(connections(fields({ available: null }))),
  'balance-as-text': defect('sends the balance as a string')
    .breaks('credits.balance')
    .by(balance(field('balance', String))),
  'balance-null': defect('sends null as the balance if the key has no default workspace')
    .breaks('credits.balance')
    .by(balance(field('balance', (value, { key }) => (key?.storedDefault === null ? null : value)))),
  'balance-null-elsewhere': defect('sends null as the balance for every account except one')
    .breaks('credits.balance')
    .by(balance(field('balance', (value, { key }) => (key?.account === 'first' ? value : null)))),
  'balance-as-object': defect('sends the balance as an object with an amount and a unit')
    .breaks('credits.balance')
    .by(balance(field('balance', (amount) => ({ amount, unit: 'credits' })))),
  'balance-wants-a-workspace': defect('requires a workspace for credits.balance')
    .breaks('credits.needs-no-workspace')
    .by(
      around(
        'resolveWorkspace',
        (resolve) => (call) => resolve(calls('credits.balance')(call) ? { ...call, tool: 'schedule.read' } : call),
      ),
    ),
  'balance-of-the-key': defect('keeps a separate balance for each key')
    .breaks('credits.one-balance')
    .by(balance(field('balance', (value, { key }) => Number(value) + (key?.secret.charCodeAt(9) ?? 0)))),
  'balance-of-the-sole-workspace': defect('returns a balance of 0 for a key that reaches only one workspace')
    .breaks('credits.one-balance')
    .by(balance(field('balance', (value, { key }) => (key?.role === 'sole' ? 0 : value)))),
  'balance-remembered-by-key': defect('caches the first balance that each key reads, and never updates it')
    .breaks('credits.one-balance')
    .by((behavior) => {
      const first = new Map<unknown, unknown>();
      return balance(
        field('balance', (value, { key }) => {
          if (!first.has(key?.role)) first.set(key?.role, value);
          return first.get(key?.role);
        }),
      )(behavior);
    }),
  'balance-cached-by-key': defect('returns an outdated balance for some keys of an account')
    .breaks('credits.one-balance')
    .by(balance(field('balance', (value, { key }) => Number(value) + (key?.role === 'throttled' ? 4 : 0)))),
};
