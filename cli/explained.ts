import { isDeepStrictEqual } from 'node:util';
import type { RequirementId } from '../fixtures/requirements/model.ts';
import { chainOf } from '../reports/chain.ts';
import type { Explained } from '../reports/explain.ts';
import { type CreateStubOptions, createStub, type Stub } from '../stub/index.ts';
import { type DefectId, defects } from '../stub/variants/defects/index.ts';
import { createRefusingStub } from '../stub/variants/refusing-stub.ts';
import { coverage } from '../suites/coverage.ts';
import { audit } from '../suites/engine/audit.ts';
import type { Exchange, Response } from '../suites/history/exchange.ts';
import type { History } from '../suites/history/history.ts';
import { listing } from '../suites/listing.ts';
import { requirements } from '../suites/requirements.ts';
import type { ReportedExchange } from '../suites/result.ts';
import { embeddedTarget } from '../suites/target/embedded.ts';
import { loadKnownTarget } from '../suites/target/load.ts';
import { serviceRefusals } from '../suites/topics/declared/row-witnesses.ts';

/** The clock of the stub moves only when a run advances it, so explanations never change. */
const startedAt = new Date('2030-01-07T10:00:00Z');
const clock = { now: () => startedAt.getTime() };

type CreateStub = (options: CreateStubOptions) => Stub;

/** Everything about one requirement, with exchanges of runs against the stub, with a defect and without. */
export async function explainedOf(id: RequirementId, signal?: AbortSignal): Promise<Explained> {
  const [listed] = listing(
    requirements.filter((each) => each.id === id),
    coverage,
  );
  if (listed === undefined) throw new RangeError(`there is no requirement ${id}`);
  // Defects that list the requirement first explain the requirement best.
  const breakers = Object.entries(defects)
    .filter(([, { breaks }]) => breaks.some((broken) => broken === id))
    .toSorted(([, a], [, b]) => Number(b.breaks[0] === id) - Number(a.breaks[0] === id));
  const mistakes = breakers.map(([defect, { what }]) => ({ defect, what }));
  const names = breakers.map(([name]) => name as DefectId);
  return { ...listed, mistakes, violation: await violationOf(id, names, signal) };
}

/** The first violation that one of these defects shows, and the response of the conforming stub to the same request. */
async function violationOf(
  id: RequirementId,
  names: readonly DefectId[],
  signal: AbortSignal | undefined,
): Promise<Explained['violation']> {
  // Some defects show only in a complete run.
  const attempts = [[id], undefined].flatMap((only) => names.map((defect) => ({ defect, only })));
  const refusal = serviceRefusals.get(id);
  const createConforming: CreateStub = (options) =>
    refusal === undefined ? createStub(options) : createRefusingStub(refusal, options);
  for (const { defect, only } of attempts) {
    const deviating = await run((options) => createStub({ ...options, defects: [defect] }), only, signal);
    const [finding] = deviating.result.requirements.find((each) => each.id === id)?.findings ?? [];
    if (finding === undefined) continue;
    const chain = chainOf(finding, deviating.result.exchanges.map(withoutDuration));
    // A finding can list further exchanges, but the chain leads to the first violation.
    const exchange = chain.findLast(({ part }) => part === 'shows')?.exchange;
    if (exchange === undefined) continue;
    const conforming = await run(createConforming, only, signal);
    const instead = responseTo(exchange, deviating.exchanges, conforming.exchanges);
    return { defect, what: defects[defect].what, finding, exchange, chain, instead };
  }
  return undefined;
}

/** Leaves only the time by which a run advanced the clock. */
const withoutDuration = (exchange: ReportedExchange): ReportedExchange => ({ ...exchange, atMs: 0, durationMs: 0 });

async function run(create: CreateStub, only: readonly string[] | undefined, signal: AbortSignal | undefined) {
  const stub = create({ clock });
  const { target } = await loadKnownTarget(embeddedTarget(stub), {}, { env: {}, cwd: '.' });
  let history: History | undefined;
  const onHistory = (made: History) => {
    history = made;
  };
  const shown = { ...target, baseUrl: 'https://api.example.test' };
  const options = { seed: 1, observe: false, startedAt, onHistory, ...(signal === undefined ? {} : { signal }) };
  const result = await audit(shown, { ...options, ...(only === undefined ? {} : { only }) });
  return { result, exchanges: history?.exchanges ?? [] };
}

/** The response to the same request in the other run. IDs differ, and requests can occur more than once. */
function responseTo(
  shown: ReportedExchange,
  deviating: readonly Exchange[],
  conforming: readonly Exchange[],
): Response | null {
  const alike = (each: Exchange) => isSameRequest(each, shown);
  const place = deviating.filter(alike).findIndex(({ response }) => response?.text === shown.response?.body);
  const found = conforming.filter(alike);
  const instead = (found[place] ?? found.at(-1))?.response ?? null;
  // An identical response shows nothing, because the ID had another state in the conforming run.
  return instead?.text === shown.response?.body && isDeepStrictEqual(instead?.headers, shown.response?.headers)
    ? null
    : instead;
}

function isSameRequest({ sender, request }: Exchange, { tool, credential, request: shown }: ReportedExchange): boolean {
  const withoutId = (text: string | null) => text?.replace(/"confirmation_id":"[^"]*"/, '') ?? null;
  return (
    sender.label === credential &&
    request.tool === tool &&
    request.method === shown.method &&
    withoutId(request.body) === withoutId(shown.body)
  );
}
