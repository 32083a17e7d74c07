import type { Finding } from '../../suites/model/finding.ts';
import type { Judgement } from '../../suites/model/judge/judgement.ts';
import { placeInWords } from '../../suites/model/words.ts';
import { requirements as catalogue } from '../../suites/requirements.ts';
import type { ReportedExchange, ReportedFinding, RequirementResult } from '../../suites/result.ts';
import { anExchange, aRequirement } from '../reports/results.ts';

interface Part {
  readonly requirements: RequirementResult[];
  readonly exchanges: ReportedExchange[];
}

/** Returns the parts of a report from which causes follow, with the findings that a run would repeat. */
export function reportOf(judgements: readonly Judgement[]): Part {
  const exchanges = new Map<number, ReportedExchange>();
  const requirements = judgements.map(({ id, findings, unconfirmed }) => {
    for (const exchange of [...findings, ...unconfirmed].flatMap((finding) => finding.exchanges)) {
      const { number, request, response, sender } = exchange;
      const { method, url, body, tool } = request;
      const shown = anExchange(number, {
        tool,
        role: sender.role,
        credential: sender.label,
        request: { method, url, headers: [], body },
        response: response && { status: response.status, headers: [], body: response.text },
      });
      exchanges.set(number, shown);
    }
    const { level = 'must', severity = 'contract' } = catalogue.find((each) => each.id === id) ?? {};
    const reported = grouped([...findings, ...unconfirmed]);
    const status = reported.length === 0 ? 'passed' : level === 'must' ? 'failed' : 'warned';
    return aRequirement(id, { level, severity, status, findings: reported });
  });
  return { requirements, exchanges: [...exchanges.values()] };
}

function grouped(findings: readonly Finding[]): ReportedFinding[] {
  const groups = Map.groupBy(findings, ({ expected, actual, hint }) => JSON.stringify([expected, actual, hint]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { at, want, got, expected, actual, hint } = first;
    const exchanges = [first, ...others].flatMap((each) => each.exchanges.map(({ number }) => number)).slice(0, 4);
    const times = others.length === 0 ? {} : { times: others.length + 1 };
    return [{ at: placeInWords(at), want, got, expected, actual, hint, exchanges, ...times }];
  });
}
