import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { member, parsed } from '../json.ts';
import type { Broken } from '../model/world/violations.ts';
import type { Symptom } from './symptom.ts';

/** Groups symptoms by cause: symptoms that are linked, directly or through others. */
export function partition(symptoms: readonly Symptom[]): Symptom[][] {
  const groups = new Groups(symptoms);
  groups.link((symptom) => likenesses(symptom));
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
  const ofServer = (symptom: Symptom, keys: readonly string[]) => (symptom.ofClient ? [] : keys);
  const explaining = new Set(symptoms.map(({ requirement }) => requirement.id));
  groups.link(
    (symptom) =>
      ofServer(symptom, [
        inPart(symptom, symptom.requirement.id),
        ...(symptom.header === undefined ? symptom.forms.filter((form) => explaining.has(form)) : []).map((form) =>
          inPart(symptom, form),
        ),
      ]),
    (bucket, key) => bucket.some((symptom) => symptom.forms.some((form) => inPart(symptom, form) === key)),
  );
  // A tool that fails for an ordinary request also fails for any other.
  groups.link(
    (symptom) => (symptom.forms.includes(serverError) ? symptom.tools : []),
    (bucket) => bucket.some(({ oddity }) => oddity === ''),
  );
  // Two members of one response may be wrong for two reasons. A response that is wrong as a whole explains both, unless
  // a member is also wrong in other responses.
  const wrongAsAWhole = new Set(symptoms.filter(isOfWholeResponse).flatMap(({ finding }) => finding.exchanges));
  groups.link(
    (symptom) => {
      const { header, finding } = symptom;
      const isExplained = header === undefined && finding.exchanges.every((id) => wrongAsAWhole.has(id));
      return ofServer(symptom, isExplained ? finding.exchanges.map(String) : []);
    },
    (bucket) => bucket.some(isOfWholeResponse),
  );
  // Links the symptoms of an exchange that are of one of two kinds, if the first kind is among them.
  const linkInExchange = (first: Kind, second: Kind) =>
    groups.link(
      (symptom) => (first(symptom) || second(symptom) ? symptom.finding.exchanges.map(String) : []),
      (bucket) => bucket.some(first),
    );
  // A body that is not JSON explains its content type.
  linkInExchange(isNotJson, isOfHeader('content-type'));
  // A wrong header for refusals of the boundary makes a refusal of a tool look like a refusal of the workspace.
  linkInExchange(isOfHeader(responseHeaders.toolError), isRefusedWorkspace);
  // A result that names another workspace makes a piece or an item look as if it left its workspace.
  linkInExchange(isIsolation, ({ member }) => member === 'workspace');
  // A tool that shows what belongs to other accounts shows what belongs to other workspaces, too.
  groups.link((symptom) => (isIsolation(symptom) ? [`isolation of ${symptom.exchanges.at(-1)?.tool}`] : []));
  // An item that a result repeats makes its counts wrong.
  linkInExchange(
    ({ requirement }) => requirement.id === repeatedItem,
    ({ path }) => path === 'total' || path === 'truncated',
  );
  // After picking a workspace, a tool may refuse for another reason. It may also pick one only now and then.
  const { workspaceAmbiguous } = refusalCodes;
  groups.link(
    ({ wanted, outcome }) =>
      (wanted.code === workspaceAmbiguous && outcome.ok !== undefined) || outcome.code === workspaceAmbiguous
        ? ['picked workspace']
        : [],
    (bucket) => bucket.some(({ wanted, outcome }) => wanted.code === workspaceAmbiguous && outcome.ok === true),
  );
  // A workspace that one tool accepts and another one refuses is one question of reach.
  groups.link(
    (symptom) => (isRefusedSuccess(symptom) || isForeignSuccess(symptom) ? requestedWorkspaces(symptom) : []),
    (bucket) => bucket.some(isForeignSuccess),
  );
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

/** Disjoint sets of symptoms (union-find). */
class Groups {
  readonly #symptoms: readonly Symptom[];
  readonly #parents: number[];

  constructor(symptoms: readonly Symptom[]) {
    this.#symptoms = symptoms;
    this.#parents = symptoms.map((_, index) => index);
  }

  /** Links all symptoms that share a key, if `belong` accepts them. */
  link(
    keysOf: (symptom: Symptom) => readonly string[],
    belong: (bucket: readonly Symptom[], key: string) => boolean = () => true,
  ): void {
    const buckets = new Map<string, number[]>();
    this.#symptoms.forEach((symptom, index) => {
      for (const key of new Set(keysOf(symptom))) buckets.set(key, [...(buckets.get(key) ?? []), index]);
    });
    for (const [key, bucket] of buckets) {
      const [first = 0, ...others] = bucket;
      if (
        !belong(
          bucket.flatMap((index) => this.#symptoms[index] ?? []),
          key,
        )
      )
        continue;
      for (const other of others) this.#parents[this.#rootOf(other)] = this.#rootOf(first);
    }
  }

  list(): Symptom[][] {
    return [...Map.groupBy(this.#symptoms, (_, index) => this.#rootOf(index)).values()];
  }

  #rootOf(index: number): number {
    let root = index;
    for (let up = this.#parents[root]; up !== undefined && up !== root; up = this.#parents[root]) root = up;
    return root;
  }
}
