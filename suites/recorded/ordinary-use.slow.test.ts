import { expect, test } from 'vitest';
import { judgingProxy } from '../../test/attacks/proxied.ts';
import { type DefectId, defects } from '../../test/mutations/defects/index.ts';
import { ordinaryUse } from '../../test/ordinary-use.ts';
import { foundIn } from '../../test/recording.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { RunResult } from '../result.ts';

/**
 * A sample of the defects that this use shows, chosen by hand. No requirement is broken by two defects of a group, so
 * one recording shows which of them are found.
 */
const shown: readonly (readonly DefectId[])[] = [
  ['issue-at-the-root', 'argument-sticks', 'malformed-with-mcp-code', 'confirmation-invalid-as-400'],
  ['refusal-without-code', 'far-days-refused', 'dispatch-cancels-the-others', 'rate-limited-by-gateway'],
  ['argument-ignored-by-library-get', 'invalid-token-in-challenge', 'total-negative', 'ok-left-out-where-refused'],
  ['choices-as-objects', 'surface-after-arguments', 'unknown-tool-as-refusal', 'source-null-on-create'],
  ['status-workspace-null', 'account-suspended-over-cap', 'hits-in-a-list', 'issues-by-field'],
  ['days-backwards', 'unknown-item-as-404', 'images-always-refused', 'items-null'],
  ['tool-error-missing-on-used-id', 'balance-open-to-anybody', 'unknown-tool-named-in-404', 'large-array-as-413'],
  ['status-of-every-account', 'count-as-text', 'crash-on-long-title', 'days-empty'],
  ['retry-after-header-left-out', 'beta-header-missing-on-400', 'items-twice', 'dispatch-called-running'],
  ['title-over-limit-accepted', 'confirmation-good-twice'],
];

async function audited(...ids: readonly DefectId[]): Promise<string[]> {
  const { traffic, target } = await ordinaryUse(ids);
  return foundIn(traffic, { target, assumed: ['complete', 'clock'] });
}

/** Returns the findings if the traffic passes through a proxy. */
async function proxied(...ids: readonly DefectId[]): Promise<string[]> {
  let end: (() => Promise<RunResult>) | undefined;
  await ordinaryUse(ids, async (stub) => {
    const { baseUrl } = await stub.listen();
    const options = { target: inProcess(stub, { shape: '1:1' }), assumed: ['complete', 'clock'] as const };
    const proxy = await judgingProxy(baseUrl, { ...options, now: () => stub.now() });
    end = proxy.end;
    return `http://127.0.0.1:${proxy.port}`;
  });
  const { requirements = [] } = (await end?.()) ?? {};
  return requirements.filter(({ findings }) => findings.length > 0).map(({ id }) => id);
}

/** One defect of each kind of evidence: a response, several responses, the request, the place and the clock. */
const throughProxy: readonly DefectId[] = [
  'days-empty',
  'items-twice',
  'title-over-limit-accepted',
  'argument-ignored-by-library-get',
  'confirmation-good-twice',
];

const ways = [
  ['audit', audited],
  ['proxy', proxied],
] as const;

test.each(ways)('conforming traffic has no finding by %s', async (_, findingsOf) => {
  expect(await findingsOf()).toEqual([]);
});

/** Returns those of the defects that no requirement finds that they break. */
const missed = (ids: readonly DefectId[], findings: readonly string[]) =>
  ids.filter((id) => !defects[id].breaks.some((broken) => findings.includes(broken)));

const groups = shown.map((ids) => [ids.join(' + '), ids] as const);

test.each(groups)('tck audit finds %s by requirements that they break', async (_, ids) => {
  const broken: readonly string[] = ids.flatMap((id) => defects[id].breaks);
  expect(broken).toHaveLength(new Set(broken).size);
  expect(missed(ids, await audited(...ids))).toEqual([]);
});

test.each(throughProxy)('tck proxy finds %s by a requirement that it breaks', async (id) => {
  expect(missed([id], await proxied(id))).toEqual([]);
});
