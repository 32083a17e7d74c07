import type { Redact } from './redactor.ts';

/**
 * Places in a value that hold the kit's own words. `true` includes everything below. Member names of a described object
 * are own words; all other member names are redacted.
 */
export type OwnWords<T> =
  | true
  | (T extends readonly (infer E)[]
      ? OwnWords<E>
      : T extends object
        ? { readonly [Name in keyof T]?: OwnWords<NonNullable<T[Name]>> }
        : true);

type Places = true | { readonly [name: string]: Places | undefined };

/** Redacts every text of a value, including member names, except the kit's own words. */
export function redactValue<T>(value: T, redact: Redact, own?: OwnWords<T>): T {
  const enter = (each: unknown, places: Places | undefined): unknown => {
    if (places === true) return each;
    if (typeof each === 'string') return redact(each);
    if (Array.isArray(each)) return each.map((member) => enter(member, places));
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, member]) =>
        places === undefined
          ? [redact(name), enter(member, undefined)]
          : [name, enter(member, Object.hasOwn(places, name) ? places[name] : undefined)],
      ),
    );
  };
  // Redaction replaces only texts, with texts, so the type stays the same. Every `OwnWords` is also a valid `Places`.
  return enter(value, own as Places | undefined) as T;
}
