import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import type { JournalEvent } from '../stub/journal/event.ts';
import { createDispatcher } from '../stub/transports/dispatcher.ts';
import { audit } from '../suites/engine/audit.ts';
import { clientResult } from '../suites/recorded/client-result.ts';
import type { RunEvent, RunResult } from '../suites/result.ts';
import { accepting, echoing, places } from '../test/echo.ts';
import { type Form, forms } from '../test/forms.ts';
import { leaksOf } from '../test/leaks.ts';
import { textsIn } from '../test/output.ts';
import { Sink } from '../test/reports/sink.ts';
import { inProcess } from '../test/stub-target.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { githubAnnotations } from './github.ts';
import { reportOf } from './report.ts';
import { createProgress } from './terminal/progress.ts';
import { renderSummary } from './terminal/summary.ts';
import { writeReports } from './write.ts';

const folder = temporaryFolder();
const look = { width: 100, color: false };

/** All outputs for a result, by name. */
async function outputs(result: RunResult): Promise<Record<string, string>> {
  const out = await mkdtemp(join(folder, 'out-'));
  await writeReports(reportOf(result), out);
  const printed = renderSummary(reportOf(result), { ...look, reportDir: 'out', written: true });
  const annotations = githubAnnotations(reportOf(result));
  return { ...(await textsIn(out)), printed, annotations, result: JSON.stringify(result) };
}

const anyKey = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 12,
  maxLength: 48,
});
const anyForm = fc.constantFrom(...forms);

test('nothing that leaves the kit holds a key that a server repeats, in any encoding and place', {
  timeout: 120_000,
}, async () => {
  const echo = async (key: string, text: string) => {
    const stub = createStub();
    const target = inProcess(stub);
    const { primary } = target.keys;
    if (primary === undefined) throw new Error('the stub has no key');
    const own = { ...target, keys: { ...target.keys, primary: { ...primary, key } }, secrets: [key] };
    const dispatcher = createDispatcher(echoing(accepting(stub.handle, key, primary.key), () => text));
    const events: RunEvent[] = [];
    const sink = new Sink();
    const progress = createProgress(sink, { ...look, isTTY: false });
    const onEvent = (event: RunEvent) => {
      events.push(event);
      progress.onEvent(event);
    };
    const only = ['library', 'credits', 'envelopes', 'race'];
    const result = await audit({ ...own, dispatcher }, { seed: 1, only, onEvent });
    expect(result.summary.requests).toBeGreaterThan(2 * Object.keys(places).length);
    return { ...(await outputs(result)), events: JSON.stringify(events), progress: sink.text };
  };
  await fc.assert(
    fc.asyncProperty(anyKey, anyForm, async (key, { of }) => {
      expect(leaksOf(key)(await echo(key, of(key)))).toEqual([]);
    }),
    { seed: 1, numRuns: 12 },
  );
});

test('a key that a client sends, in any form and place, is in no journal and no report about the client', async () => {
  const sent = ({ of }: Form) => {
    const stub = createStub();
    const key = stub.keys.primary;
    const text = of(key);
    const told: JournalEvent[] = [];
    stub.watch((event) => told.push(event));
    const bodies = [JSON.stringify({ query: text, [text]: text }), `{"query":"${text}"}`, text];
    for (const body of bodies) {
      const headers = { authorization: `Bearer ${key}`, 'x-echo': `a ${text}`, [`x-${text}`]: text, cookie: text };
      const path = `/api/v1/tools/library.search?q=${text}&${text}=1#${text}`;
      stub.handle({ method: 'POST', path, headers, body: Buffer.from(body) });
    }
    stub.handle({ method: 'POST', path: `/api/v1/tools/${text}`, headers: { authorization: text }, body: null });
    stub.person.picks(text);
    const effects = { images: 0, contentRequests: 0 };
    const run = { client: 'node client.mjs', seed: 1, startedAt: new Date(0), durationMs: 1, interrupted: false };
    const result = clientResult([{ name: 'plain', what: 'runs', history: stub.history(), effects }], run);
    return { key, texts: { journal: JSON.stringify(stub.journal()), told: JSON.stringify(told) }, result };
  };
  await fc.assert(
    fc.asyncProperty(anyForm, async (form) => {
      const { key, texts, result } = sent(form);
      expect(leaksOf(key)({ ...texts, ...(await outputs(result)) })).toEqual([]);
    }),
    { seed: 1, numRuns: 12 },
  );
});
