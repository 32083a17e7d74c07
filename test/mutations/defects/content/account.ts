import {
  aroundTool,
  type Change,
  changing,
  field,
  fields,
  list,
  result,
} from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

const connections = (...changes: readonly Change[]) => changing(result('connections.status'), ...changes);
const balance = (...changes: readonly Change[]) => changing(result('credits.balance'), ...changes);

/** Defects in connections and credits. */
export const accountDefects = {
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
  'available-null': defect('sends the group available as null')
    .breaks('connections.available')
    .by(connections(fields({ available: null }))),
  'balance-of-the-key': defect('keeps a separate balance for each key')
    .breaks('credits.one-balance')
    .by(balance(field('balance', (value, { key }) => Number(value) + (key?.secret.charCodeAt(9) ?? 0)))),
  'balance-cached-by-key': defect('returns an outdated balance for some keys of an account')
    .breaks('credits.one-balance')
    .by(balance(field('balance', (value, { key }) => Number(value) + (key?.role === 'throttled' ? 4 : 0)))),
  'reading-charges': defect('charges one credit for each reading of the balance')
    .breaks('credits.reading-costs-nothing')
    .by(
      aroundTool('credits.balance', (read) => (call) => {
        call.account.credits -= 1;
        return read(call);
      }),
    ),
};
