// Charts in the page, drawn as wide as there is room; under the pointer, or moved to by arrow keys, stands what was drawn there.
const drawCharts = (() => {
  const all = (what, where = document) => Array.from(where.querySelectorAll(what));
  const { number } = scales;
  const tip = document.getElementById('tip');
  const hide = () => { tip.hidden = true; all('.cross').forEach((cross) => cross.remove()); };
  const say = (lines, x, y) => {
    tip.replaceChildren(...lines.map((line, i) => {
      const element = document.createElement(i === 0 ? 'b' : 'div');
      element.textContent = line;
      return element;
    }));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, x + 16 + box.width > innerWidth ? x - box.width - 12 : x + 16)}px`;
    tip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - box.height - 4))}px`;
  };

  const value = (s, v) => `${s.label || ''}${s.label ? ': ' : ''}${Number.isFinite(v) ? `${number(v)}${s.unit ? ` ${s.unit}` : ''}` : 'none'}`;
  const shown = (s) => s.value || s.y;
  // A line of text for each series that has something at i; parts of others are left out where they are 0.
  const lines = (list, i) => list.filter((s) => s.label || s.texts).flatMap((s) => {
    const data = shown(s);
    if (data && i < data.length && !(data.partly && data[i] === 0)) return [value(s, data[i])];
    return !data && s.texts && s.texts[i] ? [`${s.label ? `${s.label}: ` : ''}${s.texts[i]}`] : [];
  });
  const named = (axis, v) => {
    const name = axis.names && !axis.tics ? axis.names[v] : undefined;
    return `${(axis.label || axis.called || '').replace(/,.*/, '')} ${name ?? number(v)}`.trim();
  };

  // What a column of a matrix stands for: "iteration 40–49".
  const columnOf = (spec, s, column, high) => {
    const step = s.x && s.x.length > 1 ? s.x[1] - s.x[0] : 1;
    const from = s.x ? s.x[column] : column;
    const to = Math.min(from + step - 1, high - 1);
    return named(spec.x, from) + (step > 1 && to > from ? `–${number(to)}` : '');
  };
  // The cell of a matrix, with all that others hold there.
  const inMatrix = (p, s, x, y) => {
    const column = s.x ? Math.floor((x - s.x[0]) / (s.x[1] - s.x[0] || 1)) : Math.round(x);
    const row = s.y ? Math.floor((y - s.y[0]) / (s.y[1] - s.y[0] || 1)) : Math.min(s.rows - 1, Math.round(y));
    if (column < 0 || column >= s.cols || row < 0 || row >= s.rows) return null;
    const i = ((s.row || 0) + row) * s.cols + column;
    const across = columnOf(p.spec, s, column, p.at.x.high);
    const perCell = s.names && s.names.length === s.cols * s.rows;
    const head = perCell ? s.names[i] : s.names ? `${s.names[(s.row || 0) + row]}, ${across}` : `${across}, ${named(p.spec.y, s.y ? s.y[row] : row)}`;
    return { lines: [head, ...lines(p.spec.series, i)], at: s.at ? s.at[i] : -1 };
  };
  // The nearest mark within 14 dots; of cells the one that is pointed at.
  const nearest = (p, px, py) => {
    let best = null;
    let least = 14;
    for (const s of p.spec.series) {
      if (!['dots', 'cells', 'links'].includes(s.as)) continue;
      const [w, h] = s.as === 'cells' ? [Math.abs(p.at.x.at(1) - p.at.x.at(0)) / 2, Math.abs(p.at.y.at(1) - p.at.y.at(0)) / 2] : [1, 1];
      for (let i = 0; i < s.x.length; i++) {
        const [x, y] = s.as === 'links' ? [(s.x[i] + s.x2[i]) / 2, (s.y[i] + s.y2[i]) / 2] : [s.x[i], s.y[i]];
        const [dx, dy] = [p.at.x.at(x) - px, p.at.y.at(y) - py];
        const d = s.as === 'cells' ? (Math.abs(dx) <= w && Math.abs(dy) <= h ? 0 : Infinity) : Math.hypot(dx, dy);
        if (d < least) { least = d; best = { s, i }; }
      }
    }
    if (!best) return null;
    const { s, i } = best;
    if (s.points) return { lines: [s.points.names[s.at[i]], ...lines(s.points.series, s.at[i])], at: s.at[i] };
    const others = p.spec.series.filter((o) => o.as === 'told' || (o !== s && o.as === s.as && o.as !== 'dots'));
    const head = s.names ? s.names[i] : `${named(p.spec.x, s.x[i])}`;
    return { lines: [head, ...lines([s], i), ...lines(others, i)], at: -1 };
  };
  // Values at the nearest x, of all series that go along it.
  const upright = (p, x) => {
    const list = p.spec.series.filter((s) => s.x && ['line', 'steps', 'stack', 'bars', 'band', 'tail'].includes(s.as));
    if (list.length === 0) return null;
    const close = (s) => {
      let best = 0;
      for (let i = 1; i < s.x.length; i++) if (Math.abs(s.x[i] - x) < Math.abs(s.x[best] - x)) best = i;
      return best;
    };
    const first = list.find((s) => s.as !== 'tail') || list[0];
    const i = close(first);
    const told = p.spec.series.filter((s) => s.as === 'told');
    const at = (s) => {
      const k = close(s);
      if (s.as === 'tail') return [`${s.label}: ${number(draw.tailOf(s)[k])} %`];
      if (s.as === 'band') return [`${s.label}: ${number(s.low[k])} to ${number(s.high[k])}${s.unit ? ` ${s.unit}` : ''}`];
      return lines([s], s.x.length === first.x.length ? i : k);
    };
    return { lines: [named(p.spec.x, first.x[i]), ...list.slice().reverse().filter((s) => s.label).flatMap(at), ...lines(told, i)], at: -1, upright: true };
  };
  const spanned = (p, y) => {
    const list = p.spec.series.filter((s) => s.as === 'spans');
    const i = list.length > 0 ? Array.from(list[0].y).findIndex((v) => Math.abs(v - y) <= 0.5) : -1;
    if (i < 0) return null;
    const said = (s) => {
      const end = Math.abs(s.high[i]) > Math.abs(s.low[i]) ? s.high[i] : s.low[i];
      return `${s.label}: ${s.texts && s.texts[i] ? `${s.texts[i]}, ` : ''}${number(end)}${s.unit ? ` ${s.unit}` : ''}`;
    };
    const told = p.spec.series.filter((s) => s.as === 'told');
    const head = list[0].names ? list[0].names[i] : named(p.spec.y, list[0].y[i]);
    return { lines: [head, ...list.filter((s) => s.label).map(said), ...lines(told, i)], at: -1 };
  };
  const look = (p, px, py) => {
    const [x, y] = [p.at.x.back(px), p.at.y.back(py)];
    const matrix = p.spec.series.find((s) => s.as === 'matrix');
    return matrix ? inMatrix(p, matrix, x, y) : nearest(p, px, py) || spanned(p, y) || upright(p, x);
  };

  const attach = (svg, chart) => {
    const at = { x: 0, y: 0 };
    let found = -1;
    const show = () => {
      hide();
      found = -1;
      const p = chart.laid.find(({ box: [l, t, r, b] }) => at.x >= l && at.x <= r && at.y >= t && at.y <= b);
      const seen = p && look(p, at.x, at.y);
      if (!seen) return;
      found = seen.at;
      svg.append(svgOf('path', { class: 'cross', d: seen.upright ? `M${at.x},${p.box[1]}V${p.box[3]}` : `M${at.x - 6},${at.y}h12M${at.x},${at.y - 6}v12` }));
      const place = new DOMPoint(at.x, at.y).matrixTransform(svg.getScreenCTM());
      say(seen.lines, place.x, place.y);
    };
    const pick = () => { if (found >= 0) document.dispatchEvent(new CustomEvent('go-to-point', { detail: found })); };
    svg.tabIndex = 0;
    svg.addEventListener('pointermove', (event) => {
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      Object.assign(at, { x: place.x, y: place.y });
      show();
    });
    svg.addEventListener('click', () => { show(); pick(); });
    svg.addEventListener('pointerleave', hide);
    svg.addEventListener('blur', hide);
    svg.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') pick();
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [];
      if (dx === undefined) return;
      if (at.x === 0) {
        const [l, t, r, b] = chart.laid[0].box;
        Object.assign(at, { x: (l + r) / 2, y: (t + b) / 2 });
      }
      at.x += dx * (event.shiftKey ? 20 : 2);
      at.y += dy * (event.shiftKey ? 20 : 2);
      event.preventDefault();
      show();
    });
  };
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
  addEventListener('scroll', hide, { passive: true });

  // ---- each chart again when its room or the page's colours change ----
  const main = document.getElementById('main');
  const room = (box) => box.clientWidth || (box.closest('.half') && main.clientWidth > 900 ? (main.clientWidth - 40) / 2 : main.clientWidth);
  const put = (figure, chart) => {
    const box = figure.querySelector('.plot-box');
    chart.width = Math.max(280, room(box));
    const svg = charts.make(chart, chart.width);
    svg.id = `plot-${chart.id}`;
    attach(svg, chart);
    box.replaceChildren(svg);
  };
  // ---- a map that plays: the whole run, or a column of a matrix of which each cell has a row, on one scale for all ----
  const frame = (whole, s, { of, row }, column) => {
    const [matrix] = of.series;
    const cellsOf = new Map();
    for (const k of row) cellsOf.set(k, (cellsOf.get(k) || 0) + 1);
    const value = Float64Array.from(row, (k) => (k >= 0 ? matrix.value[k * matrix.cols + column] : NaN));
    const pooled = { as: 'told', label: 'the most of', texts: Array.from(row, (k) => (k >= 0 && cellsOf.get(k) > 1 ? matrix.names[k] : '')) };
    return { ...whole, title: `${matrix.label}, ${columnOf(of, matrix, column, of.x.high)}`, colour: of.colour, series: [{ ...s, label: matrix.label, unit: matrix.unit, value }, pooled] };
  };
  const play = (figure, chart) => {
    const [whole] = chart.panels;
    const s = whole.series.find(({ frames }) => frames);
    if (!s) return;
    whole.title = 'the whole run';
    const [bar, choice, button, slider] = ['div', 'select', 'button', 'input'].map((name) => document.createElement(name));
    const columns = (i) => s.frames[i].of.series[0].cols;
    let timer = null;
    const stop = () => { clearInterval(timer); timer = null; button.textContent = 'play'; };
    const show = () => {
      const i = Number(choice.value);
      if (i >= 0) slider.max = columns(i) - 1;
      chart.panels[0] = i < 0 ? whole : frame(whole, s, s.frames[i], Number(slider.value));
      slider.setAttribute('aria-valuetext', chart.panels[0].title);
      hide();
      put(figure, chart);
    };
    const move = (to) => { if (Number(choice.value) < 0) choice.value = 0; slider.value = to; show(); };
    choice.append(new Option(whole.title, -1), ...s.frames.map(({ of: { series: [m], x } }, i) => new Option(`${m.label} by ${x.label}`, i)));
    choice.setAttribute('aria-label', 'what the map shows');
    choice.addEventListener('change', () => { stop(); show(); });
    button.type = 'button';
    button.addEventListener('click', () => {
      if (timer) { stop(); return; }
      move(slider.value === slider.max ? 0 : slider.value);
      button.textContent = 'stop';
      timer = setInterval(() => { move(Number(slider.value) + 1); if (slider.value === slider.max) stop(); }, Math.max(60, Math.min(400, 20000 / columns(Number(choice.value)))));
    });
    Object.assign(slider, { type: 'range', min: 0, max: columns(0) - 1, value: 0 });
    slider.setAttribute('aria-label', s.frames[0].of.x.label);
    slider.addEventListener('input', () => { stop(); move(slider.value); });
    bar.className = 'play';
    bar.append(choice, button, slider);
    figure.querySelector('.plot-box').before(bar);
    stop();
    show();
  };
  const drawn = new Map();
  const again = new ResizeObserver((boxes) => {
    for (const { target } of boxes) {
      const figure = target.closest('figure');
      const chart = drawn.get(figure);
      if (chart && target.clientWidth > 0 && Math.abs(target.clientWidth - chart.width) > 2) put(figure, chart);
    }
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawn.forEach((chart, figure) => put(figure, chart)));
  document.addEventListener('save-values', (event) => { event.detail.chart = drawn.get(event.detail.figure); });

  // A chart whose values are there, drawn into its figure, now and whenever its room changes.
  const keep = (figure, chart) => {
    put(figure, chart);
    drawn.set(figure, chart);
    again.observe(figure.querySelector('.plot-box'));
  };
  // All charts of the page; what cannot be drawn is said in `broken`.
  const drawAll = async (broken) => {
    await values.unpackAll();
    for (const element of all('script.chart')) {
      const figure = element.previousElementSibling;
      try {
        const chart = await values.chart(element);
        chart.id = element.id.replace(/-chart$/, '');
        chart.title = figure.querySelector('h3').textContent;
        keep(figure, chart);
        play(figure, chart);
        const { x } = chart.panels.find((p) => p.x.label) || chart.panels[0];
        for (const p of chart.panels) if (chart.linked && !p.x.label) p.x.called = x.label; // panels above the last one
      } catch (error) {
        broken.push(`${element.id}: ${error.message}`);
      }
    }
  };
  return Object.assign(drawAll, { keep });
})();
