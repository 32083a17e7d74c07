import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import schema from '../fixtures/report.schema.json' with { type: 'json' };
import type { RunResult } from '../suites/result.ts';
import { judged } from '../test/judged.ts';
import { reportForms } from '../test/report-forms.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
const client = (name: string) => [
  process.execPath,
  fileURLToPath(new URL(`../test/clients/${name}.mjs`, import.meta.url)),
];

/** Exchanges of a finding, in order. */
const shownBy = (result: RunResult, { exchanges }: { exchanges: readonly number[] }) =>
  exchanges.flatMap((id) => result.exchanges.find((exchange) => exchange.id === id) ?? []);

describe('three clients', () => {
  test('a good one is found good, and everything was tried', async () => {
    const { code, result, out, withStatus, stdout, stderr } = await judged(folder, client('good'));
    expect({ code, failed: withStatus('failed'), warned: withStatus('warned') }).toEqual({
      code: 0,
      failed: [],
      warned: [],
    });
    expect(result).toMatchObject({ verdict: 'conformant', complete: true, target: { kind: 'client' } });
    expect(stdout).toContain('Verdict: conformant\n');
    const { target, summary } = result;
    const { requests, imagesConfirmed } = summary;
    const did = `${target.scenarios?.length} scenarios, ${requests} requests, ${imagesConfirmed} images`;
    expect(stdout).toContain(`${did} dispatched, ${summary.contentRequestsCreated} content requests created in `);
    expect(summary.imagesConfirmed).toBeGreaterThan(5);
    const page = await readFile(join(out, 'report.html'), 'utf8');
    expect(page).toMatch(/images dispatched/);
    expect(page).not.toMatch(/Keys: none|images confirmed|Left behind|curl -sS/);
    expect(stderr).toContain('limited: the client gets a 429 for its first request');
    expect(stderr).not.toMatch(/^ /m);
    expect((await readdir(out)).toSorted()).toEqual(reportForms);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(result) || validate.errors).toBe(true);
  });

  test('a careless one is found out, with the calls that show it', async () => {
    const { code, out, result, withStatus, stdout } = await judged(folder, client('careless'), {
      scenario: ['unknown-fields,ambiguous,ambiguous-again,limited,refused,closed,gateway,lost-content.create_request'],
    });
    expect(code).toBe(1);
    expect(withStatus('failed')).toEqual([
      'client-confirmations.same-request',
      'client-keys.only-in-authorization',
      'client-limits.retry-after',
      'client-outcomes.ok-decides',
      'client-outcomes.unknown-fields',
      'client-requests.valid-arguments',
      'client-retries.only-what-may-help',
      'client-workspaces.chosen-by-a-person',
    ]);
    expect(withStatus('warned')).toEqual([
      'client-outcomes.no-crash',
      'client-outcomes.reason-shown',
      'client-requests.content-type',
      'client-retries.no-blind-repeat',
      'client-workspaces.choices-shown',
    ]);
    expect(stdout).toContain('The client violates the specification.');
    const findings = result.requirements.flatMap(({ id, findings: found }) =>
      found.map((finding) => ({ id, ...finding, shown: shownBy(result, finding) })),
    );
    expect(new Set(findings.map(({ id }) => id)).size).toBe(13);
    expect(findings).toHaveLength(13);
    const early = findings.find(({ id }) => id === 'client-limits.retry-after');
    expect(early?.alsoActual?.[0]).toMatch(/ after the 429$/);
    const files = ['report.html', 'summary.md', 'junit.xml', 'ctrf.json'];
    const texts = [stdout, ...(await Promise.all(files.map((name) => readFile(join(out, name), 'utf8'))))];
    for (const text of texts) {
      expect(text).toMatch(/seen in.{1,40}plain.{1,40}plain-again/s);
      expect(text).toMatch(/tck judge --scenario plain -- /);
      expect(text).not.toContain('curl -sS');
    }
    for (const { id, scenarios, reproduce, exchanges, shown } of findings) {
      expect(exchanges.length, id).toBeGreaterThan(0);
      expect(shown.map((exchange) => exchange.id).toSorted(), id).toEqual(exchanges.toSorted());
      const first = id === 'client-workspaces.chosen-by-a-person' ? 'ambiguous,ambiguous-again' : scenarios?.[0];
      expect(reproduce, id).toContain(`tck judge --scenario ${first} -- `);
      for (const { credential } of shown) expect(scenarios, id).toContain(credential.replace(/^.*, scenario: /, ''));
    }
    const [proposal, confirmation] = findings.find(({ id }) => id === 'client-confirmations.same-request')?.shown ?? [];
    expect(proposal?.response?.body).toContain('confirmation_required');
    expect(confirmation?.request.body).toContain('"count":2');
    expect(JSON.stringify(result)).not.toMatch(/cwk_/);
  });
});
