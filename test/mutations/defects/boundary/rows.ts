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
  statuses,
} from '../../../../fixtures/contract/headers.ts';
import type { RequirementId } from '../../../../fixtures/requirements/model.ts';
import { type Defect, type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { refusedTool } from '../../../../suites/topics/declared/row-witnesses.ts';
import { body, both, changing, errorFields, headers, result, status, to, type When } from '../../changes/responses.ts';

// Defects generated from rows of the contract. Each removes or changes something that its row requires.

type Entry = readonly [id: string, defect: Defect];
type Values<Rows> = Rows[keyof Rows];

/** Selects the smallest set of responses with this status that every run covers. */
function fewest(on: Status): readonly [what: string, when: When] {
  if (on === 200) return ['the results of library.get', result('library.get')];
  if (on === 403) return ['the 403 for a holder without api.access', both(status(on), to('withoutAccess'))];
  return [`a ${on}`, status(on)];
}

const nameOf = (on: Status) => (on === 200 ? 'library-get' : String(on));
type NameOf<S extends Status> = S extends 200 ? 'library-get' : `${S}`;

/** Union of the statuses whose responses have the header of a row. */
type StatusOf<Row> = Row extends { on: 'every' }
  ? Status
  : Row extends { on: readonly (infer S extends Status)[] }
    ? S
    : never;

type WithoutHeader<Row> = Row extends { slug: infer Slug extends string }
  ? `${Slug}-header-missing-on-${NameOf<StatusOf<Row>>}`
  : never;

/** Removes a header from the responses with one status. */
export function withoutHeader(row: HeaderRow): Entry[] {
  const { slug, name } = row;
  if (slug === undefined) return [];
  const missing = headers({ [name.toLowerCase()]: undefined });
  return statuses
    .filter((on) => isOn(row, on))
    .map((on): Entry => {
      const [what, when] = fewest(on);
      const deviation = changing(when, missing);
      const requirement: RequirementId = `headers.${slug}-on-${on}`;
      return [
        `${slug}-header-missing-on-${nameOf(on)}`,
        defect(`leaves out the header ${name} from ${what}`).breaks(requirement).by(deviation),
      ];
    });
}

type OtherCode<Row> = Row extends { fixed: true; requirement: string; slug: infer Slug extends string }
  ? `${Slug}-with-other-code`
  : never;

/** Changes the code of a status that has a fixed code. */
function withOtherCode({ status: on, slug, fixed, requirement, role }: BoundaryRow): Entry[] {
  if (!fixed || requirement === undefined) return [];
  const when = role === undefined ? status(on) : both(status(on), to(role));
  const other = defect(`sends the code other_code with a ${on}`)
    .breaks(requirement)
    .by(changing(when, errorFields({ code: 'other_code' })));
  return [[`${slug}-with-other-code`, other]];
}

type Excusing<Row> = Row extends { excuses: true; slug: infer Slug extends string }
  ? `${Slug}-without-tool-error`
  : never;

/** Removes the header of a refusal that the service may return by its own rules. */
export function withoutToolError(row: RefusalRow): Entry[] {
  const { slug, code, excuses } = row;
  if (!excuses) return [];
  const without = defect(`leaves out the header ${responseHeaders.toolError} from ${code} refusals`)
    .breaks(`headers.tool-error-on-${slug}`)
    .by(refusingFirst(row));
  return [[`${slug}-without-tool-error`, without]];
}

/** Refuses the first request of the tool of a row, without the header. */
function refusingFirst(row: RefusalRow): Deviation {
  const isOfTool = result(refusedTool(row));
  return (behavior) => {
    let hasRefused = false;
    const isFirst: When = (response, call) => !hasRefused && isOfTool(response, call);
    const refuse = body(() => {
      hasRefused = true;
      return refusalOf(row);
    });
    return changing(isFirst, refuse, headers({ [responseHeaders.toolError]: undefined }))(behavior);
  };
}

type RowDefectId =
  | WithoutHeader<Values<typeof headerRows>>
  | OtherCode<Values<typeof boundaryRows>>
  | Excusing<Values<typeof refusalRows>>;

const entries = [
  ...headersOfContract.flatMap(withoutHeader),
  ...boundaryErrors.flatMap(withOtherCode),
  ...refusals.flatMap(withoutToolError),
];

/** All generated defects. Object.fromEntries widens the IDs, so their type is computed from the same rows. */
export const rowDefects = Object.fromEntries(entries) as Readonly<Record<RowDefectId, Defect>>;
