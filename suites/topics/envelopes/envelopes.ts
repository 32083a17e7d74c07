import { headerRows } from '../../../fixtures/mutations/headers.ts';
import { header } from '../../exchange/exchange.ts';
import { noCredential } from '../../session/credentials.ts';
import { readAll } from '../requests/library.ts';
import { keysInTurn, placed } from '../requests/mutations.ts';
import { story } from '../story.ts';

/** Headers and queries that change the format of responses in some frameworks. */
export const negotiated = story('headers that change the form of a response', {
  steps: async (t) => {
    const readings = await readAll(t, 'read', t.here());
    const balance = { tool: 'credits.balance', args: {} };
    await t.sendOnce('read the balance', balance);
    const plain = [...readings.map(({ asked }) => asked), balance];
    const first = t.turn('tools of negotiation');
    const keyOf = keysInTurn(t);
    const tagged = readings.find(({ exchange }) => header(exchange, 'etag') !== undefined);
    if (tagged !== undefined) {
      const etag = header(tagged.exchange, 'etag') ?? '';
      await t.send('read again with an ETag', { ...tagged.asked, headers: { 'if-none-match': etag } });
    }
    const asPage = { headers: { accept: 'text/html,application/xhtml+xml' } };
    await t.sendInParallel('send a request with an error, as browsers do', [
      { tool: t.unknownTool(), args: {}, invented: ['tool'], ...asPage },
      { tool: 'schedule.read', body: '{"workspace": ', ...asPage },
      { tool: 'schedule.read', args: {}, as: noCredential, ...asPage },
    ]);
    for (const [index, [row, { values, query, shownBy }]] of Object.entries(headerRows).entries()) {
      const { tool, args } = plain[(first + index) % plain.length] ?? balance;
      const chosen = { headers: values[first % values.length] ?? {} };
      const how = query === undefined ? chosen : { ...chosen, query };
      const as = tool === 'library.get' ? 'primary' : keyOf(index, shownBy ?? tool);
      await t.send(`send headers that some stacks obey: ${row}`, { ...placed(tool, args, as), ...how });
      if (shownBy !== undefined && shownBy !== tool) {
        await t.send(`send headers that some stacks obey: ${row}`, { ...balance, tool: shownBy, as, ...how });
      }
      // Error codes must not depend on the headers either. Tests every third one.
      if (index % 3 !== first % 3) continue;
      const refused = { tool: 'schedule.read', args: { workspace: '' }, as: keyOf(index) };
      await t.send(`send an invalid request with ${row}`, { ...refused, ...how });
    }
  },
  alsoTests: ['arguments.anything-answered', 'envelopes.json-200'],
});
