import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Symptom } from './symptom.ts';

/** Groups symptoms by cause: symptoms that are linked, directly or through others. */
export function partition(symptoms: readonly Symptom[]): Symptom[][] {
  const groups = new Groups(symptoms);
  groups.link((symptom) => likenesses(symptom));
  // A response with an invalid form explains every other failed expectation of it.
  const ofServer = (symptom: Symptom, keys: readonly string[]) => (symptom.ofClient ? [] : keys);
  const explaining = new Set(symptoms.map(({ requirement }) => requirement.id));
  groups.link(
    (symptom) =>
      ofServer(symptom, [
        symptom.requirement.id,
        ...(symptom.header === undefined ? symptom.forms.filter((form) => explaining.has(form)) : []),
      ]),
    (bucket, id) => bucket.some(({ forms }) => forms.includes(id)),
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
  return groups.list();
}

const isOfWholeResponse = ({ finding }: Symptom) => finding.actual.startsWith('HTTP ');

/** A body that repeats the requested name differs for each name. */
const ofRequestedName: readonly string[] = [
  'unknown-tools.name-not-in-body',
  'unknown-tools.uniform-body',
] satisfies RequirementId[];

/**
 * Returns keys that symptoms with one cause share, such as a header, member or decision with an identical difference.
 */
function likenesses(symptom: Symptom): string[] {
  const { header, member, invalid, requirement, expected, actual, hint, tools } = symptom;
  // A client breaks each rule by one habit, whatever the server responds.
  if (symptom.ofClient) return [`client ${requirement.id}`];
  if (header !== undefined) return [`header ${header} ${actual}`];
  if (member === 'issues') return ['issues'];
  if (ofRequestedName.includes(requirement.id)) return ['requested name'];
  const field = invalid === undefined ? '' : ` at ${invalid.field}`;
  return [
    `hint ${hint}${field}`,
    `topic ${requirement.topic} expected ${expected} actual ${actual}${field}`,
    ...(member === undefined ? [] : tools.map((tool) => `member ${member} of ${tool}`)),
    ...(invalid === undefined ? [] : tools.map((tool) => `expected ${expected} of ${tool}${field}`)),
    ...(/ code "/.test(actual) ? tools.map((tool) => `expected ${expected} actual ${actual} of ${tool}${field}`) : []),
  ];
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
