import { chooseVariants, combineVariants, type Variant, variants } from './conforming/index.ts';
import type { Defect } from './defect.ts';
import { type Deviation, together } from './defect.ts';
import { combineDefects, defects } from './defects.ts';

/** Names of deviations. */
export interface Names {
  /** Conforming variants; `random` adds random ones. Listed by `tck list --variants`. */
  readonly variants?: readonly string[] | undefined;
  /** Defects; they break the specification. Listed by `tck list --defects`. */
  readonly defects?: readonly string[] | undefined;
}

/** Creates the deviation for these names. Throws a UsageError for unknown names and for incompatible variants. */
export function deviationOf({ variants = [], defects = [], seed }: Names & { readonly seed: number }): Deviation {
  return together(combineVariants(chooseVariants(variants, seed)), combineDefects(defects));
}

/** Lists all variants for `tck list --variants`, as text or JSON. */
export function listVariants(json: boolean): string {
  const all = Object.entries<Variant>(variants).map(([name, { deviation: _, ...variant }]) => ({ name, ...variant }));
  const blocks = all.map(({ name, what, room, decides, against = [] }) => [
    name,
    `  ${what}`,
    `  room: ${room}`,
    ...(decides === undefined ? [] : [`  only one variant of: ${decides}`]),
    ...(against.length === 0 ? [] : [`  against the advice: ${against.join(', ')}`]),
  ]);
  return json ? toJson(all) : toText(blocks, `${all.length} variants`);
}

/** Lists all defects by topic for `tck list --defects`, as text or JSON. */
export function listDefects(json: boolean): string {
  const all = Object.entries<Defect>(defects).map(([id, { what, breaks }]) => ({ id, what, breaks }));
  const topics = Map.groupBy(all, ({ breaks: [first] }) => first.split('.', 1)[0] ?? '');
  const blocks = [...topics].map(([topic, inTopic]) => [
    topic,
    ...inTopic.flatMap(({ id, what, breaks }) => [`  ${id}`, `    ${what}`, `    breaks: ${breaks.join(', ')}`]),
  ]);
  return json ? toJson(all) : toText(blocks, `${all.length} defects`);
}

function toJson(all: readonly object[]): string {
  return `${JSON.stringify(all, null, 2)}\n`;
}

function toText(blocks: readonly (readonly string[])[], count: string): string {
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n\n${count}\n`;
}
