/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Turns buttons into tabs that switch their panels, by click and with the arrow keys. */
export function tabs(place: HTMLElement): void {
  const all = Array.from(place.querySelectorAll<HTMLElement>('[role=tab]'));
  const choose = (chosen: HTMLElement): void => {
    for (const tab of all) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel !== null) panel.hidden = tab !== chosen;
    }
  };
  all.forEach((tab, index) => {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
      const next = all[(index + step + all.length) % all.length];
      if (step === 0 || next === undefined) return;
      choose(next);
      next.focus();
    });
  });
}
