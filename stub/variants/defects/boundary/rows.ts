import {
  type BoundaryRow,
  boundaryErrors,
  type boundaryRows,
  type RefusalRow,
  type refusalRows,
  refusals,
} from '../../../../fixtures/contract/codes.ts';
import { refusalOf } from '../../../../fixtures/contract/errors.ts';
import {
  type HeaderRow,
  type headerRows,
  headers as headersOfContract,
  isOn,
  responseHeaders,
  type Status,
  type StatusOf,
  statuses,
} from '../../../../fixtures/contract/headers.ts';
import { requirementId } from '../../../../fixtures/requirements/index.ts';
import { body, both, changing, errorFields, headers, result, status, to, type When } from '../../changes/responses.ts';
import type { Deviation } from '../../deviation.ts';
import { type Defect, defect } from '../defect.ts';

// Defects that rows of the contract yield: each leaves out or changes what its row asks for.

type Entry = readonly [id: string, defect: Defect];
type Values<Rows> = Rows[keyof Rows];

/** The fewest responses with a status that all runs meet. */
function fewest(on: Status): readonly [what: string, when: When] {
  if (on === 200) return ['the results of library.get', result('library.get')];
  if (on === 403) return ['a 403 if the holder lacks api.access', both(status(on), to('withoutAccess'))];
  return [`a ${on}`, status(on)];
}

const nameOf = (on: Status) => (on === 200 ? 'library-get' : String(on));
type NameOf<S extends Status> = S extends 200 ? 'library-get' : `${S}`;

type WithoutHeader<Row> = Row extends { slug: infer Slug extends string }
  ? `${Slug}-header-missing-on-${NameOf<StatusOf<Row>>}`
  : never;

/** A header is left out of the responses with one status. */
export function withoutHeader(row: HeaderRow): Entry[] {
  const { slug, name } = row;
  if (slug === undefined) return [];
  const missing = headers({ [name.toLowerCase()]: undefined });
  return statuses
    .filter((on) => isOn(row, on))
    .map((on): Entry => {
      const [what, when] = fewest(on);
      const deviation = changing(when, missing);
      const requirement = requirementId(`headers.${slug}-on-${on}`);
      return [
        `${slug}-header-missing-on-${nameOf(on)}`,
        defect(`leaves out ${name} from ${what}`).breaks(requirement).by(deviation),
      ];
    });
}

type OtherCode<Row> = Row extends { fixed: true; requirement: string; slug: infer Slug extends string }
  ? `${Slug}-with-other-code`
  : never;

/** A status whose code is fixed has another one. */
export function withOtherCode({ status: on, slug, fixed, requirement, role }: BoundaryRow): Entry[] {
  if (!fixed || requirement === undefined) return [];
  const when = role === undefined ? status(on) : both(status(on), to(role));
  const other = defect(`gives a ${on} the code other_code`)
    .breaks(requirementId(requirement))
    .by(changing(when, errorFields({ code: 'other_code' })));
  return [[`${slug}-with-other-code`, other]];
}

type Excusing<Row> = Row extends { excuses: true; slug: infer Slug extends string }
  ? `${Slug}-without-tool-error` | (Row extends { fields: object } ? `${Slug}-without-fields` : never)
  : never;

/** A refusal that any content request may meet lacks what its row asks for. */
export function incompleteRefusal(row: RefusalRow): Entry[] {
  const { slug, code, excuses, toolError, fields } = row;
  if (!excuses) return [];
  const value = toolError === 'either' ? 'false' : toolError;
  const { ok, message } = refusalOf(row);
  const bare = { ok, code, message };
  const withoutToolError = defect(`leaves out ${responseHeaders.toolError} from ${code}`)
    .breaks(requirementId(`headers.tool-error-on-${slug}`))
    .by(refusingFirst(refusalOf(row), undefined));
  if (fields === undefined) return [[`${slug}-without-tool-error`, withoutToolError]];
  const withoutFields = defect(`leaves out ${Object.keys(fields).join(' and ')} from ${code}`)
    .breaks(requirementId(`envelopes.${slug}-fields`))
    .by(refusingFirst(bare, value));
  return [
    [`${slug}-without-tool-error`, withoutToolError],
    [`${slug}-without-fields`, withoutFields],
  ];
}

/** Declines the first content request. */
function refusingFirst(refusal: Readonly<Record<string, unknown>>, toolError: string | undefined): Deviation {
  return (behavior) => {
    let hasRefused = false;
    const isFirst: When = (response, call) => !hasRefused && result('content.create_request')(response, call);
    const refuse = body(() => {
      hasRefused = true;
      return refusal;
    });
    return changing(isFirst, refuse, headers({ [responseHeaders.toolError]: toolError }))(behavior);
  };
}

type RowDefectId =
  | WithoutHeader<Values<typeof headerRows>>
  | OtherCode<Values<typeof boundaryRows>>
  | Excusing<Values<typeof refusalRows>>;

const entries = [
  ...headersOfContract.flatMap(withoutHeader),
  ...boundaryErrors.flatMap(withOtherCode),
  ...refusals.flatMap(incompleteRefusal),
];

/** The defects of all rows. Object.fromEntries forgets the ids, which the types compute from the same rows. */
export const rowDefects = Object.fromEntries(entries) as Readonly<Record<RowDefectId, Defect>>;
