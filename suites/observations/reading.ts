import { type Answered, body, isSuccess } from '../exchange.ts';
import { isRecord } from '../json.ts';
import { itemsOf } from '../scenes/reading.ts';
import { observation } from './observation.ts';
import { elements, fieldNames, noteEach, outcome, recorded, resultsOf, short } from './seen.ts';

const envelope = ['ok', 'workspace', 'working_in'];

/** What a knowledge base may answer with hits of different strength, where the usual question has found none. */
const questions = ['Who is our audience?'];

/** Names of the fields of a full item, those of the object that holds it included: `item.title`. */
function itemFields(exchange: Answered): string[] {
  return Object.entries(body(exchange))
    .filter(([name]) => !envelope.includes(name))
    .flatMap(([name, value]) => (isRecord(value) ? fieldNames([value]).map((inner) => `${name}.${inner}`) : [name]))
    .map(short);
}

/** Whether hits come with the strongest first; nothing where there are fewer than two of different strength. */
function order(exchange: Answered): string | undefined {
  const strengths = elements(body(exchange).hits).map((hit) => (isRecord(hit) ? Number(hit.relevance) : Number.NaN));
  if (new Set(strengths).size < 2) return undefined;
  const falling = strengths.every((strength, index) => index === 0 || strength <= (strengths[index - 1] ?? strength));
  return falling ? 'the strongest first' : 'in another order';
}

export const reading = [
  observation({
    answers: ['library.kinds', 'library.rolls', 'library.get-fields'],
    run(t) {
      const items = resultsOf(t, 'library.search').flatMap((each) =>
        elements(body(each).items)
          .filter(isRecord)
          .map((item) => ({ item, each })),
      );
      noteEach(
        t,
        'library.kinds',
        items.map(({ item, each }) => [short(item.kind), each]),
      );
      noteEach(
        t,
        'library.rolls',
        items.map(({ item, each }) => [short(item.roll), each]),
      );
      const got = resultsOf(t, 'library.get').flatMap((each) =>
        itemFields(each).map((name): [string, Answered] => [name, each]),
      );
      noteEach(t, 'library.get-fields', got);
    },
  }),
  observation({
    answers: ['library.unknown-id'],
    run(t) {
      const found = resultsOf(t, 'library.search').flatMap(itemsOf);
      const unknown = recorded(t).filter(({ request: { tool, args }, credential }) => {
        if (tool !== 'library.get' || credential.role !== 'primary' || args === null) return false;
        const { workspace, kind, id, ...others } = args;
        const here = workspace === t.ground.workspace && Object.keys(others).length === 0;
        // A kind that there is, with an id that there is not: nothing else is wrong with the call.
        const ofKind = found.filter((item) => item.kind === kind);
        return here && typeof id === 'string' && ofKind.length > 0 && ofKind.every((item) => item.id !== id);
      });
      noteEach(
        t,
        'library.unknown-id',
        unknown.map((each) => [outcome(each), each]),
      );
    },
  }),
  observation({
    answers: ['knowledge.order'],
    mostRequests: questions.length,
    async run(t) {
      const asked = await Promise.all(questions.map((query) => t.call('knowledge.search', t.here({ query }))));
      const told = [...resultsOf(t, 'knowledge.search'), ...asked.filter(isSuccess)].flatMap(
        (each): [string, Answered][] => {
          const text = order(each);
          return text === undefined ? [] : [[text, each]];
        },
      );
      noteEach(t, 'knowledge.order', told);
    },
  }),
  observation({
    answers: ['connections.entries'],
    run(t) {
      const told = resultsOf(t, 'connections.status').flatMap((each) => {
        const { connected, needs_attention, available } = body(each);
        const entries = [connected, needs_attention, available].flatMap(elements);
        return fieldNames(entries).map((name): [string, Answered] => [name, each]);
      });
      noteEach(t, 'connections.entries', told);
    },
  }),
  observation({
    answers: ['library.absent-query', 'knowledge.absent-query'],
    mostRequests: 2,
    async run(t) {
      for (const [id, tool] of [
        ['library.absent-query', 'library.search'],
        ['knowledge.absent-query', 'knowledge.search'],
      ] as const) {
        const answer = await t.call(tool, t.here());
        const { items, hits } = body(answer);
        const found = elements(items ?? hits).length > 0 ? 'and finds something' : 'and finds nothing';
        t.observe(id, isSuccess(answer) ? `accepted, ${found}` : outcome(answer), answer);
      }
    },
  }),
  observation({
    answers: ['credits.unknown-properties', 'credits.workspace-argument'],
    mostRequests: 2,
    async run(t) {
      const unknown = await t.call('credits.balance', { tck_unknown: true });
      t.observe('credits.unknown-properties', outcome(unknown), unknown);
      const workspace = t.ground.workspace ?? body(await t.call('schedule.read', {})).workspace;
      if (typeof workspace !== 'string') return;
      const scoped = await t.call('credits.balance', { workspace });
      t.observe('credits.workspace-argument', outcome(scoped), scoped);
    },
  }),
];
