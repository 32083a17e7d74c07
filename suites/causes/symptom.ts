import { clientRules } from '../../fixtures/client-rules.ts';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { isRecord, parsed } from '../json.ts';
import type { ReportedExchange, ReportedFinding, RequirementResult } from '../result.ts';
import { type Broken, brokenFields } from '../situations/violations.ts';
import { violatedForm } from './form.ts';
import { withoutTool } from './likeness.ts';

/** Finding with the properties that decide whether another finding has the same cause. */
export interface Symptom {
  readonly requirement: RequirementResult;
  readonly finding: ReportedFinding;
  /** True if the finding is about the client, not the server. */
  readonly ofClient: boolean;
  readonly exchanges: readonly ReportedExchange[];
  /** Texts of the finding, with placeholders for values, roles and tools. */
  readonly expected: string;
  readonly actual: string;
  readonly hint: string;
  /** Name of the header that differs. */
  readonly header: string | undefined;
  /** Member of the body that differs; undefined if a header or the whole response differs. */
  readonly member: string | undefined;
  readonly tools: readonly string[];
  /** The only field that violates the published schema, and how; undefined if no field or several fields do. */
  readonly invalid: Broken | undefined;
  /** Requirements on the form of responses that these responses violate. */
  readonly forms: readonly string[];
}

export function symptomOf(
  requirement: RequirementResult,
  finding: ReportedFinding,
  exchangesById: ReadonlyMap<number, ReportedExchange>,
): Symptom {
  const exchanges = finding.exchanges.flatMap((id) => exchangesById.get(id) ?? []);
  return {
    requirement,
    finding,
    ofClient: Object.hasOwn(clientRules, requirement.id),
    exchanges,
    expected: alike(finding.expected),
    actual: alike(finding.actual),
    hint: withoutTool(finding.hint)
      .replace(/'[^']*'/g, '<role>')
      .replace(/^<tool>: /, ''),
    header: headerOf(finding),
    member: memberOf(finding),
    tools: [...new Set(exchanges.map(({ tool }) => tool ?? 'another path'))],
    invalid: invalidField(exchanges.at(-1)),
    forms: [...new Set(exchanges.map(violatedForm))].filter((form) => form !== undefined),
  };
}

/** Replaces values, tools and numbers with placeholders. Statuses and codes stay. */
function alike(text: string): string {
  return withoutTool(text)
    .replace(/(?<!code )"(?:[^"\\]|\\.)*"|'[^']*'/g, '<value>')
    .replace(/(?<!HTTP |\d)\d+/g, '<n>');
}

function invalidField(exchange: ReportedExchange | undefined): Broken | undefined {
  const args = parsed(exchange?.request.body);
  if (exchange === undefined || !isRecord(args)) return undefined;
  const [only, other] = brokenFields({ request: { tool: exchange.tool, args } });
  return other === undefined ? only : undefined;
}

function headerOf({ actual }: ReportedFinding): string | undefined {
  return (/^no header ([\w-]+)/.exec(actual) ?? /^(\w+(?:-\w+)+): /.exec(actual))?.[1]?.toLowerCase();
}

/** Matches all texts on the workspace in which a request ran. */
const place = /^(?:workspace|working_in\.(?:workspace|source)) /;

/** Refusals that depend on other arguments than `workspace`. All others may come from looking in another workspace. */
const ofArguments: readonly string[] = [
  refusalCodes.invalidArguments,
  refusalCodes.confirmationInvalid,
  refusalCodes.workspaceAmbiguous,
];

const statusesOfImages = /status "(?:dispatched|confirmation_required)"/;

function memberOf({ actual, expected }: ReportedFinding): string | undefined {
  if (/^working_in(?:\.\w+)? \(missing\)$/.test(actual)) return 'working_in';
  if (place.test(expected)) return 'workspace';
  // The server chose a workspace although it cannot resolve one.
  if (expected.endsWith(`code "${refusalCodes.workspaceAmbiguous}"`) && actual.startsWith('HTTP 200 with ok true'))
    return 'workspace';
  // The server looked in another workspace, or it does not let the key into one that the key reaches.
  const refusal = /^HTTP 200 with ok false, code "(.*)"$/.exec(actual)?.[1];
  if (refusal !== undefined && !ofArguments.includes(refusal) && !/ok false|^HTTP 4/.test(expected)) return 'workspace';
  if (/^HTTP 200 with ok true, status "/.test(actual) && !statusesOfImages.test(actual)) return 'status';
  if (expected.startsWith('an issue whose path')) return 'issues';
  const named =
    /^no (\w+) in (?:the body|(\w+))/.exec(actual) ??
    /^([a-z_]+)(?:\[\d*\]|\.\w+)* (?:\(missing\)|null|true|false|["[{\d-])/.exec(actual) ??
    /^([a-z_]+)(?:\[\]|\.\w+)* to (?:be|begin) /.exec(expected) ??
    /^(?:\d+ entries|each \w+) in (\w+)/.exec(expected);
  return named?.[2] ?? named?.[1];
}
