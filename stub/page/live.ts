/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Judgement } from '../judge/judgement.ts';
import type { WorldView } from '../worlds/view.ts';
import type { Access, connect } from './connect.ts';
import type { journal } from './journal.ts';
import type { link } from './link.ts';
import type { Make } from './make.ts';
import type { panels } from './panels.ts';
import type { tabs } from './tabs.ts';

/** Functions that the page embeds as source code. They cannot use imports, so they receive each other as arguments. */
export interface Parts {
  readonly make: Make;
  readonly link: typeof link;
  readonly journal: typeof journal;
  readonly panels: typeof panels;
  readonly connect: typeof connect;
  readonly tabs: typeof tabs;
  /** Error code of an ambiguous workspace. */
  readonly ambiguous: string;
}

/** Starts the page. Takes the token from the URL fragment and removes it there. */
export function live({ make, link, journal, panels, connect, tabs, ambiguous }: Parts): void {
  const at = (id: string): HTMLElement => {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`The page has no ${id}.`);
    return found;
  };
  const form = (id: string, act: (data: FormData) => void): void => {
    at(id).addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.target instanceof HTMLFormElement) act(new FormData(event.target));
    });
  };
  const text = (data: FormData, name: string): string => String(data.get(name) ?? '');
  const say = (words: string): void => {
    at('problem').textContent = words;
  };

  function tokenOf(): string {
    const given = location.hash.slice(1);
    if (given !== '') sessionStorage.setItem('token', given);
    history.replaceState(null, '', location.pathname);
    return sessionStorage.getItem('token') ?? '';
  }

  function start(token: string): void {
    const plane = link(token);
    let world = 'main';
    let stop = (): void => undefined;
    let due = false;
    const rows = journal(make, at('journal'), at('speakers'));

    async function look(): Promise<void> {
      try {
        const [view, judgement] = [
          plane.get<WorldView>(`worlds/${world}/state`),
          plane.get<Judgement>(`worlds/${world}/judgement`),
        ];
        shown.show(await view);
        shown.judge(await judgement);
        at('page').hidden = false;
        at('unlock').hidden = true;
      } catch (error) {
        say(error instanceof Error ? error.message : String(error));
      }
    }
    /** Schedules one refresh for all changes of the next 200 milliseconds. */
    function lookSoon(): void {
      if (due) return;
      due = true;
      setTimeout(() => {
        due = false;
        void look();
      }, 200);
    }
    function ask(path: string, body: object): void {
      say('');
      plane.post(`worlds/${world}/${path}`, body).then(lookSoon, (error: Error) => say(error.message));
    }
    const shown = panels(make, at, ask, ambiguous);
    const access = connect(make, at);

    function enter(name: string): void {
      stop();
      world = name;
      const told = (connected: boolean): void => {
        at('connection').textContent = connected ? 'Live' : 'Connection lost, trying again';
        if (connected) rows.clear();
        // The stub may have restarted without these proposals. For a dropped sandbox, the refresh shows an error.
        at('choices').replaceChildren();
        at('proposals').replaceChildren();
        lookSoon();
      };
      stop = plane.watch(
        world,
        (event) => {
          rows.add(event);
          shown.offer(event);
          lookSoon();
        },
        told,
      );
      void look();
      plane.get<Access>(`worlds/${world}`).then(access.show, () => undefined);
    }

    tabs(at('controls'));
    form('advance', (data) => ask('clock', { seconds: Number(text(data, 'minutes')) * 60 }));
    for (const button of at('clock').querySelectorAll<HTMLElement>('[data-minutes]')) {
      button.addEventListener('click', () => ask('clock', { seconds: Number(button.dataset.minutes) * 60 }));
    }
    at('approve-all').addEventListener('click', () => shown.approveAll());
    at('freeze').addEventListener('click', () => ask('clock', { frozen: at('freeze').textContent === 'Freeze' }));
    form('fault', (data) => {
      const what: Readonly<Record<string, object>> = {
        '503': { status: 503 },
        '429': { retryAfterSeconds: 5 },
        before: { drop: 'before' },
        after: { drop: 'after' },
        cut: { cutAtBytes: 10 },
        slow: { latencyMs: 3000 },
      };
      const tool = text(data, 'tool');
      ask('faults', { faults: [{ ...what[text(data, 'what')], ...(tool === '' ? {} : { tool }) }] });
    });
    at('clear-faults').addEventListener('click', () => {
      plane.remove(`worlds/${world}/faults`).then(lookSoon, (error: Error) => say(error.message));
    });
    form('switch', (data) => ask('switches', { role: text(data, 'role'), ...JSON.parse(text(data, 'to')) }));
    form('place', (data) => {
      const workspace = text(data, 'workspace');
      ask('switches', { role: text(data, 'role'), [text(data, 'what')]: workspace === '' ? null : workspace });
    });
    form('balance', (data) => ask('switches', { role: text(data, 'role'), balance: Number(text(data, 'credits')) }));
    form('pick', (data) => ask('person', { act: 'pick', subject: text(data, 'workspace') }));
    at('reset').addEventListener('click', () => {
      ask('reset', {});
      setTimeout(() => enter(world), 100);
    });
    const choice = at('world');
    choice.addEventListener('change', () => choice instanceof HTMLSelectElement && enter(choice.value));
    const list = (): void => {
      void plane.get<{ worlds: { world: string }[] }>('worlds').then(({ worlds }) => {
        choice.replaceChildren(
          ...worlds.map((one) =>
            make('option', { value: one.world, ...(one.world === world ? { selected: '' } : {}) }, one.world),
          ),
        );
      });
    };
    // The list opens on click, so it is refreshed on focus or hover.
    for (const soon of ['focus', 'pointerenter']) choice.addEventListener(soon, list);
    setInterval(() => {
      if (shown.tick()) lookSoon();
    }, 1000);
    enter('main');
  }

  form('unlock', (data) => {
    sessionStorage.setItem('token', text(data, 'token'));
    location.reload();
  });
  const token = tokenOf();
  if (token === '') say('Enter the control token: it is at the end of the page address that the stub printed.');
  else start(token);
}
