import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { RequirementId, Severity } from '../../fixtures/requirements/model.ts';
import { type JsonRecord, member, membersOf, parsed } from '../json.ts';
import type { ReportedExchange, ReportedFinding, RequirementResult, RunResult, Status } from '../result.ts';
import { catalogueRank, severityRank } from './order.ts';
import { partition } from './partition.ts';
import { type Symptom, symptomOf } from './symptom.ts';
import { titleOf } from './title.ts';

/** One probable cause, with all findings that it explains. */
export interface Cause {
  /** Describes in one line what the server does. */
  title: string;
  /** Worst status of the requirements: `failed`, `errored` or `warned`. */
  status: Status;
  /** Severity of what happened, which may be lower than the severity of the requirements. */
  severity: Severity;
  /** The most elementary finding, which represents all findings. */
  finding: ReportedFinding;
  requirement: RequirementResult;
  /** All requirements that the cause violates; `requirement` comes first. */
  requirements: RequirementResult[];
  findings: ReportedFinding[];
  /** Number of occurrences. */
  times: number;
  /** Actual texts of the other occurrences, if they differ from the first. */
  alsoActual: string[];
  /**
   * IDs of the few exchanges that show the cause best: both exchanges of a comparison, otherwise one per actual text.
   */
  evidence: number[];
  /** IDs of all exchanges that show the cause. */
  exchanges: number[];
  /** Number of requirements that were not tested because a requirement of this cause failed. */
  blocks: number;
}

/** Returns the causes of all findings, the worst first. Known failures are left out. */
export function causesOf({ requirements, exchanges }: Pick<RunResult, 'requirements' | 'exchanges'>): Cause[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const symptoms = requirements
    .filter(({ status }) => shownStatuses.includes(status))
    .flatMap((requirement) => requirement.findings.map((finding) => symptomOf(requirement, finding, byId)));
  return partition(symptoms)
    .flatMap((group) => causeOf(group, requirements))
    .sort(worstFirst);
}

const shownStatuses: readonly Status[] = ['failed', 'errored', 'warned'];

const evidenceShown = 3;

/** Requirements on all responses. If a more specific requirement fails too, its finding says more. */
const general: readonly string[] = [
  'arguments.valid-never-refused',
  'arguments.anything-answered',
  'envelopes.described-status',
  'unknown-tools.uniform-body',
] satisfies RequirementId[];

function causeOf(group: readonly Symptom[], all: readonly RequirementResult[]): Cause[] {
  const symptoms = group.toSorted(mostElementaryFirst);
  const [first] = symptoms;
  if (first === undefined) return [];
  const { finding, requirement } = first;
  const requirements = [...new Set(symptoms.map((each) => each.requirement))];
  const findings = symptoms.map((each) => each.finding);
  const same = symptoms.filter(({ due }) => due === first.due);
  const examples = [...Map.groupBy(same, ({ came }) => came).values()].flatMap(([one]) => one?.finding ?? []);
  return [
    {
      title: titleOf(first, symptoms),
      status: shownStatuses.find((status) => requirements.some((each) => each.status === status)) ?? 'failed',
      severity: severityOf(symptoms),
      finding,
      requirement,
      requirements,
      findings,
      times: findings.reduce((sum, { times = 1 }) => sum + times, 0),
      alsoActual: [...examples.slice(1).map(({ actual }) => actual), ...(finding.alsoActual ?? [])],
      evidence: evidenceOf(finding, examples),
      exchanges: [...new Set(findings.flatMap((each) => each.exchanges))].sort((a, b) => a - b),
      blocks: blockedBy(requirements, all),
    },
  ];
}

/**
 * Puts violations of the form of responses first, because they explain other findings. Otherwise follows the order of
 * the specification. The findings of one requirement start with a usual and frequent one.
 */
function mostElementaryFirst(a: Symptom, b: Symptom): number {
  const ofForm = ({ forms, requirement }: Symptom) => Number(!forms.includes(requirement.id));
  const isGeneral = (symptom: Symptom) =>
    Number(general.includes(symptom.requirement.id) || isHeaderOfOtherWorkspace(symptom));
  return (
    statusRank(a.requirement.status) - statusRank(b.requirement.status) ||
    ofForm(a) - ofForm(b) ||
    isGeneral(a) - isGeneral(b) ||
    catalogueRank(a.requirement.id) - catalogueRank(b.requirement.id) ||
    isOdd(a) - isOdd(b) ||
    (b.finding.times ?? 1) - (a.finding.times ?? 1)
  );
}

