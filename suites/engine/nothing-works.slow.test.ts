import { expect, test } from 'vitest';
import { headers } from '../../fixtures/contract/headers.ts';
import { topics } from '../../fixtures/requirements/model.ts';
import { createStub } from '../../stub/index.ts';
import type { Call, Steps } from '../../stub/server/behavior.ts';
import { refusal, success } from '../../stub/server/responses.ts';
import { type Calls, calls, instead } from '../../stub/variants/changes/steps.ts';
import type { Deviation } from '../../stub/variants/defect.ts';
import { idsWith } from '../../test/output.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { Verdict } from '../result.ts';
import { audit } from './audit.ts';

// A rule that passes against a server that does almost nothing has tested nothing. The exceptions are listed here with
// the reason why they may pass.

/** Requirements that apply before a tool runs, or to every response of a tool. */
const boundary = [
  /^envelopes\./,
  new RegExp(`^headers\\.(${headers.flatMap(({ slug = [] }) => slug).join('|')})-on-\\d`),
  /^authentication\.(.*-like-absent|uniform-across-tools|code)$/,
  /^surface\./,
  /^unknown-tools\.((uniform|name-not)-.*|code)$/,
];
/** Any refusal with another code tests this requirement. */
const declined = [/^headers\.tool-error-on-other-refusals$/];
const unfit = [/^arguments\.issues-listed$/, /^headers\.tool-error-on-invalid-arguments$/];
const ambiguous = [/^workspaces\.ambiguous-lists-choices$/];
/** The server reports both invalid arguments before the tool declines. */
const unfitFirst = [...unfit, /^arguments\.all-fields-named$/];
/** Requirements that need only a successful response. */
const answering = [
  /\.(answers|search-answers|created)$/,
  /^content-requests\.title-(shortest|longest)$/,
  /^credits\.needs-no-workspace$/,
];
/** The control of this requirement is a proposal, which this server accepts. */
const neverIssued = [/^confirmations\.never-issued-invalid$/];

interface World {
  deviation: Deviation;
  mayPass: readonly RegExp[];
  /** Default: `non-conformant`. */
  verdict?: Verdict;
  /** Topics to check. Default: all. */
  topics?: readonly string[];
}

const always = () => true;
const confirming = ({ body }: Call) => typeof body.confirmation_id === 'string';

function declining(step: keyof Steps, when: Calls, code: string, more: object = {}): Deviation {
  return instead(step, when, () => refusal('tool', { code, message: 'Not now.', ...more }));
}

const worlds: Readonly<Record<string, World>> = {
  'every call is declined with a code of its own': {
    deviation: declining('readBody', always, 'maintenance'),
    mayPass: [...boundary, ...declined],
  },
  'every tool declines': {
    deviation: declining('runTool', always, 'maintenance'),
    mayPass: [
      ...boundary,
      ...declined,
      ...unfitFirst,
      ...ambiguous,
      /^headers\.tool-error-on-(ambiguous|unreachable)$/,
    ],
  },
  'every call is unfit': {
    deviation: declining('checkArguments', always, 'invalid_arguments', { issues: [{ path: 'all', message: 'bad' }] }),
    mayPass: [...boundary, ...unfit],
  },
  'every call is ambiguous': {
    deviation: declining('checkArguments', always, 'workspace_ambiguous', { workspaces: ['a', 'b'] }),
    mayPass: [...boundary, ...ambiguous],
  },
  'every call is well and says nothing': {
    deviation: instead('checkArguments', always, () => success({ ok: true })),
    mayPass: answering,
    topics: topics.slice(topics.indexOf('workspaces'), topics.indexOf('rate-limit')),
  },
  'whatever changes something is declined': {
    deviation: declining('runTool', calls('content.create_request', 'images.generate'), 'maintenance'),
    // A server may decline requests by its own rules.
    verdict: 'partial',
    mayPass: [],
    topics: ['content-requests', 'image-proposals', 'confirmations', 'expiry', 'race'],
  },
  'every confirmation is invalid': {
    deviation: declining('runTool', confirming, 'confirmation_invalid'),
    mayPass: neverIssued,
    topics: ['confirmations', 'expiry', 'race'],
  },
};

test.concurrent.each(Object.entries(worlds))(
  '%s',
  async (_, { deviation, mayPass, topics: only, verdict = 'non-conformant' }) => {
    const stub = createStub({ seed: 1, deviation });
    const target = inProcess(stub, { shape: stub.shape });
    const result = await audit(target, { seed: 1, observe: false });
    expect(result.verdict).toBe(verdict);
    const requirements = result.requirements.filter(({ topic }) => only === undefined || only.includes(topic));
    const passed = idsWith({ requirements }, 'passed');
    expect(passed.filter((id) => !mayPass.some((pattern) => pattern.test(id)))).toEqual([]);
    for (const pattern of mayPass) expect(passed.join('\n')).toMatch(new RegExp(pattern, 'm'));
  },
);
