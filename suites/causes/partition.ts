import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { member, parsed } from '../json.ts';
import type { Broken } from '../model/world/violations.ts';
import type { Symptom } from './symptom.ts';

/** Groups symptoms by cause: symptoms that are linked, directly or through others. */
export function partition(symptoms: readonly Symptom[]): Symptom[][] {
  const groups = new Groups(symptoms);
  groups.link(likenesses);
  // A server that converts values of one type does so for every field.
  groups.link(
    ({ invalid, due, outcome, exchanges }) =>
      invalid?.how === 'type' && outcome.ok !== undefined ? [`due ${due} for ${givenType(exchanges, invalid)}`] : [],
    (bucket) => new Set(bucket.map(({ invalid }) => invalid?.field)).size >= leastConverted,
  );
  for (const [least, ...ids] of brokenTogether) {
    groups.link(
      ({ requirement }) => (ids.some((id) => id === requirement.id) ? ['broken together'] : []),
      (bucket) => new Set(bucket.map(({ requirement }) => requirement.id)).size >= least,
    );
  }
  // A response with an invalid form explains every other failed expectation of it.
  const explaining = new Set(symptoms.map(({ requirement }) => requirement.id));
  groups.link(
    (symptom) => {
      const forms = symptom.header === undefined ? symptom.forms.filter((form) => explaining.has(form)) : [];
      return symptom.ofClient ? [] : [symptom.requirement.id, ...forms].map((id) => inPart(symptom, id));
    },
    (bucket, key) => bucket.some((symptom) => symptom.forms.some((form) => inPart(symptom, form) === key)),
  );
  // A tool that fails for an ordinary request also fails for any other.
  const isServerError: Kind = ({ forms }) => forms.includes(serverError);
  groups.explain(
    (symptom) => isServerError(symptom) && symptom.oddity === '',
    isServerError,
    ({ tools }) => tools,
  );
  // Two members of one response may be wrong for two reasons. A response that is wrong as a whole explains both, unless
  // a member is also wrong in other responses.
  const wrongAsAWhole = new Set(symptoms.filter(isOfWholeResponse).flatMap(({ finding }) => finding.exchanges));
  groups.explain(
    isOfWholeResponse,
    ({ ofClient, header, finding }) =>
      !ofClient && header === undefined && finding.exchanges.every((id) => wrongAsAWhole.has(id)),
  );
  // A body that is not JSON explains its content type.
  groups.explain(isNotJson, isOfHeader('content-type'));
  // A wrong header for refusals of the boundary makes a refusal of a tool look like a refusal of the workspace.
  groups.explain(isOfHeader(responseHeaders.toolError), isRefusedWorkspace);
  // A result that names another workspace makes a piece or an item look as if it left its workspace.
  groups.explain(isIsolation, ({ member }) => member === 'workspace');
  // A tool that shows what belongs to other accounts shows what belongs to other workspaces, too.
  groups.link((symptom) => (isIsolation(symptom) ? [`isolation of ${symptom.exchanges.at(-1)?.tool}`] : []));
  // An item that a result repeats makes its counts wrong.
  groups.explain(
    ({ requirement }) => requirement.id === repeatedItem,
    ({ path }) => path === 'total' || path === 'truncated',
  );
  // After picking a workspace, a tool may refuse for another reason. It may also pick one only now and then.
  const { workspaceAmbiguous: ambiguous } = refusalCodes;
  groups.explain(
    ({ wanted, outcome }) => wanted.code === ambiguous && outcome.ok === true,
    ({ wanted, outcome }) => (wanted.code === ambiguous && outcome.ok === false) || outcome.code === ambiguous,
    () => ['picked workspace'],
  );
  // A workspace that one tool accepts and another one refuses is one question of reach.
  groups.explain(isForeignSuccess, isRefusedSuccess, requestedWorkspaces);
  groups.link((symptom) => (isForeignSuccess(symptom) ? symptom.tools : []));
  return groups.list();
}

type Kind = (symptom: Symptom) => boolean;

const isOfHeader =
  (name: string): Kind =>
  ({ header }) =>
    header?.toLowerCase() === name;

const serverError: RequirementId = 'envelopes.no-server-error';

/** Each oddity of a request may make a server fail for another reason. */
const inPart = ({ oddity }: Symptom, id: string) => (id === serverError ? `${id} ${oddity}` : id);

/** Whether the server refuses a request that must succeed, by a rule on the workspace. */
const isRefusedSuccess = ({ member, outcome }: Symptom) => member === 'workspace' && outcome.ok === false;

/** Whether the server seems to refuse a workspace that the key reaches. */
const isRefusedWorkspace = (symptom: Symptom) =>
  isRefusedSuccess(symptom) ||
  (symptom.requirement.topic === 'workspaces' && symptom.wanted.ok === true && symptom.outcome.ok === false);

/** Whether the server accepts a workspace that the key does not reach. */
const isForeignSuccess = ({ requirement, outcome }: Symptom) =>
  requirement.id.includes('unreachable') && outcome.ok === true;

