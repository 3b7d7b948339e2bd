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

  // ---- tables that sort by a column of numbers ----
  for (const table of all('table')) {
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
    const look = () => {
      const panel = hover.panels.find(({ box: [l, t, r, b] }) => at.x >= l && at.x <= r && at.y >= t && at.y <= b);
      hide();
      if (!panel) return;
      const [l, t, r, b] = panel.box;
      const x = across((at.x - l) / (r - l), panel.x, panel.logx);
      const y = across((at.y - t) / (b - t), panel.y, panel.logy);
      const words = readers[panel.show.kind](panel.show, x, y);
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
    svg.addEventListener('pointerleave', hide);
    svg.addEventListener('blur', hide);
    svg.addEventListener('keydown', (event) => {
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
  document.addEventListener('keydown', (event) => event.key === 'Escape' && hide());
  addEventListener('scroll', hide, { passive: true });

  // Differences of two maps; what one of them does not have, their difference has not.
  const less = (data, other, none) => Float64Array.from(data, (v, i) => (v === none || other[i] === none ? none : v - other[i]));

  // A hover text `ID-hover` belongs to the picture ID; its layers name values or hold them.
  const prepare = async (element) => {
    const hover = JSON.parse(element.textContent);
    for (const { show } of hover.panels) {
      for (const layer of show.layers || []) {
        layer.data = Array.isArray(layer.values) ? layer.values : await unpack(layer.values);
        if (layer.minus) layer.data = less(layer.data, await unpack(layer.minus), layer.none);
      }
      if (typeof show.labels === 'string') show.labels = JSON.parse(document.getElementById(show.labels).textContent);
      if (typeof show.words === 'string') show.words = JSON.parse(document.getElementById(show.words).textContent);
      if (show.kind === 'points') show.data = JSON.parse(document.getElementById(show.data).textContent);
    }
    attach(document.getElementById(element.id.slice(0, -'-hover'.length)), hover);
  };

  // ---- the check: data-drawn is "ok" or says what is missing ----
  const check = async () => {
    const broken = [];
    const hovers = all('script[type="application/json"][id$="-hover"]');
    for (const element of hovers) await prepare(element).catch((error) => broken.push(`${element.id}: ${error.message}`));
    await Promise.all(all('img').map((img) => img.decode().catch(() => broken.push(`image ${img.alt}`))));
    for (const svg of all('svg.plot')) {
      const box = svg.getBBox();
      if (!(box.width > 20 && box.height > 20) && !svg.closest('[hidden], details:not([open])')) broken.push(`plot ${svg.id}`);
    }
    Object.assign(document.body.dataset, {
      images: all('img').length, plots: all('svg.plot').length, hovers: hovers.length, drawn: broken.join('; ') || 'ok',
    });
    if (broken.length) console.error(`not drawn: ${broken.join('; ')}`);
  };
  check();
})();
