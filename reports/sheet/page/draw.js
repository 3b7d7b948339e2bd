// How series are drawn: one function a kind, each into a group of an SVG, from a panel's scales and palette.
const svgSpace = Object.assign(document.createElement('div'), { innerHTML: '<svg></svg>' }).firstChild.namespaceURI;
const svgOf = (name, attributes, ...children) => {
  const element = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== null) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const draw = (() => {
  const r = (v) => Math.round(v * 10) / 10;
  const dashes = ['', '7 4', '2 3'];
  const stroke = (series, at, width) => ({
    style: `fill:none;stroke:${at.colour(series)};stroke-width:${series.width || width};${series.dash ? `stroke-dasharray:${dashes[series.dash]}` : ''}`,
    'stroke-linejoin': 'round',
  });
  const path = (list, x, y) => {
    let d = '';
    let open = false;
    for (let i = 0; i < list.length; i++) {
      const v = y(i);
      open = open && Number.isFinite(v);
      if (Number.isFinite(v)) d += `${open ? 'L' : 'M'}${r(x(i))} ${r(v)}`;
      open = Number.isFinite(v);
    }
    return d;
  };
  const away = (v, scale) => (Number.isNaN(v) || (scale.log && v <= 0) ? NaN : scale.at(v));

  // Rows pooled to as many as there are dots: [left edge, right edge, mean of each list].
  const pooled = (at, lists) => {
    const n = lists[0].list.length;
    const each = Math.max(1, Math.ceil(n / Math.max(40, at.width)));
    const { x } = lists[0];
    const step = n > 1 ? x[1] - x[0] : 1;
    const pools = [];
    for (let i = 0; i < n; i += each) {
      const end = Math.min(n, i + each);
      pools.push({
        left: x[i] - step / 2,
        right: x[end - 1] + step / 2,
        mean: lists.map(({ list }) => { let sum = 0; for (let k = i; k < end; k++) sum += list[k]; return sum / (end - i); }),
      });
    }
    return pools;
  };

  const line = (g, at, s) => g.append(svgOf('path', { d: path(s.x, (i) => away(s.x[i], at.x), (i) => away(s.y[i], at.y)), ...stroke(s, at, 1.6) }));

  const steps = (g, at, s) => {
    let d = '';
    for (const pool of pooled(at, [{ x: s.x, list: s.y }])) {
      const y = r(away(pool.mean[0], at.y));
      if (!Number.isNaN(y)) d += `${d ? 'L' : 'M'}${r(at.x.at(pool.left))} ${y}H${r(at.x.at(pool.right))}`;
    }
    g.append(svgOf('path', { d, ...stroke(s, at, 1.5) }));
  };

  // All stacked series of a panel at once, from the back: the top of the stack is drawn first.
  const stack = (g, at, all) => {
    const pools = pooled(at, all.map((s) => ({ x: s.x, list: s.y })));
    const base = r(at.y.at(at.y.low));
    for (let k = all.length - 1; k >= 0; k--) {
      let d = '';
      for (const pool of pools) {
        let sum = 0;
        for (let j = 0; j <= k; j++) sum += pool.mean[j] || 0;
        d += `${d ? 'L' : `M${r(at.x.at(pool.left))} ${base}L`}${r(at.x.at(pool.left))} ${r(at.y.at(Math.min(sum, at.y.high)))}H${r(at.x.at(pool.right))}`;
      }
      if (d) g.append(svgOf('path', { d: `${d}V${base}Z`, style: `fill:${at.colour(all[k])}` }));
    }
  };

  const band = (g, at, s) => {
    const there = Array.from(s.x, (_, i) => i).filter((i) => Number.isFinite(s.low[i]) && Number.isFinite(s.high[i]));
    const edge = (list, order) => order.map((i) => `${r(at.x.at(s.x[i]))} ${r(away(list[i], at.y))}`).join('L');
    if (there.length > 0) g.append(svgOf('path', { d: `M${edge(s.high, there)}L${edge(s.low, there.slice().reverse())}Z`, style: `fill:${at.colour(s)};opacity:.18` }));
  };

  const forms = [
    (x, y, a) => `M${r(x - a)} ${r(y)}a${a} ${a} 0 1 0 ${2 * a} 0a${a} ${a} 0 1 0 ${-2 * a} 0z`,
    (x, y, a) => `M${r(x - a * 0.9)} ${r(y - a * 0.9)}h${r(1.8 * a)}v${r(1.8 * a)}h${r(-1.8 * a)}z`,
    (x, y, a) => `M${r(x)} ${r(y - 1.1 * a)}l${r(1.1 * a)} ${r(2 * a)}h${r(-2.2 * a)}z`,
    (x, y, a) => `M${r(x)} ${r(y - 1.3 * a)}l${r(1.3 * a)} ${r(1.3 * a)}l${r(-1.3 * a)} ${r(1.3 * a)}l${r(-1.3 * a)} ${r(-1.3 * a)}z`,
  ];
  const form = (s, x, y, a) => forms[(s.form || 0) % forms.length](x, y, a);
  const dots = (g, at, s) => {
    const d = ['', ''];
    const size = s.size || 3;
    for (let i = 0; i < s.x.length; i++) {
      const x = away(s.x[i], at.x);
      const y = away(s.y[i], at.y);
      if (Number.isFinite(x + y)) d[s.hollow && s.hollow[i] ? 1 : 0] += form(s, x, y, size);
      if (s.texts && Number.isFinite(x + y)) at.text(g, s.texts[i], x, y - size - 4, 'middle', 'ink');
    }
    if (d[0]) g.append(svgOf('path', { d: d[0], style: `fill:${at.colour(s)}` }));
    if (d[1]) g.append(svgOf('path', { d: d[1], style: `fill:none;stroke:${at.colour(s)};stroke-width:1.4` }));
  };

  const rangeBars = (g, at, s) => {
    const list = s.x || s.y;
    let d = '';
    for (let i = 0; i < list.length; i++) {
      const [from, to] = [away(s.low[i], s.x ? at.y : at.x), away(s.high[i], s.x ? at.y : at.x)];
      const place = away(list[i], s.x ? at.x : at.y);
      if (Number.isFinite(from + to + place)) d += s.x ? `M${r(place)} ${r(from)}V${r(to)}` : `M${r(from)} ${r(place)}H${r(to)}`;
    }
    g.append(svgOf('path', { d, ...stroke(s, at, 1.1) }));
  };

  // Boxes around each x; on a logarithmic axis a value of 0 stands at 0.5. More than 400 are lines.
  const bars = (g, at, s) => {
    const n = s.x.length;
    let half = Infinity;
    for (let i = 1; i < n; i++) half = Math.min(half, Math.abs(s.x[i] - s.x[i - 1]) / 2);
    half = Number.isFinite(half) ? half : 0.5;
    const base = r(at.y.at(at.y.low));
    let d = '';
    for (let i = 0; i < n; i++) {
      const y = away(s.y[i], at.y);
      const zero = at.x.log && s.x[i] < 1;
      let [left, right] = zero ? [at.x.at(0.35), at.x.at(0.7)] : [at.x.at(s.x[i] - half), at.x.at(s.x[i] + half)];
      if (n > 400 || right - left < 1) { left = at.x.at(zero ? 0.5 : s.x[i]) - 0.5; right = left + 1; }
      if (Number.isFinite(y)) d += `M${r(left)} ${base}V${r(y)}H${r(right)}V${base}z`;
    }
    g.append(svgOf('path', { d, style: `fill:${at.colour(s)}` }));
  };

  const spans = (g, at, s) => {
    for (let i = 0; i < s.y.length; i++) {
      const [from, to] = [at.x.at(s.low[i]), at.x.at(s.high[i])];
      if (!Number.isFinite(from + to)) continue;
      const half = 0.3 * Math.abs(at.y.at(1) - at.y.at(0));
      const box = { x: r(Math.min(from, to)), y: r(at.y.at(s.y[i]) - half), width: r(Math.max(0.5, Math.abs(to - from))), height: r(2 * half) };
      g.append(svgOf('rect', { ...box, style: `fill:${at.colour(s)}` }));
      if (s.texts && s.texts[i]) at.text(g, s.texts[i], to + (to < from ? -5 : 5), at.y.at(s.y[i]) + 4, to < from ? 'end' : 'start', 'ink');
    }
  };

  // Per cent of all that are at least so large.
  const tailOf = (s) => {
    if (s.tail) return s.tail;
    let left = s.y.reduce((sum, v) => sum + v, 0);
    const all = left;
    s.tail = Array.from(s.x, (_, i) => { const part = (100 * left) / all; left -= s.y[i]; return part; });
    return s.tail;
  };
  const tail = (g, at, s) => {
    const part = tailOf(s);
    let d = `M${r(at.x.at(Math.max(at.x.low, Math.min(0, s.x[0]))))} ${r(away(part[0], at.y))}`;
    for (let i = 0; i < part.length; i++) d += `H${r(at.x.at(s.x[i]))}V${r(away(part[i + 1] ?? at.y.low, at.y))}`;
    g.append(svgOf('path', { d, ...stroke(s, at, 1.6) }));
  };

  // ---- values as colours ----
  const place = (at, v) => { // 0 to 255 of the palette; -1: no colour
    const c = at.c;
    if (!Number.isFinite(v) || (c.log && v <= 0)) return -1;
    const part = c.log ? Math.log(Math.max(v, c.low) / c.low) / Math.log(c.high / c.low) : (v - c.low) / (c.high - c.low);
    return Math.round(255 * Math.min(1, Math.max(0, part)));
  };
  const light = ([red, green, blue]) => 0.3 * red + 0.59 * green + 0.11 * blue > 140;

  // Cells that fall on one dot: on a logarithmic scale the most of them, else their mean.
  const pool = (at, s, across, down) => {
    const { cols, rows } = s;
    const first = (s.row || 0) * cols;
    const [ex, ey] = [Math.max(1, Math.ceil(cols / across)), Math.max(1, Math.ceil(rows / down))];
    if (ex === 1 && ey === 1) return { cols, rows, value: s.value.subarray(first, first + cols * rows) };
    const [w, h] = [Math.ceil(cols / ex), Math.ceil(rows / ey)];
    const value = new Float64Array(w * h).fill(NaN);
    const count = new Uint32Array(w * h);
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < cols; x++) {
        const v = s.value[first + y * cols + x];
        const k = Math.floor(y / ey) * w + Math.floor(x / ex);
        if (Number.isNaN(v)) continue;
        value[k] = count[k] === 0 ? v : at.c.log ? Math.max(value[k], v) : value[k] + v;
        count[k]++;
      }
    }
    return { cols: w, rows: h, value: at.c.log ? value : value.map((v, k) => v / count[k]) };
  };
  const matrix = (g, at, s) => {
    const [x0, x1] = [at.x.at(at.x.low), at.x.at(at.x.high)];
    const [y0, y1] = [at.y.at(at.y.low), at.y.at(at.y.high)];
    const [left, top, width, height] = [Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0)];
    if (s.texts) {
      const [w, h] = [width / s.cols, height / s.rows];
      for (let i = 0; i < s.cols * s.rows; i++) {
        const at256 = place(at, s.value[(s.row || 0) * s.cols + i]);
        const [x, y] = [left + (i % s.cols) * w, top + Math.floor(i / s.cols) * h];
        if (at256 >= 0) g.append(svgOf('rect', { x: r(x + 0.5), y: r(y + 0.5), width: r(w - 1), height: r(h - 1), fill: scales.hex(at.palette[at256]) }));
        const ink = at256 < 0 ? 'faint' : light(at.palette[at256]) ? '#010101' : '#ffffff';
        if (s.texts[i] && w > 5 * s.texts[i].length && h > 13) at.text(g, s.texts[i], x + w / 2, y + h / 2 + 4, 'middle', ink);
      }
      return;
    }
    const p = pool(at, s, Math.max(64, width * devicePixelRatio), Math.max(16, height * devicePixelRatio));
    const canvas = document.createElement('canvas');
    canvas.width = p.cols;
    canvas.height = p.rows;
    const context = canvas.getContext('2d');
    const image = context.createImageData(p.cols, p.rows);
    for (let i = 0; i < p.value.length; i++) {
      const at256 = place(at, p.value[i]);
      if (at256 >= 0) image.data.set([...at.palette[at256], 255], 4 * i);
    }
    context.putImageData(image, 0, 0);
    const box = { x: r(left), y: r(top), width: r(width), height: r(height) };
    g.append(svgOf('image', { ...box, preserveAspectRatio: 'none', href: canvas.toDataURL(), style: 'image-rendering:pixelated' }));
  };

  // One path a colour: a chip has a thousand cells, and few colours.
  const byColour = (g, at, s, one, attributes) => {
    const d = new Map();
    for (let i = 0; i < s.value.length; i++) {
      const at256 = place(at, s.value[i]);
      const key = at256 < 0 ? 'var(--nothing)' : scales.hex(at.palette[at256 - (at256 % 4)]);
      const mark = one(i);
      if (mark) d.set(key, (d.get(key) || '') + mark);
    }
    for (const [key, marks] of d) g.append(svgOf('path', { d: marks, ...attributes(key) }));
  };
  const cells = (g, at, s) => {
    const [w, h] = [Math.abs(at.x.at(1) - at.x.at(0)), Math.abs(at.y.at(1) - at.y.at(0))];
    const [a, b] = [r(w * (w > 4 ? 0.9 : 1)), r(h * (h > 4 ? 0.9 : 1))];
    byColour(g, at, s, (i) => `M${r(at.x.at(s.x[i]) - a / 2)} ${r(at.y.at(s.y[i]) - b / 2)}h${a}v${b}h${-a}z`, (key) => ({ style: `fill:${key}` }));
    if (!s.texts || w < 9 || h < 12) return;
    for (let i = 0; i < s.x.length; i++) {
      const at256 = place(at, s.value[i]);
      if (s.texts[i] && at256 >= 0) at.text(g, s.texts[i], at.x.at(s.x[i]), at.y.at(s.y[i]) + 4, 'middle', light(at.palette[at256]) ? '#010101' : '#ffffff');
    }
  };
  const links = (g, at, s) => {
    const cell = Math.abs(at.x.at(1) - at.x.at(0));
    const wide = s.width || (cell > 40 ? 4 : cell > 20 ? 3 : cell > 10 ? 2 : 1);
    byColour(g, at, s, (i) => `M${r(at.x.at(s.x[i]))} ${r(at.y.at(s.y[i]))}L${r(at.x.at(s.x2[i]))} ${r(at.y.at(s.y2[i]))}`,
      (key) => ({ style: `fill:none;stroke:${key};stroke-width:${wide}` }));
  };

  const marks = (g, at, list) => {
    for (const m of list) {
      const [x, y, x2, y2] = [at.x.at(m.x), at.y.at(m.y), at.x.at(m.x2 || 0), at.y.at(m.y2 || 0)];
      const style = `fill:none;stroke:${m.colour ? scales.colour(m.colour) : 'var(--faint)'};stroke-width:1.2;${m.dash ? `stroke-dasharray:${dashes[m.dash]}` : ''}`;
      const box = { x: r(Math.min(x, x2)), y: r(Math.min(y, y2)), width: r(Math.abs(x2 - x)), height: r(Math.abs(y2 - y)) };
      const words = m.text;
      const anchor = ['end', 'middle', 'start'][(m.side || 0) + 1];
      if (m.kind === 'up') {
        g.append(svgOf('path', { d: `M${r(x)} ${at.box[1]}V${at.box[3]}`, style }));
        const right = x > 0.8 * at.box[2] + 0.2 * at.box[0];
        if (words) at.text(g, m.text, x + (right ? -5 : 5), at.row(m.text, x, right), right ? 'end' : 'start', 'faint');
      } else if (m.kind === 'across') {
        g.append(svgOf('path', { d: `M${at.box[0]} ${r(y)}H${at.box[2]}`, style }));
        if (words) at.text(g, m.text, at.box[2] - 4, y - 4, 'end', 'faint');
      } else if (m.kind === 'line') {
        g.append(svgOf('path', { d: `M${r(x)} ${r(y)}L${r(x2)} ${r(y2)}`, style }));
        if (words) at.text(g, m.text, x2, y2 - 4, anchor, 'faint');
      } else if (m.kind === 'box') {
        g.append(svgOf('rect', { ...box, style }));
        if (words) at.text(g, m.text, box.x + 2, box.y - 3, 'start', 'faint');
      } else if (m.kind === 'ground') g.append(svgOf('rect', { ...box, style: 'fill:var(--ground)' }));
      else if (m.kind === 'ring') {
        g.append(svgOf('circle', { cx: r(x), cy: r(y), r: 6.5, style: style.replace('1.2', '2') }));
        if (words) at.text(g, m.text, x, y - 10, 'middle', 'faint');
      } else if (words && at.free(m.text, x, y, anchor)) at.text(g, m.text, x, y + 4, anchor, m.colour || 'faint');
    }
  };

  const kinds = { line, steps, band, dots, range: rangeBars, bars, spans, tail, matrix, cells, links };
  const panel = (g, at, spec) => {
    marks(g, at, spec.marks.filter((m) => m.kind === 'ground'));
    const stacked = spec.series.filter((s) => s.as === 'stack');
    if (stacked.length > 0) stack(g, at, stacked);
    for (const s of spec.series) if (kinds[s.as]) kinds[s.as](g, at, s);
    marks(g, at, spec.marks.filter((m) => m.kind !== 'ground'));
  };
  return { panel, form, tailOf, dashes };
})();
