import { argumentSchemas } from '../../fixtures/contract/arguments.ts';
import { isToolName, type ToolName } from '../../fixtures/contract/tools.ts';
import { keptOfAnswer } from '../../fixtures/journal.ts';
import { inEach, type Rule } from './rule.ts';
import { type Course, called, evidence, type Turn } from './turn.ts';

/** Tools whose arguments the document does not show in full: what it does not name there may still be one. */
const notShown: readonly ToolName[] = ['schedule.read', 'content.status'];

/** Arguments that the document does not name, of a tool whose arguments it shows. Where it forbids them, they are held against the schema. */
function unnamed({ event, args }: Turn): string[] {
  const { tool } = event;
  if (tool === null || !isToolName(tool) || tool === 'content.create_request' || notShown.includes(tool)) return [];
  const named = Object.keys(argumentSchemas[tool].shape);
  return Object.keys(args ?? {}).filter((name) => !named.includes(name));
}

export const knownArguments: Rule = inEach((course) => ({
  tried: course.turns.some(({ event, args }) => isToolName(event.tool ?? '') && Object.keys(args ?? {}).length > 0),
  findings: course.turns.flatMap((turn) => {
    const names = unnamed(turn);
    if (names.length === 0) return [];
    return [
      {
        expected: `arguments that the document names for ${turn.event.tool}`,
        actual: `${called(turn)} sends ${names.join(', ')}`,
        hint: 'Look for a slip in the name: what a server does not know it may pass over, and answer another question. Credits belong to the account, so credits.balance takes no workspace.',
        evidence: evidence(course, turn),
      },
    ];
  }),
}));

interface Item {
  readonly kind: unknown;
  readonly id: unknown;
}

const itemsOf = ({ event, reply }: Turn): readonly Item[] =>
  event.tool === 'library.search' && Array.isArray(reply.items) ? reply.items : [];

/** Whether all that searches found is remembered. */
function allFound({ session, turns }: Course): boolean {
  const searches = turns.filter(({ event }) => event.tool === 'library.search');
  return session.dropped === 0 && searches.every(({ event }) => (event.answer?.bodyBytes ?? 0) <= keptOfAnswer);
}

export const itemAsFound: Rule = inEach((course) => {
  const gets = allFound(course) ? course.turns.filter(({ event }) => event.tool === 'library.get') : [];
  const found = course.turns.map((turn) => ({ turn, items: itemsOf(turn) }));
  return {
    tried: gets.length > 0,
    findings: gets.flatMap((turn) => {
      const { kind, id } = turn.args ?? {};
      if (kind === undefined || id === undefined) return [];
      const before = found.filter((search) => search.turn.seq < turn.seq);
      const ofThisId = before.filter(({ items }) => items.some((item) => item.id === id));
      if (ofThisId.some(({ items }) => items.some((item) => item.id === id && item.kind === kind))) return [];
      const what = ofThisId.length > 0 ? 'no search found under this kind' : 'no search found';
      return [
        {
          expected: 'the kind and the id of one item that a search found',
          actual: `${called(turn)} asks for ${JSON.stringify(kind)} ${JSON.stringify(id)}, which ${what}`,
          hint: 'Keep kind and id together as they stand in a result item, and look whether there was one: an id says nothing without its kind.',
          evidence: evidence(course, ...ofThisId.slice(-1).map((search) => search.turn), turn),
        },
      ];
    }),
  };
});
