/// <reference lib="dom" />

import type { JournalEvent } from '../journal/event.ts';
import type { ClientFinding, Judgement } from '../judge/judgement.ts';
import type { WaitingProposal, WorldView } from '../worlds/view.ts';
import type { Make } from './make.ts';

/** Sends an action of the person to the control plane. */
export type Ask = (path: string, body: object) => void;

/** The panels that show the state of a sandbox. */
export interface Panels {
  show(view: WorldView): void;
  judge(judgement: Judgement): void;
  /** Approves all undecided proposals. */
  approveAll(): void;
  /** Shows the workspaces of a refusal until the person picks one. */
  offer(event: JournalEvent): void;
  /**
   * Updates the clock and countdowns. Call it every second. Returns whether a proposal expired, so that a refresh is
   * due.
   */
  tick(): boolean;
}

export function panels(make: Make, at: (id: string) => HTMLElement, ask: Ask, ambiguous: string): Panels {
  let shown: { view: WorldView; receivedAt: number } | undefined;

  /** Estimates the sandbox time between two refreshes. */
  function now(): number {
    if (shown === undefined) return Date.now();
    const passed = shown.view.frozen ? 0 : Date.now() - shown.receivedAt;
    return Date.parse(shown.view.now) + passed;
  }

  function remaining(proposal: WaitingProposal): string {
    const seconds = Math.max(0, Math.round((Date.parse(proposal.expiresAt) - now()) / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  function choicesIn(body: string): string[] {
    try {
      const { code, workspaces }: { code?: unknown; workspaces?: unknown } = JSON.parse(body);
      return code === ambiguous && Array.isArray(workspaces) ? workspaces.map(String) : [];
    } catch {
      return [];
    }
  }

  function card(proposal: WaitingProposal): HTMLElement {
    const { confirmation_id: subject, request_summary, role, workspace, person } = proposal;
    const button = (act: 'approve' | 'deny', text: string): HTMLElement => {
      const pressed = { approve: 'approved', deny: 'denied' }[act] === person;
      const made = make('button', { type: 'button', class: act, 'aria-pressed': String(pressed) }, text);
      made.addEventListener('click', () => ask('person', { act, subject }));
      return made;
    };
    return make(
      'li',
      { class: 'proposal', 'data-id': subject },
      make('p', { class: 'summary' }, request_summary),
      make(
        'p',
        { class: 'faint' },
        `${role} in ${workspace}, `,
        make('span', { class: 'countdown' }, remaining(proposal)),
        ' left',
      ),
      button('approve', 'Approve'),
      button('deny', 'Deny'),
      person === null ? null : make('span', { class: 'said', role: 'status' }, person),
    );
  }

  /**
   * Updates a list only if it changed. Keeps the focus on the focused button, or moves it to the panel if the button is
   * gone.
   */
  function replace(id: string, children: readonly HTMLElement[], otherwise: string): void {
    const place = at(id);
    const made = children.length > 0 ? children : [make('li', { class: 'faint' }, otherwise)];
    const same =
      place.childElementCount === made.length &&
      made.every((child, index) => child.isEqualNode(place.children[index] ?? null));
    if (same) return;
    const held = place.querySelector(':focus');
    const name = held?.closest('[data-id]')?.getAttribute('data-id') ?? '';
    place.replaceChildren(...made);
    if (held === null) return;
    const again = place.querySelector<HTMLElement>(`[data-id="${CSS.escape(name)}"] .${held.className}`);
    (again ?? place.closest<HTMLElement>('[tabindex]'))?.focus();
  }

  /** Names an account by the roles whose keys belong to it. */
  function rolesOf(id: string): string {
    const [first = id, ...others] = (shown?.view.keys ?? [])
      .filter(({ account }) => account === id)
      .map(({ role }) => role);
    return others.length === 0 ? first : `${first}, with ${others.join(', ')}`;
  }

  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const item = (text: string): HTMLElement => make('li', {}, text);

  const told = ({ actual, exchanges }: ClientFinding): string => `${actual} (journal no. ${exchanges.join(', ')})`;

  function showKeys({ keys, accounts }: WorldView): void {
    const account = (id: string) => accounts.find((one) => one.id === id);
    at('keys').replaceChildren(
      ...keys.map((key) => {
        const holder = account(key.account);
        const open = [
          key.capability ? '' : 'no api.access',
          holder?.apiSwitch ? '' : 'account off',
          holder?.platformSwitch ? '' : 'platform off',
        ].filter(Boolean);
        const place =
          key.pin === null ? (key.storedDefault === null ? '–' : `default ${key.storedDefault}`) : `pin ${key.pin}`;
        const texts = [key.state, open.join(', ') || 'open', `${key.rateLimit}/min`, place];
        return make('tr', {}, make('th', { scope: 'row' }, key.role), ...texts.map((text) => make('td', {}, text)));
      }),
    );
  }

  return {
    show(view) {
      shown = { view, receivedAt: Date.now() };
      this.tick();
      at('waiting').textContent = view.proposals.length === 0 ? '' : String(view.proposals.length);
      const undecided = view.proposals.filter(({ person }) => person === null);
      at('approve-all').toggleAttribute('disabled', undecided.length === 0);
      replace('proposals', view.proposals.map(card), 'No proposal waits for approval.');
      replace(
        'credits',
        view.accounts.map(({ id, credits }) =>
          make('li', {}, make('b', {}, counted(credits, 'credit')), ` in the account of ${rolesOf(id)}`),
        ),
        'No account.',
      );
      const { created, dispatched, charged, forgotten } = view;
      const images = dispatched.reduce((sum, run) => sum + run.images, 0);
      at('done').textContent = `${counted(created.length, 'content request')}, ${counted(dispatched.length, 'run')} with
${counted(images, 'image')}, ${counted(charged, 'credit')} charged.`;
      at('forgotten').textContent = Object.values(forgotten).some((count) => count > 0)
        ? `Not kept, because there were too many: ${Object.entries(forgotten)
            .map(([what, count]) => `${count} ${what}`)
            .join(', ')}.`
        : '';
      replace(
        'faults',
        view.faults.unmet.map(({ fault, metBy: _, ...what }) => item(`${fault}: ${JSON.stringify(what)}`)),
        'No fault is queued.',
      );
      at('met').textContent = `${counted(view.faults.met.length, 'fault')} met`;
      at('freeze').textContent = view.frozen ? 'Resume' : 'Freeze';
      showKeys(view);
    },
    offer(event) {
      const picked = event.kind === 'person' && event.act === 'picked';
      const workspaces = event.kind === 'exchange' ? choicesIn(event.answer?.body ?? '') : [];
      if (!picked && workspaces.length === 0) return;
      const choices = workspaces.map((subject) => {
        const made = make('button', { type: 'button', class: 'pick' }, subject);
        made.addEventListener('click', () => ask('person', { act: 'pick', subject }));
        return make('li', { 'data-id': subject }, made);
      });
      at('choices').replaceChildren(...choices);
    },
    judge({ requirements, verdict }) {
      const brokenFirst = (a: { status: string }, b: { status: string }): number =>
        Number(a.status === 'passed') - Number(b.status === 'passed');
      const signs: Readonly<Record<string, string>> = { failed: '✗', errored: '?', warned: '!', passed: '✓' };
      const tested = requirements.filter(({ status }) => status !== 'not-tested');
      replace(
        'judgement',
        [...tested]
          .sort(brokenFirst)
          .map(({ id, statement, status, findings }) =>
            make(
              'li',
              { class: status, 'data-rule': id, title: id },
              make('span', { class: 'sign' }, signs[status] ?? '', make('span', { class: 'unseen' }, ` ${status}: `)),
              make(
                'span',
                {},
                statement,
                findings[0] === undefined ? null : make('span', { class: 'actual' }, told(findings[0])),
              ),
            ),
          ),
        'Nothing to judge yet.',
      );
      at('verdict').textContent = {
        conformant: 'No violations so far.',
        'non-conformant': 'The client violates the specification.',
        inconclusive: '',
      }[verdict];
      const broken = requirements.filter(({ status }) => status === 'failed').length;
      at('broken').textContent = broken === 0 ? '' : String(broken);
    },
    approveAll() {
      for (const { confirmation_id: subject, person } of shown?.view.proposals ?? []) {
        if (person === null) ask('person', { act: 'approve', subject });
      }
    },
    tick() {
      at('now').textContent = new Date(now()).toISOString().replace('T', ' ').slice(0, 19);
      const proposals = shown?.view.proposals ?? [];
      for (const proposal of proposals) {
        const countdown = at('proposals').querySelector(
          `[data-id="${CSS.escape(proposal.confirmation_id)}"] .countdown`,
        );
        if (countdown !== null) countdown.textContent = remaining(proposal);
      }
      return proposals.some(({ expiresAt }) => Date.parse(expiresAt) <= now());
    },
  };
}
