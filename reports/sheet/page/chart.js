// Charts of a page: panels laid out as wide as there is room, again when the room changes.
const charts = (() => {
  const SIZE = 11.5;
  const measure = document.createElement('canvas').getContext('2d');
  measure.font = `${SIZE}px system-ui, "DejaVu Sans", sans-serif`;
  const wide = (text) => measure.measureText(text).width;
  const text = (g, words, x, y, anchor, colour, more) => g.append(svgOf('text', {
    x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10, 'text-anchor': anchor, style: `fill:${colour[0] === '#' ? colour : `var(--${colour})`}`, ...more,
  }, words));
  const cut = (words, room) => {
    if (wide(words) <= room) return words;
    let n = words.length;
    while (n > 1 && wide(`${words.slice(0, n - 1)}…`) > room) n--;
    return `${words.slice(0, n - 1)}…`;
  };
  // Names cut to the room, each its own: those that would become alike lose their beginnings, not their ends.
  const cutAll = (names, room) => {
    const short = names.map((name) => cut(name, room));
    const backwards = (name) => Array.from(name).reverse().join('');
    return short.map((words, i) => (short.some((other, k) => k !== i && other === words && names[k] !== names[i]) ? backwards(cut(backwards(names[i]), room)) : words));
  };

  const colourOf = (spec) => (s) => scales.colour(s.colour || `series-${spec.series.filter((o) => o.as !== 'told').indexOf(s) % 8}`, s.shade);

  // Places that an axis must hold, of all series of panels.
  const along = (panels) => panels.flatMap((p) => p.series.flatMap((s) => {
    if (s.as === 'matrix') return [[(s.x ? s.x[0] : 0) - (s.x ? 0 : 0.5), s.x ? s.x[0] + (s.x[1] - s.x[0] || 1) * s.cols : s.cols - 0.5]];
    if (s.as === 'spans') return [s.low, s.high];
    if (s.as === 'steps' || s.as === 'stack') { const half = s.x.length > 1 ? (s.x[1] - s.x[0]) / 2 : 0.5; return [[s.x[0] - half, s.x[s.x.length - 1] + half]]; }
    if (s.as === 'range' && !s.x) return [s.low, s.high];
    if (s.as === 'cells') return [Array.from(s.x, (v) => v - 0.5), Array.from(s.x, (v) => v + 0.5)];
    return [s.x, s.x2].filter(Boolean);
  }));
  const up = (panels) => panels.flatMap((p) => {
    const stacked = p.series.filter((s) => s.as === 'stack');
    const sums = stacked.length > 0 ? [Float64Array.from(stacked[0].y, (_, i) => stacked.reduce((sum, s) => sum + (s.y[i] || 0), 0)), [0]] : [];
    return sums.concat(p.series.flatMap((s) => {
      if (s.as === 'stack' || s.as === 'told') return [];
      if (s.as === 'matrix') return [s.y ? [s.y[0], s.y[0] + (s.y[1] - s.y[0] || 1) * s.rows] : [-0.5, s.rows - 0.5]];
      if (s.as === 'spans' || s.as === 'cells') return [Array.from(s.y, (v) => v - 0.5), Array.from(s.y, (v) => v + 0.5)];
      if (s.as === 'tail') return [[0.001, 110]];
      if (s.as === 'band' || (s.as === 'range' && s.x)) return [s.low, s.high];
      if (s.as === 'bars' && !p.y.log) return [s.y, [0]];
      return [s.y, s.y2].filter(Boolean);
    }));
  });
  const still = (p) => p.series.some((s) => ['matrix', 'cells', 'links', 'steps', 'stack', 'spans'].includes(s.as));
  const colours = (p) => scales.range(p.colour, p.series.filter((s) => s.value && s.as !== 'told').map((s) => s.value), true);

  // Entries of the legend, by what a series looks like.
  const entries = (p) => p.series.filter((s) => s.label && !s.ends && !['told', 'matrix', 'cells', 'links', 'spans'].includes(s.as));
  const look = (p) => entries(p).map((s) => [s.as, s.label, s.colour, s.shade, s.dash].join()).join(';');
  // Panels of one look have one legend, above the first of them.
  const hasLegend = (p, before) => (entries(p).length > 1 || (entries(p).length === 1 && p.series.length > 1)) && !(before && look(before) === look(p));
  const legendRows = (p, width) => {
    const rows = [[]];
    let x = 0;
    for (const s of entries(p)) {
      const w = wide(s.label) + 34;
      if (x > 0 && x + w > width) { rows.push([]); x = 0; }
      rows[rows.length - 1].push({ s, x });
      x += w;
    }
    return rows;
  };
  const key = (g, s, x, y, colour) => {
    const line = `fill:none;stroke:${colour};stroke-width:${Math.max(2, s.width || 0)};${s.dash ? `stroke-dasharray:${draw.dashes[s.dash]}` : ''}`;
    const hollow = s.hollow && s.hollow.every(Boolean);
    if (s.as === 'dots') g.append(svgOf('path', { d: draw.form(s, x + 8, y - 4, 3.5), style: hollow ? `fill:none;stroke:${colour};stroke-width:1.4` : `fill:${colour}` }));
    else if (['stack', 'bars', 'band'].includes(s.as)) {
      g.append(svgOf('rect', { x: x + 1, y: y - 9, width: 14, height: 9, style: `fill:${colour};${s.as === 'band' ? 'opacity:.3' : ''}` }));
    } else g.append(svgOf('path', { d: s.as === 'range' ? `M${x + 8} ${y - 10}v11` : `M${x} ${y - 4}h16`, style: line }));
  };

  const ticsOf = (axis, scale, room, each) => {
    const by = axis.scale || 1;
    const within = ({ at }) => at >= scale.low - 1e-9 * Math.abs(scale.low) && at <= scale.high + 1e-9 * Math.abs(scale.high);
    if (axis.tics) return Array.from(axis.tics, (at, i) => ({ at, text: axis.names ? axis.names[i] : scales.tic(at / by) })).filter(within);
    if (axis.names) return Array.from(axis.names, (name, at) => ({ at, text: name })).filter(within);
    const list = scales.tics(scale, by, Math.max(2, Math.floor(room / each)));
    return axis.zero && scale.log && scale.low <= 0.5 ? [{ at: 0.5, text: '0' }, ...list.filter(({ at }) => at >= 1)] : list;
  };
  // Words that would touch the one before them are left out.
  const apart = (list, at, room) => {
    let last = -Infinity;
    return list.filter(({ at: v, text: words }) => {
      const [x, half] = [at(v), Math.min(room, wide(words)) / 2];
      if (x - half < last + 6) return false;
      last = x + half;
      return true;
    });
  };

  // ---- one panel ----
  const layOut = (chart, spec, width, last) => {
    const p = { spec, width };
    const beside = chart.beside && width > 560;
    p.inY = scales.range(spec.y, up([spec]), still(spec));
    p.inX = scales.range(spec.x, along(chart.linked ? chart.panels : [spec]), still(spec));
    if (spec.x.log && p.inX.low < 1 && spec.series.some((s) => s.as === 'bars')) spec.x.zero = true;
    p.titleLines = (spec.title || spec.note) && !beside ? 1 : 0;
    p.legend = hasLegend(spec, chart.panels[chart.panels.indexOf(spec) - 1]) ? legendRows(spec, width - 60) : [];
    p.head = p.titleLines * 18 + p.legend.length * 17 + (spec.y.label ? 17 : 0) + (p.titleLines || p.legend.length || spec.y.label ? 4 : 0);
    const probe = spec.y.label ? ticsOf(spec.y, { ...p.inY }, spec.tall || 230, 40) : [];
    const labels = Math.min(160, Math.max(0, ...probe.map(({ text: words }) => wide(words))));
    p.left = beside ? 140 : labels > 0 ? Math.min(labels + 12, 0.4 * width) : 8;
    const endings = spec.series.filter((s) => s.ends);
    p.right = endings.length > 0 ? Math.min(160, 22 + Math.max(...endings.map((s) => wide(s.label)))) : 14;
    p.foot = spec.x.label && (last || !chart.linked) ? 36 : 6;
    p.beside = beside;
    return p;
  };
  // Panels that share x begin at one place.
  const align = (chart, laid) => {
    const left = Math.max(...laid.map((p) => p.left));
    for (const p of laid) { if (chart.linked) p.left = left; size(p); }
  };
  const size = (p) => {
    const { spec } = p;
    p.inner = Math.max(40, p.width - p.left - p.right);
    p.tall = spec.flat ? Math.min(p.inner * spec.flat, spec.tall || 720) : spec.tall || 230;
    if (spec.flat) p.inner = Math.min(p.inner, p.tall / spec.flat);
    p.height = p.head + p.tall + p.foot;
  };

  const axes = (g, p, at, map) => {
    const { spec } = p;
    const [l, t, right, b] = at.box;
    if (spec.y.label) {
      for (const { at: v, text: words } of ticsOf(spec.y, at.y, b - t, 40)) {
        const y = Math.round(at.y.at(v)) + 0.5;
        if (!map) g.append(svgOf('path', { class: 'grid', d: `M${l} ${y}H${right}` }));
        text(g, cut(words, p.left - 10), l - 6, y + 4, 'end', 'faint');
      }
      text(g, spec.y.label, p.x, t - 7, 'start', 'ink');
    }
    if (!spec.x.label) return;
    const shown = p.foot > 20;
    const list = ticsOf(spec.x, at.x, right - l, 70);
    for (const { at: v } of map ? [] : list) { const x = Math.round(at.x.at(v)) + 0.5; g.append(svgOf('path', { class: 'grid', d: `M${x} ${t}V${b}` })); }
    if (!shown) return;
    const room = spec.x.names ? (right - l) / Math.max(1, list.length) - 7 : 200;
    const words = spec.x.names ? cutAll(list.map((o) => o.text), Math.max(room, 40)) : list.map((o) => o.text);
    for (const { at: v, text: name } of apart(list.map((o, k) => ({ ...o, text: words[k] })), at.x.at, 200)) {
      const half = wide(name) / 2;
      text(g, name, Math.min(Math.max(at.x.at(v), p.x + half), p.x + p.width - half), b + 15, 'middle', 'faint');
    }
    text(g, cut(spec.x.label, right - l + p.left), (l + right) / 2, b + 31, 'middle', 'ink');
  };

  const drawPanel = (svg, chart, p) => {
    const { spec } = p;
    const box = [p.x + p.left, p.y + p.head, p.x + p.left + p.inner, p.y + p.head + p.tall].map((v) => Math.round(v));
    const [l, t, right, b] = box;
    const id = `clip-${chart.id}-${chart.panels.indexOf(spec)}`;
    const c = colours(spec);
    const texts = [];
    const rows = spec.corner ? [{ k: 0, span: [right - 14 - wide(spec.corner), right] }] : [];
    const at = {
      box,
      width: right - l,
      x: scales.of(spec.x, p.inX, l, right),
      y: scales.of(spec.y, p.inY, ...(spec.y.down ? [t, b] : [b, t])),
      c,
      palette: scales.palettes[spec.colours || 0],
      colour: colourOf(spec),
      text: (g, words, x, y, anchor, colour) => text(g, words, x, y, anchor, colour),
      free: (words, x, y, anchor) => { // room for a text that stands at a place
        const left = x - { start: 0, middle: wide(words) / 2, end: wide(words) }[anchor];
        const span = [left - 2, left + wide(words) + 2];
        if (texts.some((o) => Math.abs(o.y - y) < 10 && o.span[0] < span[1] && o.span[1] > span[0])) return false;
        texts.push({ y, span });
        return true;
      },
      row: (words, x, ending) => { // words beside upright lines, in rows that none of them overlaps
        const span = ending ? [x - 8 - wide(words), x] : [x, x + 8 + wide(words)];
        let k = 0;
        while (rows.some((o) => o.k === k && o.span[0] < span[1] && o.span[1] > span[0])) k++;
        rows.push({ k, span });
        return t + 14 + 15 * k;
      },
    };
    const map = spec.series.some((s) => ['matrix', 'links'].includes(s.as));
    if (map) svg.append(svgOf('rect', { x: l, y: t, width: right - l, height: b - t, style: `fill:${spec.dark ? '#120818' : 'var(--nothing)'}` }));
    axes(svg, p, at, map);
    svg.append(svgOf('clipPath', { id }, svgOf('rect', { x: l, y: t - 1, width: right - l + 1, height: b - t + 2 })));
    const inside = svgOf('g', spec.series.some((s) => s.as === 'cells') ? {} : { 'clip-path': `url(#${id})` });
    svg.append(inside);
    draw.panel(inside, at, spec);
    if (spec.x.label && spec.y.label && !map) svg.append(svgOf('path', { class: 'axis', d: `M${l + 0.5} ${t}V${b + 0.5}H${right}` }));
    words(svg, p, at);
    p.box = box;
    p.at = at;
  };

  const words = (svg, p, at) => {
    const { spec } = p;
    const [l, t, right, b] = at.box;
    let y = p.y + 13;
    if (p.beside) {
      const middle = (t + b) / 2 + 4 - (spec.note && b - t > 24 ? 7 : 0);
      if (spec.title) text(svg, cut(spec.title, p.left - 12), l - 10, middle, 'end', 'ink');
      if (spec.note && b - t > 24) text(svg, cut(spec.note, p.left - 12), l - 10, middle + 14, 'end', 'faint');
    } else if (p.titleLines) {
      if (spec.title) text(svg, cut(spec.title, p.width - 8), p.x, y, 'start', 'ink', { 'font-weight': 600 });
      const from = spec.title ? wide(spec.title) * 1.1 + 12 : 0;
      if (spec.note && p.width - from > 60) text(svg, cut(spec.note, p.width - from), p.x + from, y, 'start', 'faint');
      y += 18;
    }
    for (const row of p.legend) {
      for (const { s, x } of row) { key(svg, s, p.x + x, y, at.colour(s)); text(svg, s.label, p.x + x + 21, y, 'start', 'ink'); }
      y += 17;
    }
    if (spec.corner) text(svg, spec.corner, right - 6, t + 14, 'end', 'faint', { class: 'corner' });
    ends(svg, spec, at, right);
  };

  // Names of series where they end, apart from each other.
  const ends = (svg, spec, at, right) => {
    const named = spec.series.filter((s) => s.ends && s.label).map((s) => {
      let i = s.x.length - 1;
      while (i > 0 && !Number.isFinite(s.y[i])) i--;
      return { s, y: at.y.at(s.y[i]) };
    }).sort((a, b) => a.y - b.y);
    named.forEach((o, i) => { if (i > 0) o.y = Math.max(o.y, named[i - 1].y + 14); });
    const over = named.length > 0 ? Math.max(0, named[named.length - 1].y - at.box[3]) : 0;
    for (const { s, y } of named) { key(svg, s, right + 3, y - over + 4, at.colour(s)); text(svg, s.label, right + 22, y - over + 4, 'start', 'ink'); }
  };

  // One bar for each scale of colours, with its ends and tics.
  const bars = (svg, chart, laid, top, width) => {
    const seen = new Map();
    for (const p of laid) {
      if (!p.spec.colour.label) continue;
      const { c } = p.at;
      const name = [p.spec.colour.label, c.low, c.high, c.log, p.spec.colours].join('|');
      if (!seen.has(name)) seen.set(name, p);
    }
    let x = 0;
    let y = top;
    for (const p of seen.values()) {
      const long = Math.min(280, width - 20);
      if (x > 0 && x + long > width) { x = 0; y += 46; }
      const scale = scales.of({}, p.at.c, x + 8, x + 8 + long);
      const canvas = document.createElement('canvas');
      canvas.width = 256;
      canvas.height = 1;
      const image = canvas.getContext('2d').createImageData(256, 1);
      p.at.palette.forEach((c, i) => image.data.set([...c, 255], 4 * i));
      canvas.getContext('2d').putImageData(image, 0, 0);
      text(svg, cut(p.spec.colour.label, long), x + 8, y + 12, 'start', 'ink');
      svg.append(svgOf('image', { x: x + 8, y: y + 18, width: long, height: 9, preserveAspectRatio: 'none', href: canvas.toDataURL() }));
      for (const { at, text: label } of apart(ticsOf(p.spec.colour, scale, long, 60), scale.at, 200)) {
        const place = scale.at(at);
        const half = wide(label) / 2;
        text(svg, label, Math.min(Math.max(place, x + 8 + half), x + 8 + long - half), y + 39, 'middle', 'faint');
      }
      x += long + 40;
    }
    return seen.size > 0 ? y + 46 : top;
  };

  // ---- the whole chart, `width` dots wide ----
  const make = (chart, width) => {
    const most = chart.columns || 1;
    const columns = Math.max(1, Math.min(most, Math.floor((width + 24) / (most > 2 ? 240 : 324))));
    const gap = columns > 1 ? 24 : 0;
    const each = (width - gap * (columns - 1)) / columns;
    const svg = svgOf('svg', { class: 'plot', role: 'img', 'aria-label': chart.title, 'font-size': SIZE });
    const laid = chart.panels.map((spec, i) => layOut(chart, spec, each, i >= chart.panels.length - columns));
    align(chart, laid);
    let y = 2;
    for (let i = 0; i < laid.length; i += columns) {
      const row = laid.slice(i, i + columns);
      const head = Math.max(...row.map((p) => p.head));
      row.forEach((p, k) => { p.x = k * (each + gap); p.y = y + head - p.head; });
      y += Math.max(...row.map((p) => p.height - p.head)) + head + (chart.beside ? 1 : 10);
    }
    for (const p of laid) drawPanel(svg, chart, p);
    y = bars(svg, chart, laid, y, width);
    const high = Math.ceil(y);
    for (const [key, value] of Object.entries({ viewBox: `0 0 ${width} ${high}`, width, height: high })) svg.setAttribute(key, value);
    chart.laid = laid;
    return svg;
  };
  return { make };
})();
