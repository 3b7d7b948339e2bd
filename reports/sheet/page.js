'use strict';
// What a page does: tabs, tables that sort, values under the pointer, and a check that all of it was drawn.
(() => {
  const all = (what, where = document) => Array.from(where.querySelectorAll(what));
  const shown = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
  const whole = new Intl.NumberFormat('en');
  const number = (v) => (Number.isInteger(v) ? whole : shown).format(v);

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
  const picked = document.getElementById('picked');
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

  // ---- values: deflated numbers in base64 ----
  const kinds = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, f32: Float32Array };
  const unpacked = new Map();
  const unpack = (id) => {
    if (unpacked.has(id)) return unpacked.get(id);
    const element = document.getElementById(id);
    const bytes = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    const promise = new Response(stream).arrayBuffer().then((buffer) => {
      const values = new kinds[element.dataset.kind](buffer);
      if (values instanceof Uint16Array) { // differences: low bytes, then high ones; of either sign folded
        const bytes = new Uint8Array(buffer.slice(0)), count = values.length;
        for (let i = 0, last = 0; i < count; i++) {
          const folded = bytes[i] | (bytes[count + i] << 8);
          values[i] = last = (last + ((folded >> 1) ^ -(folded & 1))) & 0xffff;
        }
      }
      if (values.length !== Number(element.dataset.count)) throw new Error(`${id}: ${values.length} values`);
      return values;
    });
    unpacked.set(id, promise);
    return promise;
  };

  // ---- what is under the pointer: each kind gives lines of text, or null ----
  const line = (layer, value) => (value === layer.none ? `${layer.what}: none`
    : `${layer.what}: ${number(value * (layer.scale || 1))}${layer.unit ? ' ' + layer.unit : ''}`);
  const readers = {
    matrix(show, x, y) { // cells of cols x rows; a row or a column may stand for several
      const column = Math.floor((x + 0.5) / (show.step || 1));
      const row = show.rows === 1 ? 0 : Math.floor((y + 0.5) / (show.down || 1));
      if (column < 0 || column >= show.cols || row < 0 || row >= show.rows) return null;
      const first = column * (show.step || 1);
      const last = Math.min(first + (show.step || 1) - 1, show.last ?? Infinity);
      const place = show.labels ? `${show.labels[row]}, ${show.x} ${first}${last > first ? '–' + last : ''}`
        : `${show.x} ${first}, ${show.y} ${row * (show.down || 1)}`;
      return [place, ...show.layers.map((layer) => line(layer, layer.data[((show.row || 0) + row) * show.cols + column]))];
    },
    series(show, x) { // values at x = first, first + step, ...
      const i = Math.round((x - (show.first || 0)) / (show.step || 1));
      if (i < 0 || i >= show.layers[0].data.length) return null;
      return [`${show.x} ${number((show.first || 0) + i * (show.step || 1))}`,
        ...show.layers.map((layer) => line(layer, layer.data[i])), ...(show.words ? [show.words[i]] : [])];
    },
    bars(show, x) { // values at the places of show.at
      let best = 0;
      show.at.forEach((at, i) => { if (Math.abs(at - x) < Math.abs(show.at[best] - x)) best = i; });
      return [`${show.x} ${number(show.at[best])}`, ...show.layers.map((layer) => line(layer, layer.data[best]))];
    },
    dots(show, x, y, panel) { // the nearest dot within 14 pixels; a dot is a point of the data
      const [l, top, r, b] = panel.box;
      const along = (v, [from, to], logarithmic) => (logarithmic ? Math.log(v / from) / Math.log(to / from) : (v - from) / (to - from));
      const away = (i) => Math.hypot((along(show.x[i], panel.x, panel.logx) - along(x, panel.x, panel.logx)) * (r - l),
        (along(show.y[i], panel.y, panel.logy) - along(y, panel.y, panel.logy)) * (b - top));
      let best = -1;
      let least = 14;
      for (let i = 0; i < show.x.length; i++) {
        const d = away(i);
        if (d < least) { least = d; best = i; }
      }
      show.found = best < 0 ? -1 : show.at[best];
      return best < 0 ? null : [show.data.labels[show.found], ...show.data.layers.map((layer) => line(layer, layer.values[show.found]))];
    },
    points(show, x, y) { // boxes of half a width and height around places
      const i = show.data.x.findIndex((at, j) => Math.abs(at - x) <= show.half[0] && Math.abs(show.data.y[j] - y) <= show.half[1]);
      return i < 0 ? null : [show.data.labels[i], ...show.data.layers.map((layer) => line(layer, layer.values[i]))];
    },
  };

  const tip = document.getElementById('tip');
  const hide = () => { tip.hidden = true; all('.cross').forEach((cross) => cross.remove()); };
  const tell = (words, x, y) => {
    tip.replaceChildren(...words.map((word, i) => {
      const element = document.createElement(i === 0 ? 'b' : 'div');
      element.textContent = word;
      return element;
    }));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, x + 16 + box.width > innerWidth ? x - box.width - 12 : x + 16)}px`;
    tip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - box.height - 4))}px`;
  };

  // Panels: box [left, top, right, bottom] in the picture's own units, x and y [at left/top, at right/bottom].
  const across = (t, [from, to], logarithmic) => (logarithmic ? from * (to / from) ** t : from + t * (to - from));
  const attach = (svg, hover) => {
    const at = { x: 0, y: 0 };
    let found = -1; // the data point of a dot
    const look = () => {
      const panel = hover.panels.find(({ box: [l, t, r, b] }) => at.x >= l && at.x <= r && at.y >= t && at.y <= b);
      hide();
      if (!panel) return;
      const [l, t, r, b] = panel.box;
      const x = across((at.x - l) / (r - l), panel.x, panel.logx);
      const y = across((at.y - t) / (b - t), panel.y, panel.logy);
      const words = readers[panel.show.kind](panel.show, x, y, panel);
      found = words && panel.show.kind === 'dots' && points ? panel.show.found : -1;
      if (!words) return;
      const cross = document.createElementNS(svg.namespaceURI, 'path');
      cross.setAttribute('class', 'cross');
      cross.setAttribute('d', panel.show.kind === 'series' || panel.show.kind === 'bars' ? `M${at.x},${t}V${b}`
        : `M${at.x - 6},${at.y}h12M${at.x},${at.y - 6}v12`);
      svg.append(cross);
      const place = new DOMPoint(at.x, at.y).matrixTransform(svg.getScreenCTM());
      tell(words, place.x, place.y);
    };
    svg.tabIndex = 0;
    svg.addEventListener('pointermove', (event) => {
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      at.x = place.x;
      at.y = place.y;
      look();
    });
    svg.addEventListener('click', () => { look(); if (found >= 0) goTo(found); });
    svg.addEventListener('pointerleave', hide);
    svg.addEventListener('blur', hide);
    svg.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && found >= 0) goTo(found);
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [];
      if (dx === undefined) return;
      if (at.x === 0) {
        const [l, t, r, b] = hover.panels[0].box;
        at.x = (l + r) / 2;
        at.y = (t + b) / 2;
      }
      at.x += dx * (event.shiftKey ? 20 : 2);
      at.y += dy * (event.shiftKey ? 20 : 2);
      event.preventDefault();
      look();
    });
  };
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    hide();
    if (picked) picked.hidden = true;
  });
  addEventListener('scroll', hide, { passive: true });

  // Differences of two maps; what one of them does not have, their difference has not.
  const less = (data, other, none) => Float64Array.from(data, (v, i) => (v === none || other[i] === none ? none : v - other[i]));

  // A hover text `ID-hover` belongs to the picture ID; its layers name values or hold them.
  let dotData = null; // one for all plots of a sweep
  const prepare = async (element) => {
    const hover = JSON.parse(element.textContent);
    for (const { show } of hover.panels) {
      for (const layer of show.layers || []) {
        layer.data = Array.isArray(layer.values) ? layer.values : await unpack(layer.values);
        if (layer.minus) layer.data = less(layer.data, await unpack(layer.minus), layer.none);
      }
      if (typeof show.labels === 'string') show.labels = JSON.parse(document.getElementById(show.labels).textContent);
      if (typeof show.words === 'string') show.words = JSON.parse(document.getElementById(show.words).textContent);
      if (show.own) { // dots of this picture alone
        const { x, y, ...data } = JSON.parse(document.getElementById(show.data).textContent);
        Object.assign(show, { x, y, data, at: Object.keys(x) });
      } else if (show.kind === 'dots') show.data = dotData ||= { ...JSON.parse(document.getElementById(show.data).textContent), labels: points.settings };
      if (show.kind === 'points') {
        show.data = JSON.parse(document.getElementById(show.data).textContent);
        if (show.data.places) Object.assign(show.data, { ...JSON.parse(document.getElementById(show.data.places).textContent), layers: show.data.layers });
      }
    }
    attach(document.getElementById(element.id.slice(0, -'-hover'.length)), hover);
  };

  // ---- the check: data-drawn is "ok" or says what is missing ----
  const check = async () => {
    const broken = [];
    const hovers = all('script[type="application/json"][id$="-hover"]');
    for (const element of hovers) await prepare(element).catch((error) => broken.push(`${element.id}: ${error.message}`));
    await Promise.all(all('img').map((img) => img.decode().catch(() => broken.push(`image ${img.alt}`))));
    const folded = all('details:not([open])');
    folded.forEach((fold) => { fold.open = true; });
    for (const svg of all('svg.plot')) {
      const box = svg.getBBox();
      if (!(box.width > 20 && box.height > 20) && !svg.closest('[hidden]')) broken.push(`plot ${svg.id}`);
    }
    folded.forEach((fold) => { fold.open = false; });
    Object.assign(document.body.dataset, {
      images: all('img').length, rows: all('.filterable tbody tr').length, plots: all('svg.plot').length, hovers: hovers.length, drawn: broken.join('; ') || 'ok',
    });
    if (broken.length) console.error(`not drawn: ${broken.join('; ')}`);
  };
  check();
})();