const ofIsolation: readonly string[] = [
  'content-requests.stays-in-workspace',
  'content-requests.stays-in-account',
  'library.items-stay-in-workspace',
  'library.items-stay-in-account',
] satisfies RequirementId[];

const isIsolation = ({ requirement }: Symptom) => ofIsolation.includes(requirement.id);

const repeatedItem: RequirementId = 'library.item-unique';

const isNotJson = (symptom: Symptom) =>
  symptom.header === undefined &&
  symptom.exchanges.some(({ response }) => response !== null && response.body !== '' && !isJson(response.body));

const isJson = (text: string) => parsed(text) !== undefined;

function requestedWorkspaces({ exchanges }: Symptom): string[] {
  const named = exchanges.map((exchange) => member(parsed(exchange.request.body), 'workspace'));
  return named.filter((workspace) => typeof workspace === 'string');
}

const isOfWholeResponse = ({ finding }: Symptom) => finding.at === 'response';

/**
 * Returns keys that symptoms with one cause share, such as a header, member or decision with an identical difference.
 */
function likenesses(symptom: Symptom): string[] {
  const { finding, header, member, invalid, requirement, due, came, outcome, tools } = symptom;
  // A client breaks each rule by one habit, whatever the server responds.
  if (symptom.ofClient) return [`client ${requirement.id}`];
  if (header !== undefined) {
    // A comparison of headers repeats the name.
    const value = String(finding.got ?? '(missing)').replace(`${header}: `, '');
    return [`header ${header.toLowerCase()} ${value.replace(/\d+/g, '<n>')}`];
  }
  if (member === 'issues') return ['issues'];
  if (requirement.id === serverError) return [];
  const hasCode = (outcome.code ?? outcome.error) !== undefined;
  const field = invalid === undefined ? '' : ` at ${invalid.field}`;
  return [
    `requirement ${requirement.id} due ${due}${field}`,
    `topic ${requirement.topic} due ${due} came ${came}${field}`,
    ...(member === undefined ? [] : tools.map((tool) => `member ${member} of ${tool}`)),
    ...(invalid === undefined ? [] : [`due ${due} came ${came} for ${invalid.how}${field}`]),
    ...(invalid === undefined ? [] : tools.map((tool) => `due ${due} of ${tool}${field}`)),
    ...(hasCode ? tools.map((tool) => `due ${due} came ${came} of ${tool}${field}`) : []),
  ];
}

/** Fields with values of one wrong type after which the server converts this type. Fewer may lack a check each. */
const leastConverted = 3;

/** Requirements that one cause breaks, and how many of them show this cause. */
const brokenTogether: readonly (readonly [least: number, ...ids: readonly RequirementId[]])[] = [
  // A server that does not bind an ID to its request runs what was changed. Fewer may lack a comparison each.
  [
    3,
    'confirmations.changed-count',
    'confirmations.changed-shape',
    'confirmations.changed-board',
    'confirmations.changed-brief',
  ],
  // Two readings of the balance may include a refusal of either kind.
  [1, 'image-proposals.spends-nothing', 'confirmations.refused-costs-nothing'],
  // A body or a header that repeats the requested name differs for each name.
  [1, 'unknown-tools.name-not-in-body', 'unknown-tools.uniform-body'],
  [1, 'unknown-tools.name-not-in-headers', 'unknown-tools.uniform-headers'],
];

function givenType(exchanges: Symptom['exchanges'], { field }: Broken): string {
  const value = member(parsed(exchanges.at(-1)?.request.body), field);
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Disjoint sets of symptoms. */
class Groups {
  readonly #groups: Map<Symptom, Symptom[]>;

  constructor(symptoms: readonly Symptom[]) {
    this.#groups = new Map(symptoms.map((symptom) => [symptom, [symptom]]));
  }

  /** Links all symptoms that share a key, if `belong` accepts them. */
  link(
    keysOf: (symptom: Symptom) => readonly string[],
    belong: (bucket: readonly Symptom[], key: string) => boolean = () => true,
  ): void {
    const entries = [...this.#groups.keys()].flatMap((symptom) =>
      [...new Set(keysOf(symptom))].map((key) => ({ key, symptom })),
    );
    for (const [key, shared] of Map.groupBy(entries, (entry) => entry.key)) {
      const bucket = shared.map(({ symptom }) => symptom);
      if (belong(bucket, key)) this.#merge(bucket);
    }
  }

  /** Links symptoms of two kinds that share a key, by default an exchange, if one of them explains the others. */
  explain(
    explains: Kind,
    isExplained: Kind,
    keysOf: (symptom: Symptom) => readonly string[] = ({ finding }) => finding.exchanges.map(String),
  ): void {
    this.link(
      (symptom) => (explains(symptom) || isExplained(symptom) ? keysOf(symptom) : []),
      (bucket) => bucket.some(explains),
    );
  }

  #merge(symptoms: readonly Symptom[]): void {
    const merged = [...new Set(symptoms.flatMap((symptom) => this.#groups.get(symptom) ?? []))];
    for (const symptom of merged) this.#groups.set(symptom, merged);
  }

  list(): Symptom[][] {
    return [...Map.groupBy(this.#groups.keys(), (symptom) => this.#groups.get(symptom)).values()];
  }
}
