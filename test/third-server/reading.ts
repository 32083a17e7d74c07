import { tools } from '../../fixtures/contract/tools.ts';
import { exampleResult } from '../declared-tool.ts';
import { about, refusal, success } from './answers.ts';
import type { Answer, Call, Item, Piece } from './model.ts';

const dayLength = 86_400_000;

export function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function piecesOf({ world, at }: Call): Piece[] {
  return world.workspaces.get(at.slug)?.pieces ?? [];
}

export function schedule(call: Call): Answer {
  const monday = call.now - ((new Date(call.now).getUTCDay() + 6) % 7) * dayLength;
  const days = Array.from({ length: 7 }, (_, index) => dateOf(monday + index * dayLength));
  const meta = { week_start: days[0] ?? '', days, meta_line: '2 pieces this week', rows: [] };
  return success({ ...meta, pieces: piecesOf(call).filter(({ day }) => days.includes(day)), ...about(call) });
}

export function status(call: Call): Answer {
  return success({ counts: { planned: 2, published: 5 }, pieces: piecesOf(call), ...about(call) });
}

function shelf({ world, at }: Call): Item[] {
  return world.workspaces.get(at.slug)?.items ?? [];
}

export function search(call: Call): Answer {
  const words = String(call.args.query ?? '').toLowerCase();
  const found = shelf(call).filter(({ title }) => title.toLowerCase().includes(words));
  const items = found.slice(0, call.world.settings.pageSize).map((item) => ({ ...item }));
  return success({ total: found.length, truncated: items.length < found.length, items, ...about(call) });
}

export function get(call: Call): Answer {
  const item = shelf(call).find(({ kind, id }) => kind === call.args.kind && id === call.args.id);
  if (item === undefined) return refusal('item_not_found', 'The library holds no such item.');
  return success({ item: { ...item }, ...about(call) });
}

export function ask(call: Call): Answer {
  const hits = [0.9, 0.55, 0.2].map((relevance, index) => ({
    source: `handbook/${index + 1}`,
    excerpt: `Paragraph ${index + 1} of ${call.at.slug}.`,
    relevance,
  }));
  return success({ query: String(call.args.query ?? ''), hits, ...about(call) });
}

export function connections(call: Call): Answer {
  const provider = (name: string) => ({ name });
  const groups = { connected: [provider('photon')], needs_attention: [], available: [provider('quill')] };
  return success({ ...groups, ...about(call) });
}

export function balance({ world, key }: Call): Answer {
  return success({ balance: world.credits[key.account] });
}

/** A tool that this server has no code for: returns the example of the declaration. */
export function example(call: Call): Answer {
  return success({ ...exampleResult(call.tool), ...(tools[call.tool].scoped ? about(call) : {}) });
}
