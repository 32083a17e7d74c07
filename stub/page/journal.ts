/// <reference lib="dom" />
import type { JournalEvent } from '../journal/event.ts';
import type { Make } from './make.ts';

/** Table rows of the journal, latest first. */
export interface Rows {
  add(event: JournalEvent): void;
  clear(): void;
}

type Exchange = JournalEvent & { kind: 'exchange' };

export function journal(make: Make, body: HTMLElement, seen: HTMLElement): Rows {
  const mostRows = 300;
  /** Number of requests and latest tool, by role and workspace. */
  const speakers = new Map<string, { role: string; workspace: string; calls: number; tool: string }>();

  function indented(text: string): string {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }

  function resultOf({ answer }: Exchange): {
    ok?: unknown;
    code?: unknown;
    workspace?: unknown;
    error?: { code?: unknown };
  } {
    try {
      return JSON.parse(answer?.body ?? '{}');
    } catch {
      return {};
    }
  }

  function outcomeOf(event: Exchange): [text: string, mood: string] {
    const { ok, code, error } = resultOf(event);
    if (event.delivery !== 'whole') return [event.delivery.replaceAll('-', ' '), 'doubt'];
    const status = event.answer?.status ?? 0;
    if (status !== 200) return [`${status} ${String(error?.code ?? '')}`, 'bad'];
    return ok === true ? ['ok', 'good'] : [`refused: ${String(code)}`, 'doubt'];
  }

  function details({ request, answer }: Exchange): HTMLElement {
    const headers = (list: readonly (readonly [string, string])[]) => list.map((pair) => pair.join(': ')).join('\n');
    const asked = `${request.method} ${request.path}\n${headers(request.headers)}\n\n${indented(request.body ?? '')}`;
    const answered =
      answer === null ? 'no response' : `${answer.status}\n${headers(answer.headers)}\n\n${indented(answer.body)}`;
    return make(
      'details',
      {},
      make('summary', {}, 'request and response'),
      make('pre', { tabindex: '0' }, asked.trim()),
      make('pre', { tabindex: '0' }, answered.trim()),
    );
  }

  function cells(event: JournalEvent): HTMLElement[] {
    const time = new Date(event.at).toISOString().slice(11, 23);
    const start = [make('td', {}, String(event.seq)), make('td', { class: 'time' }, time)];
    if (event.kind === 'person') {
      const said = `The person ${event.act} ${event.subject}.`;
      return [...start, make('td', { colspan: '4', class: 'person' }, said)];
    }
    if (event.kind === 'control') return [...start, make('td', { colspan: '4', class: 'control' }, event.what)];
    const [text, mood] = outcomeOf(event);
    const fault = event.fault === null ? '' : ` (fault ${event.fault})`;
    return [
      ...start,
      make('td', {}, event.role ?? 'no key'),
      make('td', {}, event.tool ?? event.request.path),
      make('td', { class: mood }, text + fault),
      make('td', {}, details(event)),
    ];
  }

  function note(event: Exchange): void {
    const { workspace } = resultOf(event);
    const [role, place] = [event.role ?? 'no key', typeof workspace === 'string' ? workspace : '–'];
    const calls = (speakers.get(`${role} ${place}`)?.calls ?? 0) + 1;
    speakers.set(`${role} ${place}`, { role, workspace: place, calls, tool: event.tool ?? '–' });
    const rows = [...speakers.values()].slice(-mostRows);
    seen.replaceChildren(
      ...rows.map((row) =>
        make(
          'tr',
          {},
          make('th', { scope: 'row' }, row.role),
          make('td', {}, row.workspace),
          make('td', {}, String(row.calls)),
          make('td', { class: 'latest' }, row.tool),
        ),
      ),
    );
  }

  return {
    add(event) {
      body.prepend(make('tr', { 'data-kind': event.kind }, ...cells(event)));
      while (body.childElementCount > mostRows) body.lastElementChild?.remove();
      if (event.kind === 'exchange') note(event);
    },
    clear() {
      speakers.clear();
      body.replaceChildren();
      seen.replaceChildren();
    },
  };
}
