import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import schema from '../../fixtures/report.schema.json' with { type: 'json' };
import { createStub } from '../../stub/index.ts';
import type { RunResult } from '../result.ts';
import { defaultPace, type Pace } from '../target.ts';
import { type Nonsense, nonsenses, oddities } from '../testing/nonsense.ts';
import { listenNonsense, type When } from '../testing/nonsense-server.ts';
import { overHttp } from '../testing/stub-target.ts';
import { audit } from './audit.ts';

const isReport = new Ajv2020().compile(schema);

/** Enough topics for every kind of call and scene; each run of all of them would show the same and take thrice as long. */
const only = [
  'envelopes',
  'headers.beta-on-200',
  'library',
  'image-proposals',
  'confirmations',
  'race',
  'unknown-tools',
];

/** Short where a call waits in vain, and generous elsewhere, since a machine may be busy. */
const hasty: Pace = { ...defaultPace, timeoutSeconds: 0.4 };
const inVain: readonly string[] = ['nothing, ever', 'a body byte by byte', 'too long a length'];

async function runAgainst(nonsense: Nonsense, when: When, pace: Pace): Promise<{ result: RunResult; spoilt: number }> {
  const stub = createStub();
  await using server = await listenNonsense(stub, nonsense, when);
  const result = await audit(overHttp(stub, server.baseUrl, { pace, shape: stub.shape }), { seed: 1, only });
  expect(isReport(JSON.parse(JSON.stringify(result))), JSON.stringify(isReport.errors)).toBe(true);
  for (const key of Object.values(stub.keys)) expect(JSON.stringify(result)).not.toContain(key);
  return { result, spoilt: server.spoilt() };
}

/** Whatever could not be judged for what came shows the exchange; no check breaks. */
function expectEvidence({ requirements, exchanges }: RunResult): void {
  const known = new Set(exchanges.map(({ id }) => id));
  for (const { status, reason, exchanges: shown = [] } of requirements.filter((each) => each.status === 'errored')) {
    expect({ status, reason, shown: shown.length > 0 }).toEqual({ status, reason, shown: true });
    expect(reason).not.toContain('itself broke');
    expect(shown.every((id) => known.has(id))).toBe(true);
  }
}

const tools = ['images.generate', 'library.search'];

const cases = Object.entries(nonsenses).flatMap(([name, nonsense], index) => {
  const spoiltTool = tools[index % tools.length] ?? '';
  const whens: Readonly<Record<string, When>> = {
    'every call': () => true,
    'every fifth call': (_, nth) => nth % 5 === 0,
    [spoiltTool]: (tool) => tool === spoiltTool,
  };
  return Object.entries(whens).map(([which, when]) => [name, which, nonsense, when] as const);
});

test.concurrent.each(cases)(
  '%s, in answer to %s, ends in findings or errors',
  async (name, _which, nonsense, when) => {
    const pace = inVain.includes(name) ? hasty : defaultPace;
    const { result, spoilt } = await runAgainst(nonsense, when, pace);
    expect(spoilt).toBeGreaterThan(0);
    expect(result.verdict).not.toBe('conformant');
    expect(result.reasons[0]).not.toBe('');
    expectEvidence(result);
    if (result.summary.errored === 0 && result.summary.failed === 0) {
      expect(result.reasons[0]).toMatch(
        /^the target is unreachable: |^\d+ requirements? not tested, since a response was too large: /,
      );
    }
    // A run that waited out each call would take many times as long.
  },
  90_000,
);

test.concurrent.each(Object.entries(oddities))(
  '%s is no deviation',
  async (_name, oddity) => {
    const { result } = await runAgainst(oddity, (_tool, nth) => nth % 3 === 0, defaultPace);
    expect(result.requirements.filter(({ status }) => status === 'failed' || status === 'errored')).toEqual([]);
    expect(result.verdict).toBe('conformant');
  },
  90_000,
);
