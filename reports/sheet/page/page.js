'use strict';
// What a page does: tabs, tables that sort and filter, points that are picked.
(() => {
  const all = (what, where = document) => Array.from(where.querySelectorAll(what));
  const whole = new Intl.NumberFormat('en');

  // ---- a picture shown twice is held once ----
  for (const copy of all('img[data-copy]')) {
    const original = document.querySelector(`#${copy.dataset.copy} img`);
    if (original) copy.src = original.src;
    else copy.parentElement.remove();
  }

  // ---- a choice among panels ----
  for (const list of all('[role=tablist]')) {
    const tabs = all('[role=tab]', list);
    const choose = (i) => tabs.forEach((tab, j) => {
      tab.setAttribute('aria-selected', i === j);
      tab.tabIndex = i === j ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = i !== j;
    });
    tabs.forEach((tab, i) => {
      tab.addEventListener('click', () => choose(i));
      tab.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = (i + step + tabs.length) % tabs.length;
        choose(next);
        tabs[next].focus();
        event.preventDefault();
      });
    });
  }

  // ---- a table of many rows: every head sorts, fields above it filter ----
  const sorted = (table, heads, column, numbers) => {
    const head = heads[column];
    const down = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') !== 'descending' : false;
    heads.forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const sign = down ? -1 : 1;
    const key = (row) => (numbers ? parseFloat(row.cells[column].dataset.value) : row.cells[column].textContent);
    const order = (a, b) => {
      if (!numbers) return sign * a.localeCompare(b, 'en', { numeric: true });
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b); // what has no value stays below
      return sign * (a - b);
    };
    table.tBodies[0].append(...Array.from(table.tBodies[0].rows).map((row) => [key(row), row])
      .sort((a, b) => order(a[0], b[0])).map(([, row]) => row));
  };
  for (const box of all('.filterable')) {
    const table = box.querySelector('table');
    const heads = all('thead th', table);
    const rows = Array.from(table.tBodies[0].rows);
    const bar = document.createElement('form');
    const count = document.createElement('output');
    const field = (name, control) => {
      const label = document.createElement('label');
      label.append(name, control);
      bar.append(label);
      return control;
    };
    const words = field('any text', document.createElement('input'));
    words.type = 'search';
    words.placeholder = 'words that a row must hold';
    const choices = heads.map((head, column) => ({ name: head.firstChild.textContent.trim(), column }))
      .filter(({ column }) => column < Number(box.dataset.select) || column === Number(box.dataset.state))
      .map(({ name, column }) => {
        const values = Array.from(new Map(rows.map((row) => [row.cells[column].textContent, row.cells[column].dataset.value])))
          .sort((a, b) => (a[1] !== undefined && b[1] !== undefined ? a[1] - b[1] : 0)).map(([text]) => text);
        if (values.length < 2 || values.length > 60) return null;
        const select = field(name, document.createElement('select'));
        select.append(new Option('any', '\u0000'), ...values.map((text) => new Option(text || '(none)', text)));
        return { select, column };
      }).filter(Boolean);
    const filter = () => {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shownRows = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !(wanted.every((word) => text.includes(word))
          && choices.every(({ select, column }) => select.value === '\u0000' || row.cells[column].textContent === select.value));
        shownRows += !row.hidden;
      }
      const noun = box.dataset.noun || 'points';
      count.textContent = shownRows === rows.length ? `${whole.format(rows.length)} ${noun}` : `${whole.format(shownRows)} of ${whole.format(rows.length)} ${noun}`;
    };
    const clear = document.createElement('button');
    clear.type = 'reset';
    clear.textContent = 'show all';
    bar.append(clear, count);
    bar.className = 'filter';
    bar.addEventListener('input', filter);
    bar.addEventListener('reset', () => setTimeout(filter));
    bar.addEventListener('submit', (event) => event.preventDefault());
    box.prepend(bar);
    filter();
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      const numbers = head.classList.contains('number');
      button.addEventListener('click', () => sorted(table, heads, column, numbers));
    });
    table.dataset.sorts = 'all';
  }

  // ---- a point's command: its key in any table, its dot in any plot ----
  const commands = document.getElementById('point-commands');
  const points = commands ? JSON.parse(commands.textContent) : null;
  const picked = points ? document.getElementById('picked') : null;
  const pick = (point) => {
    all('.picked-row').forEach((row) => row.classList.remove('picked-row'));
    all(`.filterable .pick[data-point="${point}"]`).forEach((button) => button.closest('tr').classList.add('picked-row'));
    picked.querySelector('span').textContent = points.settings[point];
    picked.querySelector('code').textContent = points.command.replaceAll('KEY', points.keys[point]);
    picked.dataset.point = point;
    picked.hidden = false;
  };
  const goTo = (point) => {
    pick(point);
    const row = document.querySelector(`.filterable .pick[data-point="${point}"]`)?.closest('tr');
    if (row) { row.hidden = false; row.dispatchEvent(new CustomEvent('reveal', { bubbles: true })); row.scrollIntoView({ block: 'center' }); row.querySelector('.pick').focus({ preventScroll: true }); }
  };
  if (picked) {
    document.addEventListener('go-to-point', (event) => goTo(event.detail));
    document.addEventListener('keydown', (event) => { if (event.key === 'Escape') picked.hidden = true; });
    for (const button of all('.pick')) button.addEventListener('click', () => pick(Number(button.dataset.point)));
    const [copy, tick, close] = all('button', picked);
    tick.addEventListener('click', () => document.dispatchEvent(new CustomEvent('tick', { detail: Number(picked.dataset.point) })));
    close.addEventListener('click', () => { picked.hidden = true; });
    copy.addEventListener('click', () => {
      const code = picked.querySelector('code');
      getSelection().selectAllChildren(code); // at least selected, where the clipboard is closed
      navigator.clipboard?.writeText(code.textContent).then(() => { copy.textContent = 'copied'; }, () => {});
      setTimeout(() => { copy.textContent = 'copy'; }, 1500);
    });
  }

  // ---- tables that sort by a column of numbers ----
  for (const table of all('table')) {
    if (table.dataset.sorts) continue;
    const heads = all('thead th', table);
    const body = table.tBodies[0];
    if (body.rows.length < 4 || table.querySelector('tr.group')) continue;
    heads.forEach((head, column) => {
      if (!head.classList.contains('number') || Array.from(body.rows).some((row) => !row.cells[column].dataset.value && row.cells[column].textContent !== '–')) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') !== 'descending';
        heads.forEach((other) => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const value = (row) => parseFloat(row.cells[column].dataset.value);
        const order = (v) => (Number.isNaN(v) ? -Infinity : v);
        body.append(...Array.from(body.rows).sort((a, b) => (order(value(b)) - order(value(a))) * (down ? 1 : -1)));
      });
    });
  }

  // ---- the section being read ----
  const links = new Map(all('nav a').map((a) => [a.hash.slice(1), a]));
  const sections = all('section[id]').filter((section) => links.has(section.id));
  const mark = () => {
    const reading = sections.filter((section) => section.getBoundingClientRect().top < 120).pop() || sections[0];
    links.forEach((link, id) => (reading && id === reading.id ? link.setAttribute('aria-current', 'true')
      : link.removeAttribute('aria-current')));
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
})();
