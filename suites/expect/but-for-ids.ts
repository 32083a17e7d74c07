import { literal } from '../literal.ts';

/** Finds an id where it stands for itself: an id like 3 is not a part of the 30 minutes. */
function standing(id: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal(id)}(?![\\p{L}\\p{N}])`, 'gu');
}

/** Takes an id out of a text. */
export function withoutId(id: string): (text: string) => string {
  return (text) => (id === '' ? text : text.replace(standing(id), '(the id)'));
}

/** A text, and the id that it may speak of. */
export interface Speaking {
  text: string;
  id: string;
}

/** Whether two texts are the same but for their ids: in the one the id 30 may stand for itself, beside 30 minutes that both tell. */
export function sameButForIds(a: Speaking, b: Speaking): boolean {
  if (a.text === b.text) return true;
  if (a.id === '' || b.id === '') return false;
  return shapeOf(a, b.id).test(b.text) || shapeOf(b, a.id).test(a.text);
}

/** What a text looks like that has another id, or the same letters, wherever this one has its id. */
function shapeOf({ text, id }: Speaking, other: string): RegExp {
  const pieces = text.split(standing(id)).map(literal);
  return new RegExp(`^${pieces.join(`(?:${literal(id)}|${literal(other)})`)}$`, 'su');
}
