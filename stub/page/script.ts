/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { SandboxState } from '../control/routes.ts';
import type { ExchangeEvent, Journal, JournalEvent } from '../journal/event.ts';

/**
 * The script of the page, which embeds it as source code. Its imports are therefore types only. `ambiguous` is the code
 * of a refusal that asks a person for a workspace.
 */
export function script(ambiguous: string): void {
  const pollMs = 400;
  const mostRows = 200;
  let latest = 0;

  function at(id: string): HTMLElement {
    const element = document.getElementById(id);
    if (element === null) throw new Error(`The page has no ${id}.`);
    return element;
  }

  /** Strings become text nodes, never markup, so that data from clients cannot inject HTML. */
  function make(name: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function button(text: string, attributes: Record<string, string>, act: () => void): HTMLElement {
    const made = make('button', { type: 'button', ...attributes }, text);
    made.addEventListener('click', act);
    return made;
  }

  // The token comes in the URL fragment, and is removed there.
  if (location.hash !== '') sessionStorage.setItem('token', location.hash.slice(1));
  history.replaceState(null, '', location.pathname);
  const token = sessionStorage.getItem('token') ?? '';

  /** Rejects with the problem that the stub reports. */
  async function send<T>(path: string, method = 'GET', body?: object): Promise<T> {
    const response = await fetch(`/__control/worlds/main/${path}`, {
      method,
      headers: { 'x-control-token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = await response.json();
    if (!response.ok) throw new Error(json.problem);
    return json;
  }

  function ask(path: string, body: object | undefined, method = 'POST'): void {
    const say = (problem: string) => at('problem').replaceChildren(problem);
    send(path, method, body).then(
      () => say(''),
      (error: Error) => say(error.message),
    );
  }

  function parsed(text: string): Record<string, unknown> {
    try {
      return Object(JSON.parse(text));
    } catch {
      return {};
    }
  }

  function indented(text: string): string {
    const json = parsed(text);
    return Object.keys(json).length === 0 ? text : JSON.stringify(json, null, 2);
  }

  function outcomeOf({ delivery, answer, fault }: ExchangeEvent): HTMLElement {
    const { ok, code, error } = parsed(answer?.body ?? '');
    const suffix = fault === null ? '' : ` (fault ${fault})`;
    if (delivery !== 'whole') return make('td', { class: 'doubt' }, delivery.replaceAll('-', ' ') + suffix);
    const { status } = answer ?? {};
    if (status !== 200) return make('td', { class: 'bad' }, `${status} ${Object(error).code ?? ''}${suffix}`);
    if (ok === true) return make('td', { class: 'good' }, `ok${suffix}`);
    return make('td', { class: 'doubt' }, `refused: ${code}${suffix}`);
  }

  function detailsOf({ request, answer }: ExchangeEvent): HTMLElement {
    const headers = (list: ExchangeEvent['request']['headers']) => list.map((pair) => pair.join(': ')).join('\n');
    const asked = `${request.method} ${request.path}\n${headers(request.headers)}\n\n${indented(request.body ?? '')}`;
    const answered =
      answer === null ? 'no response' : `${answer.status}\n${headers(answer.headers)}\n\n${indented(answer.body)}`;
    const texts = [asked, answered].map((text) => make('pre', { tabindex: '0' }, text.trim()));
    return make('td', {}, make('details', {}, make('summary', {}, 'Details'), ...texts));
  }

  function showEvent(event: JournalEvent): void {
    const time = new Date(event.at).toISOString().slice(11, 23);
    const row = make('tr', {}, make('td', {}, String(event.seq)), make('td', { class: 'time' }, time));
    if (event.kind === 'exchange') {
      const { role, tool, request, answer } = event;
      row.append(make('td', {}, role ?? 'no key'), make('td', {}, tool ?? request.path));
      row.append(outcomeOf(event), detailsOf(event));
      const { code, workspaces } = parsed(answer?.body ?? '');
      if (code === ambiguous && Array.isArray(workspaces)) offer(workspaces.map(String));
    } else {
      const text = event.kind === 'person' ? `The person ${event.act} ${event.subject}.` : event.what;
      row.append(make('td', { colspan: '4', class: event.kind }, text));
      if (event.kind === 'person' && event.act === 'picked') offer([]);
    }
    at('journal').prepend(row);
  }

  /** Shows the workspaces of a refusal until the person picks one. */
  function offer(workspaces: readonly string[]): void {
    at('choices').replaceChildren(
      ...workspaces.map((subject) => button(subject, {}, () => ask('person', { act: 'pick', subject }))),
    );
  }

  function cardOf(proposal: SandboxState['proposals'][number]): HTMLElement {
    const { confirmation_id: subject, request_summary, role, workspace } = proposal;
    const decide = (act: 'approve' | 'deny') => () => ask('person', { act, subject });
    return make(
      'li',
      { 'data-id': subject },
      make('b', { class: 'summary' }, request_summary),
      make('p', { class: 'faint' }, `${role} in ${workspace}, `, make('span', { class: 'countdown' }), ' left'),
      button('Approve', { class: 'approve' }, decide('approve')),
      button('Deny', { class: 'deny' }, decide('deny')),
      make('span', { class: 'decision', role: 'status' }),
    );
  }

  /** Updates the cards in place, so that the focus stays where it is. */
  function showProposals({ proposals, now }: SandboxState): void {
    const list = at('proposals');
    const idOf = (card: Element) => card.getAttribute('data-id') ?? '';
    for (const card of Array.from(list.children)) {
      if (proposals.some(({ confirmation_id }) => confirmation_id === idOf(card))) continue;
      if (card.contains(document.activeElement)) at('approvals').focus();
      card.remove();
    }
    for (const proposal of proposals) {
      const known = Array.from(list.children).find((card) => idOf(card) === proposal.confirmation_id);
      const card = known ?? list.appendChild(cardOf(proposal));
      const seconds = Math.round((Date.parse(proposal.expiresAt) - Date.parse(now)) / 1000);
      const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      for (const part of card.querySelectorAll('.countdown')) part.textContent = left;
      for (const part of card.querySelectorAll('.decision')) part.textContent = proposal.person ?? '';
    }
  }

  function showState(state: SandboxState): void {
    showProposals(state);
    at('now').textContent = state.now.replace('T', ' ').slice(0, 19);
    at('freeze').textContent = state.frozen ? 'Resume' : 'Freeze';
    const queued = state.faults.unmet.map(({ fault, metBy: _, ...what }) => `${fault}: ${JSON.stringify(what)}`);
    at('faults').replaceChildren(...queued.map((text) => make('li', {}, text)));
    if (at('page').hidden) showAccess(state.access);
  }

  function copyable(id: string, text: string, what: string): void {
    const copy = button('Copy', { 'aria-label': `Copy ${what}` }, () => {
      const say = (result: string) => () => copy.replaceChildren(result);
      navigator.clipboard.writeText(text).then(say('Copied'), say('Not allowed'));
      setTimeout(say('Copy'), 1500);
    });
    at(id).replaceChildren(make('code', {}, text), copy);
  }

  function showAccess({ baseUrl, keys, workspaces }: SandboxState['access']): void {
    // Behind a proxy that terminates TLS, the stub reports http. The origin of the page is correct.
    const url = location.origin + new URL(baseUrl).pathname.replace(/\/$/, '');
    const body = JSON.stringify({ workspace: workspaces[0]?.slug });
    const headers = `-H 'Authorization: Bearer ${keys.primary}' -H 'content-type: application/json'`;
    copyable('base-url', url, 'the base URL');
    copyable('first-request', `curl ${headers} -d '${body}' ${url}/api/v1/tools/schedule.read`, 'the first request');
    for (const [role, key] of Object.entries(keys)) copyable(`key-${role}`, key ?? '', `the key of ${role}`);
    at('workspaces').textContent = workspaces.map(({ slug, board }) => `${slug} (board ${board})`).join(', ');
    at('page').hidden = false;
  }

  async function poll(): Promise<void> {
    try {
      const { events } = await send<Journal>(`journal?after=${latest}`);
      for (const event of events.slice(-mostRows)) showEvent(event);
      latest = events.at(-1)?.seq ?? latest;
      const body = at('journal');
      while (body.childElementCount > mostRows) body.lastElementChild?.remove();
      showState(await send<SandboxState>('state'));
      at('connection').textContent = 'Live';
    } catch (error) {
      at('connection').textContent = error instanceof Error ? error.message : String(error);
      // The stub may restart, and then counts from 1.
      latest = 0;
      for (const id of ['journal', 'proposals', 'choices']) at(id).replaceChildren();
    }
    setTimeout(() => void poll(), pollMs);
  }

  function onSubmit(id: string, act: (text: (name: string) => string) => void): void {
    at(id).addEventListener('submit', (event) => {
      event.preventDefault();
      if (!(event.target instanceof HTMLFormElement)) return;
      const data = new FormData(event.target);
      act((name) => String(data.get(name)));
    });
  }

  onSubmit('advance', (text) => ask('clock', { seconds: Number(text('minutes')) * 60 }));
  onSubmit('pick', (text) => ask('person', { act: 'pick', subject: text('workspace') }));
  onSubmit('fault', (text) => {
    const tool = text('tool');
    ask('faults', { faults: [{ ...JSON.parse(text('what')), ...(tool === '' ? {} : { tool }) }] });
  });
  at('freeze').addEventListener('click', () => ask('clock', { frozen: at('freeze').textContent === 'Freeze' }));
  at('clear-faults').addEventListener('click', () => ask('faults', undefined, 'DELETE'));
  void poll();
}
