import { clientRules } from '../../fixtures/client-rules.ts';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { statuses } from '../../fixtures/contract/headers.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { isRecord, type JsonRecord, member, parsed } from '../json.ts';
import { type Broken, brokenField } from '../model/world/violations.ts';
import type { ReportedExchange, ReportedFinding, RequirementResult } from '../result.ts';

const described: readonly number[] = statuses;

/**
 * Returns the most elementary requirement on the form of responses that a response violates. The wrong form explains
 * all other failed expectations of this response.
 */
function violatedForm({ response }: ReportedExchange): RequirementId | undefined {
  if (response === null) return undefined;
  const { status } = response;
  if (status >= 500) return 'envelopes.no-server-error';
  const json = parsed(response.body);
  if (isRecord(json) && typeof json.ok === 'boolean') return status === 200 ? textOf(json) : 'envelopes.outcome-is-200';
  if (status >= 200 && status < 300) return isRecord(json) ? 'envelopes.ok-boolean' : 'envelopes.json-200';
  if (!described.includes(status)) return 'envelopes.described-status';
  return typeof member(json, 'error', 'code') === 'string' && typeof member(json, 'error', 'message') === 'string'
    ? undefined
    : 'envelopes.boundary-error';
}

/** Checks that a refusal has a code. */
function textOf({ ok, code }: { readonly ok?: unknown; readonly code?: unknown }): RequirementId | undefined {
  return ok === false && (typeof code !== 'string' || code === '') ? 'envelopes.refusal-code' : undefined;
}

/** Finding with the properties that decide whether another finding has the same cause. */
export type Symptom = ReturnType<typeof symptomOf>;

export function symptomOf(
  requirement: RequirementResult,
  finding: ReportedFinding,
  exchangesById: ReadonlyMap<number, ReportedExchange>,
) {
  const exchanges = finding.exchanges.flatMap((id) => exchangesById.get(id) ?? []);
  return {
    requirement,
    finding,
    /** True if the finding is about the client, not the server. */
    ofClient: Object.hasOwn(clientRules, requirement.id),
    exchanges,
    /** What the specification allows at the place of the finding, and what was there, with placeholders for values. */
    // Only words tell what several exchanges must show together, so each requirement is a case of its own.
    due: finding.want === undefined ? requirement.id : `${finding.at} ${alike(finding.want)}`,
    came: alike(finding.got),
    /** The outcome of the response, and the allowed one, if the response differs as a whole; otherwise empty. */
    wanted: ofWholeResponse(finding, finding.want),
    outcome: ofWholeResponse(finding, finding.got),
    /** Name of the header that differs. */
    header: placeIn('header', finding),
    /** Path of the member that differs. */
    path: placeIn('body', finding),
    /** Member of the body that tells causes apart; undefined if a header or the whole response differs. */
    member: memberOf(finding),
    tools: [...new Set(exchanges.map(({ tool }) => tool ?? 'another path'))],
    /** The only field that violates the published schema, and how; undefined if no field or several fields do. */
    invalid: invalidField(exchanges.at(-1)),
    /** What made a server fail, such as `a long text`; empty for an ordinary request. */
    oddity: String(member(finding.got, 'for') ?? ''),
    /** Requirements on the form of responses that these responses violate. */
    forms: [...new Set<string>(exchanges.flatMap((exchange) => violatedForm(exchange) ?? []))],
  };
}

/** Members of outcomes whose values tell causes apart. */
const telling: readonly string[] = ['status', 'code', 'error', 'schema', 'type', 'sameFor', 'for'];

/** Describes data with placeholders for values, which differ between requests. */
function alike(data: unknown): string {
  return JSON.stringify([data], (name, value) => {
    // Only `images.generate` has several results, and `memberOf` knows them.
    if (name === 'result') return undefined;
    // The first of several allowed codes is the usual one. The others are for special cases of the same violation.
    if (name === 'error' && Array.isArray(value)) return value[0];
    if (telling.includes(name) || (typeof value !== 'string' && typeof value !== 'number')) return value;
    return `<${typeof value}>`;
  });
}

const ofWholeResponse = ({ at }: ReportedFinding, data: unknown): JsonRecord =>
  at === 'response' && isRecord(data) ? data : {};

/** Returns the name of the header, or the path of the member, that differs. */
function placeIn(kind: 'header' | 'body', { at }: ReportedFinding): string | undefined {
  return at?.startsWith(`${kind} `) ? at.slice(kind.length + 1) : undefined;
}

function invalidField(exchange: ReportedExchange | undefined): Broken | undefined {
  const args = parsed(exchange?.request.body);
  return exchange && isRecord(args) ? brokenField({ request: { tool: exchange.tool, args } }) : undefined;
}

/** Refusals that depend on other arguments than `workspace`. All others may come from looking in another workspace. */
const ofArguments: readonly unknown[] = [
  refusalCodes.invalidArguments,
  refusalCodes.confirmationInvalid,
  refusalCodes.workspaceAmbiguous,
];

const statusesOfImages: readonly unknown[] = ['dispatched', 'confirmation_required'];

/** Members that say in which workspace a request ran. */
const ofPlace: readonly string[] = ['workspace', 'working_in.workspace', 'working_in.source'];

function memberOf(finding: ReportedFinding): string | undefined {
  const path = placeIn('body', finding);
  // An error code decides about the response as a whole.
  if (path !== undefined && path !== 'error.code') {
    const [name] = path.split(/[.[]/);
    if (name === 'working_in' && finding.got === undefined) return name;
    return ofPlace.includes(path) ? 'workspace' : name;
  }
  const [wanted, outcome] = [ofWholeResponse(finding, finding.want), ofWholeResponse(finding, finding.got)];
  // The server chose a workspace although it cannot resolve one.
  if (wanted.code === refusalCodes.workspaceAmbiguous && outcome.ok === true) return 'workspace';
  // The server looked in another workspace, or it does not let the key into one that the key reaches.
  const isDue = wanted.ok !== false && (wanted.status === undefined || wanted.status === 200);
  if (outcome.ok === false && !ofArguments.includes(outcome.code) && isDue) return 'workspace';
  if (typeof outcome.result === 'string' && !statusesOfImages.includes(outcome.result)) return 'status';
  return undefined;
}
