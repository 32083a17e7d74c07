import { expect, test } from 'vitest';
import { requirements } from '../suites/requirements.ts';
import { tck } from '../test/tck.ts';
import { type Explained, explainedOf } from './explained.ts';

async function explained(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await tck(['explain', ...args]);
  expect(code, stderr).toBe(0);
  return stdout;
}

test('a requirement is explained with a violation, and with what conforms instead', async () => {
  const text = await explained('workspaces.ambiguous-schedule-read');
  expect(text).toMatch(/^workspaces\.ambiguous-schedule-read {2}must, /);
  expect(text).toMatch(/needs +a key for the role 'ambiguous'/);
  expect(text).toMatch(/request +#\d POST \/api\/v1\/tools\/schedule\.read as ambiguous/);
  expect(text).toMatch(/A conforming response\n/);
  expect(text).toMatch(/A violation by another response to the same request\n +response +200/);
  expect(text).toContain('workspace_ambiguous');
});

test('bodies are shown in full, with the files of the stories and when a finding counts', async () => {
  const text = await explained('confirmations.used-invalid');
  expect(text).not.toContain('characters in total');
  expect(text).toMatch(/ {10,}"confirmation_id": "cnf_\w+"\n/);
  expect(text).toMatch(/stories +used IDs \(suites\/topics\/confirmations\/used-id\.ts\)\n/);
  expect(text).toMatch(/counts +once its control has succeeded\n/);
});

test('--json prints all that is known about a requirement', async () => {
  const about: Explained = JSON.parse(await explained('confirmations.used-invalid', '--json'));
  expect(about).toEqual(JSON.parse(JSON.stringify(await explainedOf('confirmations.used-invalid'))));
});

test.each([
  ['race.one-dispatch', /did you mean 'race\.one-dispatches'/],
  ['confirmations.used', /did you mean 'confirmations\.used[^']*' or '/],
])('%s, which is no ID, is told what is near', async (id, message) => {
  expect(await tck(['explain', id])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
});

test('a rule for clients is explained without a violation', async () => {
  const text = await explained('client-outcomes.ok-decides');
  expect(text).toMatch(/^client-outcomes\.ok-decides {2}must, .*\n {2}A client MUST branch on ok .*\n\n {2}source {6}/);
});

/** Requirements that no single response violates: only several exchanges together, or repetitions. */
const ofSeveral: readonly string[] = [
  'content-requests.spends-nothing',
  'image-proposals.spends-nothing',
  'library.kind-decides',
  'library.items-stay-in-account',
  'library.items-stay-in-workspace',
  'credits.one-balance',
  'credits.reading-costs-nothing',
  'credits.reads-cost-nothing',
  'credits.other-account-unchanged',
  'confirmations.changed-brief',
  'confirmations.charged-as-proposed',
  'confirmations.others-leave-open',
  'confirmations.unnamed-workspace',
  'confirmations.refusals-leave-open',
  'confirmations.refused-costs-nothing',
  'confirmations.charges-add-up',
  'rate-limit.spans-tools',
];

test.each(requirements)('$id has a conforming response, and a violation', async ({ id }) => {
  const { violation, conforming, stories, file } = await explainedOf(id);
  expect(file).toMatch(/^suites\/(topics|model\/rows)\/.*\.ts$/);
  expect(stories.length).toBeGreaterThan(0);
  for (const story of stories) expect(story.file).toMatch(/^suites\/topics\/.*\.ts$/);
  expect(conforming?.request.method).toBeDefined();
  if (!ofSeveral.includes(id)) expect(violation).toBeDefined();
  expect(violation?.finding.expected).not.toBe(violation?.finding.actual ?? '');
});
