/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** What the page does in the browser. It stands in the page as its own source, and so uses nothing from outside. */
function enhance(): void {
  const form = document.querySelector<HTMLFormElement>('[data-filter]');
  const output = form?.querySelector('output');
  const list = Array.from(document.querySelectorAll<HTMLDetailsElement>('details.requirement'));
  const rows = list.map((row) => ({ row, text: (row.textContent ?? '').toLowerCase() }));

  function chosen(): URLSearchParams {
    const data = form === null ? new FormData() : new FormData(form);
    const params = new URLSearchParams();
    for (const name of ['q', 'topic', 'level', 'severity']) {
      const value = String(data.get(name) ?? '').trim();
      if (value !== '') params.set(name, value);
    }
    const statuses = data.getAll('status').map(String);
    if (statuses.length > 0) params.set('status', statuses.join(','));
    return params;
  }

  function show(params: URLSearchParams): void {
    const words = (params.get('q') ?? '').toLowerCase().split(/\s+/);
    const statuses = params.get('status')?.split(',') ?? [];
    let count = 0;
    for (const { row, text } of rows) {
      const { status = '', topic, level, severity } = row.dataset;
      const wanted =
        words.every((word) => text.includes(word)) &&
        (statuses.length === 0 || statuses.includes(status)) &&
        (params.get('topic') ?? topic) === topic &&
        (params.get('level') ?? level) === level &&
        (params.get('severity') ?? severity) === severity;
      row.hidden = !wanted;
      if (wanted) count += 1;
    }
    if (output) output.textContent = `${count} of ${rows.length}`;
  }

  function fill(params: URLSearchParams): void {
    const statuses = params.get('status')?.split(',') ?? [];
    for (const field of form?.elements ?? []) {
      if (field instanceof HTMLInputElement && field.type === 'checkbox')
        field.checked = statuses.includes(field.value);
      else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
        field.value = params.get(field.name) ?? '';
      }
    }
  }

  /** The address says either what is filtered, `#?status=failed`, or what is looked at, `#requirement-…`. */
  function followAddress(): void {
    if (location.hash.startsWith('#?')) {
      const params = new URLSearchParams(location.hash.slice(2));
      if (params.toString() !== chosen().toString()) {
        fill(params);
        document.getElementById('requirements')?.scrollIntoView();
      }
      show(params);
      return;
    }
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      if (target.hidden) {
        fill(new URLSearchParams());
        show(new URLSearchParams());
      }
      target.querySelector('summary')?.focus({ preventScroll: true });
      target.scrollIntoView();
    }
  }

  function filterChanged(): void {
    const params = chosen();
    show(params);
    location.replace(`#?${params}`);
  }

  form?.addEventListener('input', filterChanged);
  form?.addEventListener('submit', (event) => event.preventDefault());
  form?.addEventListener('reset', () => setTimeout(filterChanged));
  addEventListener('hashchange', followAddress);
  followAddress();

  addEventListener('keydown', (event) => {
    const search = form?.querySelector<HTMLInputElement>('input[type=search]');
    const typing = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (search && event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.scrollIntoView({ block: 'center' });
    }
  });

  /** The cells of the matrix are one stop of the tab key; arrows move within it. */
  const cells = Array.from(document.querySelectorAll<HTMLElement>('[data-matrix] a.cell'));
  cells.forEach((cell, index) => {
    cell.tabIndex = index === 0 ? 0 : -1;
  });
  document.querySelector('[data-matrix]')?.addEventListener('keydown', (event) => {
    const from = event.target instanceof HTMLElement ? cells.indexOf(event.target) : -1;
    const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const step = event instanceof KeyboardEvent ? steps[event.key] : undefined;
    const to = step === undefined || from === -1 ? undefined : cells[from + step];
    if (to === undefined) return;
    event.preventDefault();
    for (const cell of cells) cell.tabIndex = cell === to ? 0 : -1;
    to.focus();
  });

  async function copy(button: HTMLElement): Promise<void> {
    const line = button.parentElement?.querySelector('pre');
    if (!line) return;
    try {
      await navigator.clipboard.writeText(line.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    } catch {
      getSelection()?.selectAllChildren(line);
      button.textContent = 'Selected';
    }
  }

  addEventListener('click', (event) => {
    if (event.target instanceof HTMLElement && event.target.matches('[data-copy]')) void copy(event.target);
  });

  /** On paper nothing can be opened: what belongs to a finding is open there. */
  const closed = Array.from(
    document.querySelectorAll<HTMLDetailsElement>('.finding details:not([open]), .gaps details'),
  );
  addEventListener('beforeprint', () => {
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
  });
}

/** Source of the page's script. */
export const pageScript = `(${enhance.toString()})();`;
