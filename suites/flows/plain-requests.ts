import { isRefusal } from '../history/exchange.ts';
import { noCredential } from '../session/credentials.ts';
import { flow } from './flow.ts';
import { propose, proposing } from './images.ts';
import { neverIssued, resemblingId } from './made-up-ids.ts';
import { readAll } from './read-all.ts';
import { witnessesOf } from './row-witnesses.ts';
import type { Steps } from './steps.ts';

/** A name that is no tool, and is not likely to become one. */
export const unknownName = (t: Steps) => `tck.${t.text('unknown tool')}`;

/** Results and refusals of every reading tool. */
export const plainRequests = flow(
  'plain requests',
  {
    lane: 'reading',
    witnesses: [
      'envelopes.json-200',
      'envelopes.ok-boolean',
      'envelopes.outcome-is-200',
      'envelopes.described-status',
      'envelopes.no-server-error',
      'envelopes.refusal-code',
      'envelopes.refusal-message',
      'envelopes.refusal-issues',
      ...witnessesOf(200),
      'headers.tool-error-on-invalid-arguments',
      'headers.tool-error-on-success',
      'headers.tool-error-on-other-refusals',
    ],
  },
  async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    await t.send('name an empty workspace', { tool: 'schedule.read', args: { workspace: '' } });
    const item = readings.find(({ asked }) => asked.tool === 'library.get')?.asked.args;
    const what = 'a library item';
    if (item === undefined) return t.cannot('the library shows no item', { kind: 'data', what });
    const { kind, id } = item;
    const unknown = resemblingId(String(id), t.text(`unknown item like ${id}`, 16));
    const args = t.here({ kind, id: unknown });
    const reply = await t.send('fetch an unknown item', { tool: 'library.get', args, invented: ['id'] });
    if (!isRefusal(reply)) t.cannot('an unknown item was not refused');
  },
);

/** A credential, a body and a name that are refused before any tool runs. */
export const boundaryErrors = flow(
  'boundary errors',
  {
    lane: 'reading',
    witnesses: [
      'envelopes.json-4xx',
      'envelopes.boundary-error',
      'envelopes.boundary-no-other-keys',
      'envelopes.retry-after-seconds-only-on-429',
      ...witnessesOf(400, 401, 404),
    ],
  },
  async (t) => {
    await t.send('send no credential', { tool: 'schedule.read', args: {}, as: noCredential });
    await t.send('send what is not JSON', { tool: 'schedule.read', body: '{"workspace": ' });
    await t.send('name a tool that does not exist', { tool: unknownName(t), args: {}, invented: ['tool'] });
  },
);

export const ambiguousRequest = flow(
  'an ambiguous request',
  {
    lane: 'reading',
    needs: { roles: ['ambiguous'] },
    witnesses: ['envelopes.refusal-workspaces', 'headers.tool-error-on-ambiguous'],
  },
  async (t) => {
    await t.send('name no workspace', { tool: 'schedule.read', args: {}, as: 'ambiguous' });
  },
);

/** Refusals by images.generate itself. */
export const imageRefusals = flow(
  'refusals by images.generate',
  {
    lane: 'images',
    needs: { effects: ['proposals'], settings: ['board'] },
    uses: ['proposal'],
    witnesses: ['headers.tool-error-on-confirmation-invalid', 'headers.tool-error-on-board-not-found'],
  },
  async (t) => {
    const proposal = await propose(t, 'propose');
    await t.send('present an id that was never issued', neverIssued(t, proposal));
    await propose(t, 'propose the same again', proposal.args);
    const board = resemblingId(String(proposal.args.board), t.text('unknown board', 16));
    await t.send('propose for a board that does not exist', { ...proposing(t, { board }), invented: ['board'] });
  },
);
