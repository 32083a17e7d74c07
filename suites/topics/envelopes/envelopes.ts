import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { isRefusal } from '../../exchange/exchange.ts';
import { errors, outcomes } from '../../model/rows/envelopes.ts';
import { noCredential } from '../../session/credentials.ts';
import { witnessesOf, witnessesOfServiceRules } from '../declared/row-witnesses.ts';
import { readAll } from '../requests/library.ts';
import { neverIssued, propose, proposing, resemblingId } from '../requests/proposals.ts';
import { story, toPropose } from '../story.ts';

export const plainRequests = story('plain requests', {
  steps: async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    await t.send('request an empty workspace', { tool: 'schedule.read', args: { workspace: '' } });
    const item = readings.find(({ asked }) => asked.tool === 'library.get')?.asked.args;
    const what = 'a library item';
    if (item === undefined) return t.cannot('the library shows no item', { kind: 'data', what });
    const { kind, id } = item;
    const unknown = resemblingId(String(id), t.text(`unknown item like ${id}`, 16));
    const args = t.here({ kind, id: unknown });
    const reply = await t.send('fetch an unknown item', { tool: 'library.get', args, invented: ['id'] });
    if (!isRefusal(reply)) t.cannot('an unknown item was not refused');
  },
  alsoTests: [
    ...outcomes.map(({ id }) => id),
    ...witnessesOf(200),
    ...witnessesOfServiceRules(...toolsWithoutSideEffects),
    'headers.tool-error-on-invalid-arguments',
    'headers.tool-error-on-success',
    'headers.tool-error-on-other-refusals',
  ],
});

export const boundaryErrors = story('error responses', {
  steps: async (t) => {
    await t.send('send no credential', { tool: 'schedule.read', args: {}, as: noCredential });
    await t.send('send a body that is not JSON', { tool: 'schedule.read', body: '{"workspace": ' });
    await t.send('call a tool that does not exist', { tool: t.unknownTool(), args: {}, invented: ['tool'] });
  },
  alsoTests: [...errors.map(({ id }) => id), ...witnessesOf(400, 401, 404)],
});

export const ambiguousRequest = story('an ambiguous request', {
  needs: { roles: ['ambiguous'] },
  steps: async (t) => {
    await t.send('omit the workspace', { tool: 'schedule.read', args: {}, as: 'ambiguous' });
  },
  alsoTests: ['envelopes.refusal-workspaces', 'headers.tool-error-on-ambiguous'],
});

export const imageRefusals = story('refusals by images.generate', {
  needs: toPropose,
  steps: async (t) => {
    const proposal = await propose(t, 'propose');
    await t.send('present an ID that was never issued', neverIssued(t, proposal));
    await propose(t, 'propose the same request again', proposal.args);
    const board = resemblingId(String(proposal.args.board), t.text('unknown board', 16));
    await t.send('propose for a board that does not exist', { ...proposing(t, { board }), invented: ['board'] });
  },
  alsoTests: ['headers.tool-error-on-confirmation-invalid', 'headers.tool-error-on-board-not-found'],
});
