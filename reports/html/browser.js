(() => {
  const form = document.querySelector('[data-filter]');
  const output = form?.querySelector('output');
  const items = Array.from(document.querySelectorAll('[data-filtered]'), (item) => {
    return { item, text: (item.textContent ?? '').toLowerCase() };
  });
  const fields = ['q', 'topic', 'severity', 'status'];

  /** The current filter as URL parameters. Several values of a field are separated by commas. */
  function chosen() {
    const data = form === null ? new FormData() : new FormData(form);
    const params = new URLSearchParams();
    for (const name of fields) {
      const value = data.getAll(name).map(String).join(',').trim();
      if (value !== '') params.set(name, value);
    }
    return params;
  }

  function show(params) {
    const words = (params.get('q') ?? '').toLowerCase().split(/\s+/);
    for (const { item, text } of items) {
      const has = (name) => {
        const wanted = params.get(name)?.split(',');
        return wanted === undefined || (item.dataset[name] ?? '').split(' ').some((value) => wanted.includes(value));
      };
      item.hidden = !(words.every((word) => text.includes(word)) && has('topic') && has('severity') && has('status'));
    }
    const told = [
      ['findings', 'article'],
      ['requirements', 'details'],
    ].flatMap(([what, kind]) => {
      const all = items.filter(({ item }) => item.localName === kind);
      const left = all.filter(({ item }) => !item.hidden);
      return all.length === 0 ? [] : [`${left.length} of ${all.length} ${what}`];
    });
    if (output) output.textContent = told.join(', ');
  }

  function fill(params) {
    for (const field of form?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      const value = params.get(field.name) ?? '';
      if (field instanceof HTMLInputElement && field.type === 'checkbox')
        field.checked = value.split(',').includes(field.value);
      else field.value = value;
    }
  }

  /** Applies the fragment of the URL: a filter (`#?status=failed`) or an element (`#requirement-…`). */
  function followAddress() {
    if (location.hash.startsWith('#?')) {
      const params = new URLSearchParams(location.hash.slice(2));
      if (params.toString() !== chosen().toString()) {
        fill(params);
        document.getElementById(params.has('severity') ? 'findings' : 'requirements')?.scrollIntoView();
      }
      show(params);
      return;
    }
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.hidden) {
      fill(new URLSearchParams());
      show(new URLSearchParams());
    }
    if (target instanceof HTMLDetailsElement) target.open = true;
    if (target?.matches('article')) for (const details of target.querySelectorAll('details')) details.open = true;
    if (target?.matches('article, details')) {
      target.querySelector('summary, a')?.focus({ preventScroll: true });
      target.scrollIntoView();
    }
  }

  function filterChanged(event) {
    const params = chosen();
    show(params);
    location.replace(`#?${params}`);
    const isSearch = event?.target instanceof HTMLInputElement && event.target.name === 'q';
    if (isSearch && event.target.value.trim() !== '') firstMatch()?.scrollIntoView();
  }

  /** The first visible cause or requirement. */
  function firstMatch() {
    return items.find(({ item }) => !item.hidden && item.matches('article, details'))?.item;
  }

  form?.addEventListener('input', filterChanged);
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const match = firstMatch();
    match?.querySelector('summary, a')?.focus({ preventScroll: true });
    match?.scrollIntoView();
  });
  form?.addEventListener('reset', () => setTimeout(() => filterChanged()));
  addEventListener('hashchange', followAddress);
  show(new URLSearchParams());
  followAddress();

  addEventListener('keydown', (event) => {
    const search = form?.querySelector('input[type=search]');
    const typing = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (search && event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    }
  });

  async function copy(button) {
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
})();
