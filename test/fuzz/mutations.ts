import fc from 'fast-check';

/** Values that parsers of untrusted data often handle incorrectly. */
const odd: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e300,
  '',
  ' ',
  '__proto__',
  '\u0000\u001b[2J\u2028',
  '\ud800',
  'x'.repeat(100_000),
  '<script>alert(1)</script>',
  '2027-01-04T10:00:00Z',
  'https://a.example.test:99999/api/v1/tools/credits.balance',
  [],
  {},
  [[[[[[]]]]]],
  { __proto__: null, constructor: 1, toString: 2, length: 3 },
  Array.from({ length: 1000 }, (_, at) => at),
];

/** One change to a text. Numbers between 0 and 1 select places. */
type Edit =
  | { readonly kind: 'value'; readonly at: number; readonly value: unknown }
  | { readonly kind: 'alike'; readonly at: number; readonly which: number }
  | { readonly kind: 'remove' | 'repeat'; readonly at: number }
  | { readonly kind: 'cut' | 'double'; readonly at: number; readonly length: number }
  | { readonly kind: 'bytes'; readonly at: number; readonly text: string }
  | { readonly kind: 'nest'; readonly at: number; readonly depth: number };

const place = fc.noBias(fc.nat(999_999)).map((number) => number / 1_000_000);
const valueEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('alike'), at: place, which: place }),
  fc.record({ kind: fc.constant('alike'), at: place, which: place }),
  fc.record({ kind: fc.constant('alike'), at: place, which: place }),
  fc.record({ kind: fc.constant('value'), at: place, value: fc.constantFrom(...odd) }),
  fc.record({ kind: fc.constantFrom('remove', 'repeat'), at: place }),
);
const textEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constantFrom('cut', 'double'), at: place, length: fc.integer({ min: 1, max: 2000 }) }),
  fc.record({ kind: fc.constant('bytes'), at: place, text: fc.string({ unit: 'binary', maxLength: 20 }) }),
  fc.record({ kind: fc.constant('nest'), at: place, depth: fc.constantFrom(10, 1000, 20_000) }),
);

/** Edits of JSON. Most preserve the shape of the JSON, so that code beyond the parser reads it. */
export const jsonEdits = fc.oneof(
  { weight: 6, arbitrary: fc.array(valueEdit, { minLength: 1, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(valueEdit, textEdit), { minLength: 1, maxLength: 3 }) },
);

export const textEdits = fc.array(textEdit, { minLength: 1, maxLength: 4 });

/** Returns a text after some edits. Edits of values need JSON and leave other texts unchanged. */
export function edited(text: string, all: readonly Edit[]): string {
  return all.reduce((before, one) => (isOfValue(one) ? editedValue(before, one) : editedText(before, one)), text);
}

const isOfValue = ({ kind }: Edit) => ['value', 'alike', 'remove', 'repeat'].includes(kind);

function editedText(text: string, edit: Edit): string {
  const at = Math.floor(edit.at * text.length);
  const [start, end] = [text.slice(0, at), text.slice(at)];
  if (edit.kind === 'cut') return start + end.slice(edit.length);
  if (edit.kind === 'double') return start + end.slice(0, edit.length) + end;
  if (edit.kind === 'bytes') return start + edit.text + end;
  if (edit.kind === 'nest') return start + '['.repeat(edit.depth) + end;
  return text;
}

interface Slot {
  readonly holder: Record<string, unknown> | unknown[];
  readonly name: string | number;
}

function editedValue(text: string, edit: Edit): string {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return text;
  }
  const slots: Slot[] = [];
  const collect = (holder: unknown): void => {
    if (Array.isArray(holder)) {
      for (const [name, value] of holder.entries()) {
        slots.push({ holder, name });
        collect(value);
      }
    } else if (typeof holder === 'object' && holder !== null) {
      const members = holder as Record<string, unknown>; // an object that is not an array has members
      for (const [name, value] of Object.entries(members)) {
        slots.push({ holder: members, name });
        collect(value);
      }
    }
  };
  collect(root);
  const slot = slots[Math.floor(edit.at * slots.length)];
  if (slot === undefined) return text;
  change(slot, edit.kind === 'alike' ? { kind: 'value', at: 0, value: alike(slot, edit.which) } : edit);
  return JSON.stringify(root);
}

/** Returns another value of the same type. */
function alike({ holder, name }: Slot, which: number): unknown {
  const before: unknown = Array.isArray(holder) ? holder[Number(name)] : holder[name];
  const values = odd.filter((each) => typeof each === typeof before && Array.isArray(each) === Array.isArray(before));
  return values[Math.floor(which * values.length)];
}

function change({ holder, name }: Slot, edit: Edit): void {
  if (Array.isArray(holder)) {
    const at = Number(name);
    if (edit.kind === 'value') holder[at] = edit.value;
    else if (edit.kind === 'remove') holder.splice(at, 1);
    else holder.splice(at, 0, holder[at]);
  } else if (edit.kind === 'value') holder[name] = edit.value;
  else if (edit.kind === 'remove') delete holder[name];
  else holder[`${name}2`] = holder[name];
}
