(() => {
  const form = document.querySelector('[data-filter]');
  const search = form.elements.q;
  const items = Array.from(document.querySelectorAll('[data-filtered]'), (item) => {
    return { item, text: item.textContent.toLowerCase() };
  });

  /** The filter of the form as URL parameters. Several values of a field are separated by commas. */
  function chosen() {
    const data = new FormData(form);
    const params = new URLSearchParams();
    for (const name of ['q', 'topic', 'severity', 'status']) {
      const value = data.getAll(name).join(',').trim();
      if (value !== '') params.set(name, value);
    }
    return params;
  }

  function fill(params) {
    for (const field of form.elements) {
      const value = params.get(field.name) ?? '';
      if (field.type === 'checkbox') field.checked = value.split(',').includes(field.value);
      else field.value = value;
    }
  }

  /** Shows the items that match a filter, and how many there are. */
  function show(params) {
    const words = (params.get('q') ?? '').toLowerCase().split(/\s+/);
    for (const { item, text } of items) {
      const has = (name) => {
        const wanted = params.get(name)?.split(',');
        return wanted === undefined || (item.dataset[name] ?? '').split(' ').some((value) => wanted.includes(value));
      };
      item.hidden = !(words.every((word) => text.includes(word)) && ['topic', 'severity', 'status'].every(has));
    }
    const counts = [
      ['findings', 'article'],
      ['requirements', 'details'],
    ].flatMap(([what, kind]) => {
      const all = items.filter(({ item }) => item.localName === kind);
      const left = all.filter(({ item }) => !item.hidden);
      return all.length === 0 ? [] : [`${left.length} of ${all.length} ${what}`];
    });
    form.querySelector('output').textContent = counts.join(', ');
  }

  function focus(item) {
    item.querySelector('summary, a').focus({ preventScroll: true });
    item.scrollIntoView();
  }

  /** The first visible cause or requirement. */
  const firstMatch = () => items.find(({ item }) => !item.hidden && item.matches('article, details'))?.item;

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
    if (!target?.matches('article, details')) return;
    for (const details of target.matches('details') ? [target] : target.querySelectorAll('details'))
      details.open = true;
    focus(target);
  }

  function filterChanged() {
    const params = chosen();
    show(params);
    location.replace(`#?${params}`);
  }

  form.addEventListener('input', (event) => {
    filterChanged();
    if (event.target === search && search.value.trim() !== '') firstMatch()?.scrollIntoView();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const match = firstMatch();
    if (match) focus(match);
  });
  // The fields are empty after the event.
  form.addEventListener('reset', () => setTimeout(filterChanged));
  addEventListener('hashchange', followAddress);
  show(new URLSearchParams());
  followAddress();

  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    search.focus();
  });

  addEventListener('click', async ({ target }) => {
    if (!target.matches('[data-copy]')) return;
    const line = target.parentElement.querySelector('pre');
    try {
      await navigator.clipboard.writeText(line.textContent);
      target.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(line);
      target.textContent = 'Selected';
    }
    setTimeout(() => {
      target.textContent = 'Copy';
    }, 1500);
  });
})();
