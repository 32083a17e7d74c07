import { type RequirementId, requirements } from '../fixtures/requirements/index.ts';
import { type Explained, explainedText } from '../reports/explain.ts';
import { lookOf } from '../reports/terminal/look.ts';
import type { DefectId } from '../stub/variants/defects/index.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import type { History } from '../suites/history/history.ts';
import type { ReportedExchange } from '../suites/result.ts';
import { didYouMean } from '../suites/usage/nearest.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { required } from './command-line/declaration.ts';
import { json } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';

export const explain = command({
  name: 'explain',
  positionals: { id: required('Id of a requirement, as tck list and reports show it') },
  options: { json },
  examples: [['tck explain race.one-dispatches', 'Show what it needs, a violation of it and how to reproduce it']],

  /** Prints everything about one requirement, with a violation made by the embedded stub. */
  async run({ id, json }, around) {
    const requirement = requirements.find((each) => each.id === id);
    if (requirement === undefined) {
      const near = didYouMean(
        id,
        requirements.map((each) => each.id),
      );
      throw new UsageError(`there is no requirement '${id}'${near} (tck list shows all)`);
    }
    const explained = await explainedOf(requirement.id, around);
    const { stdout, env } = around;
    stdout.write(json ? `${JSON.stringify(explained, null, 2)}\n` : explainedText(explained, lookOf(stdout, env)));
    return exitCodes.ok;
  },
});

/** Runs the kit twice against the embedded stub: with a defect that breaks the requirement, and as it is. */
async function explainedOf(id: RequirementId, around: Surroundings): Promise<Explained> {
  const [{ listing }, { coverage }, { defects }] = await Promise.all([
    import('../suites/listing.ts'),
    import('../suites/coverage.ts'),
    import('../stub/variants/defects/index.ts'),
  ]);
  const [listed] = listing(
    requirements.filter((each) => each.id === id),
    coverage,
  );
  if (listed === undefined) throw new Error(`the catalogue has no ${id}`);
  // One that is about this requirement says more than one that breaks it among others.
  const breakers = Object.entries(defects)
    .filter(([, { breaks }]) => breaks.some((broken) => broken === id))
    .toSorted(([, a], [, b]) => Number(b.breaks[0] === id) - Number(a.breaks[0] === id));
  const names = breakers.map(([name]) => name as DefectId);
  const violation = await violationOf(id, names, around);
  return { ...listed, defects: names, violation };
}

/**
 * The first of these defects that shows the requirement broken, and what the stub answers to the same request without
 * it.
 */
async function violationOf(
  id: RequirementId,
  names: readonly DefectId[],
  around: Surroundings,
): Promise<Explained['violation']> {
  const { defects } = await import('../stub/variants/defects/index.ts');
  // Some show only in a run of everything.
  const attempts = [[id], undefined].flatMap((only) => names.map((defect) => ({ defect, only })));
  for (const { defect, only } of attempts) {
    const { result } = await tried([defect], only, around);
    const [finding] = result.requirements.find((each) => each.id === id)?.findings ?? [];
    const exchange = result.exchanges.find((each) => each.id === finding?.exchanges.at(-1));
    if (finding === undefined || exchange === undefined) continue;
    const { history } = await tried([], only, around);
    const instead = sameRequest(history, exchange)?.response ?? null;
    return { defect, what: defects[defect].what, finding, exchange, instead };
  }
  return undefined;
}

async function tried(chosen: readonly DefectId[], only: readonly string[] | undefined, around: Surroundings) {
  const [{ audit }, { combineDefects }, { createStub }, { embeddedTarget }, { loadKnownTarget }] = await Promise.all([
    import('../suites/engine/audit.ts'),
    import('../stub/variants/defects/index.ts'),
    import('../stub/index.ts'),
    import('../suites/target/embedded.ts'),
    import('../suites/target/load.ts'),
  ]);
  const stub = createStub(chosen.length === 0 ? {} : { deviation: combineDefects(chosen) });
  const { target } = await loadKnownTarget(embeddedTarget(stub), {}, around);
  let history: History | undefined;
  const onHistory = (made: History) => {
    history = made;
  };
  const shown = { ...target, baseUrl: 'https://api.example.test' };
  const result = await audit(shown, {
    ...(only === undefined ? {} : { only }),
    seed: 1,
    observe: false,
    signal: around.signal,
    onHistory,
  });
  return { result, history };
}

/** The same request in another run, whose ids differ. */
function sameRequest(history: History | undefined, { tool, credential, request }: ReportedExchange) {
  const bare = (text: string | null) =>
    text?.replace(/"confirmation_id":"[^"]*"/, '').replace(/\btck [a-z0-9]{8}\b/, '') ?? null;
  return history?.exchanges.find(
    (each) =>
      each.sender.label === credential &&
      each.request.tool === tool &&
      each.request.method === request.method &&
      bare(each.request.body) === bare(request.body),
  );
}