/** Whether the header is right for the refusal, because the request ran in a workspace that it did not name. */
function isHeaderOfOtherWorkspace({ requirement, exchanges }: Symptom): boolean {
  const code = member(parsed(exchanges.at(-1)?.response?.body ?? ''), 'code');
  return requirement.id === 'headers.tool-error-on-unreachable' && code === refusalCodes.boardNotFound;
}

/** Ranks an expected text with unusual characters after one that a reader understands at once. */
function isOdd({ finding }: Symptom): number {
  const allowed = member(finding.want, 'oneOf');
  const texts = Array.isArray(allowed) ? allowed.map(String) : [];
  return Number(texts.some((text) => /^$|[^\w\s,.:(){}-]|^tck-/.test(text)));
}

/** Returns all exchanges of a single finding, such as a proposal with the balances before and after. */
function evidenceOf(first: ReportedFinding, examples: readonly ReportedFinding[]): number[] {
  if (first.times === undefined || first.scenarios !== undefined) return first.exchanges.slice(0, evidenceShown);
  const shown = examples.flatMap(({ exchanges }) => exchanges.slice(0, isComparison(exchanges) ? 2 : 1));
  return [...new Set(shown)].slice(0, evidenceShown - 1);
}

/** Whether each occurrence has two exchanges: the reference, which recurs, and the one that differs. */
const isComparison = ([reference, ...others]: readonly number[]) =>
  others.length === 1 || (reference !== undefined && others.includes(reference));

function blockedBy(requirements: readonly RequirementResult[], all: readonly RequirementResult[]): number {
  return all.filter(({ precondition }) => requirements.some(({ id }) => id === precondition)).length;
}

function worstFirst(a: Cause, b: Cause): number {
  return (
    statusRank(a.status) - statusRank(b.status) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    severityRank(a.requirement.severity) - severityRank(b.requirement.severity) ||
    b.requirements.length - a.requirements.length ||
    catalogueRank(a.requirement.id) - catalogueRank(b.requirement.id)
  );
}

function statusRank(status: Status): number {
  return shownStatuses.indexOf(status);
}

/** Returns the worst consequence that the symptoms of one cause show. */
function severityOf(symptoms: readonly Symptom[]): Severity {
  const [worst = 'contract'] = symptoms.map(consequenceOf).sort((a, b) => severityRank(a) - severityRank(b));
  return worst;
}

/**
 * Returns the severity of the requirement if harm was done. A refusal with the wrong form loses no data, money or
 * access.
 */
function consequenceOf(symptom: Symptom): Severity {
  const { severity } = symptom.requirement;
  if (symptom.ofClient) return severity;
  return harmed[severity]?.(symptom) === false ? 'contract' : severity;
}

const harmed: Readonly<Partial<Record<Severity, (symptom: Symptom) => boolean>>> = {
  // A response of a tool means access. A request without access gets a 401 or a 403. A refusal with another code than
  // those of the tools is the wrong form of a 401 or a 403.
  security: ({ exchanges }) => exchanges.length === 0 || exchanges.some((exchange) => isServed(exchange)),
  'spends-money': ({ exchanges, finding }) =>
    exchanges.length === 0 ||
    exchanges.some(({ tool }) => tool === 'credits.balance') ||
    (exchanges.some((exchange) => resultOf(exchange).status === 'dispatched') && !hasOtherType(finding)),
  'data-isolation': ({ exchanges, finding }) =>
    exchanges.length === 0 || (exchanges.some((exchange) => resultOf(exchange).ok === true) && !isAboutForm(finding)),
};

/** Returns whether a finding is about the form of `workspace` or `working_in`, and does not say where a request ran. */
function isAboutForm({ at = '', got }: ReportedFinding): boolean {
  const saysWhere = at === 'body workspace' || at === 'body working_in.workspace';
  return at.startsWith('body work') && !(saysWhere && typeof got === 'string');
}

function isServed({ response }: ReportedExchange): boolean {
  if (response === null || response.status < 200 || response.status >= 300) return false;
  const { ok, code } = membersOf(response.body);
  return ok !== false || toolCodes.has(code);
}

const toolCodes: ReadonlySet<unknown> = new Set(Object.values(refusalCodes));

function resultOf({ response }: ReportedExchange): JsonRecord {
  return membersOf(response?.body);
}

/** Returns whether only the type differs, as in `"2"` for 2. The form is then wrong, but the effect is right. */
function hasOtherType({ want, got }: ReportedFinding): boolean {
  const allowed = member(want, 'oneOf');
  return Array.isArray(allowed) && allowed.some((value) => value !== got && String(value) === String(got));
}
