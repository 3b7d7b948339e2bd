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

  // ---- heads that sort: a second click turns the order round; what has no value stays below ----
  const sortBy = (table, head, column, numbers, downFirst) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    const key = (row) => (numbers ? parseFloat(row.cells[column].dataset.value) : row.cells[column].textContent);
    button.addEventListener('click', () => {
      const was = head.getAttribute('aria-sort');
      const down = was ? was !== 'descending' : downFirst;
      all('thead th', table).forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const sign = down ? -1 : 1;
      const order = (a, b) => (!numbers ? sign * a.localeCompare(b, 'en', { numeric: true })
        : Number.isNaN(a) || Number.isNaN(b) ? Number.isNaN(a) - Number.isNaN(b) : sign * (a - b));
      table.tBodies[0].append(...Array.from(table.tBodies[0].rows).map((row) => [key(row), row])
        .sort((one, other) => order(one[0], other[0])).map(([, row]) => row));
    });
  };
  // ---- fields above a table of many rows choose among them ----
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
  }

  // ---- which heads sort: all of such tables, of others those of numbers ----
  for (const table of all('table')) {
    const rows = Array.from(table.tBodies[0].rows);
    const filtered = table.closest('.filterable') !== null;
    if (!filtered && (rows.length < 4 || table.querySelector('tr.group'))) continue;
    all('thead th', table).forEach((head, column) => {
      const numbers = head.classList.contains('number');
      const sorts = numbers && rows.every((row) => row.cells[column]?.dataset.value || row.cells[column]?.textContent === '–');
      if (filtered || sorts) sortBy(table, head, column, numbers, !filtered);
    });
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
