// Scales, tics, colours and numbers as people read them.
const scales = (() => {
  const shown = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
  const grouped = new Intl.NumberFormat('en');
  const number = (v) => (Number.isInteger(v) ? grouped : shown).format(v);
  const brief = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
  const tic = (v) => (Math.abs(v) >= 10000 ? brief : shown).format(v);

  // From values to dots and back; a logarithmic one starts at its low end for what is below.
  const linear = (low, high, from, to) => ({
    low, high, log: false, at: (v) => from + ((v - low) / (high - low)) * (to - from), back: (p) => low + ((p - from) / (to - from)) * (high - low),
  });
  const logarithmic = (low, high, from, to) => ({
    low,
    high,
    log: true,
    at: (v) => from + (Math.log(Math.max(v, low) / low) / Math.log(high / low)) * (to - from),
    back: (p) => low * (high / low) ** ((p - from) / (to - from)),
  });
  const of = (axis, range, from, to) => (range.log ? logarithmic : linear)(range.low, range.high, from, to);

  // What an axis spans: what it says, else what the data do, with a little room.
  const range = (axis, data, still) => {
    if (axis.low !== undefined) return { low: axis.low, high: axis.high, log: Boolean(axis.log) };
    let low = Infinity;
    let high = -Infinity;
    for (const list of data) {
      for (const v of list) {
        if (!Number.isFinite(v) || (axis.log && v <= 0)) continue;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (!(low <= high)) return { low: axis.log ? 1 : 0, high: axis.log ? 10 : 1, log: Boolean(axis.log) };
    if (axis.log) return { low: low / 1.15, high: high * 1.15, log: true };
    if (low === high) return { low: low - (Math.abs(low) || 1) / 2, high: high + (Math.abs(high) || 1) / 2, log: false };
    const room = still ? 0 : 0.04 * (high - low);
    return { low: low >= 0 && low - room < 0 ? Math.min(0, low) : low - room, high: high + room, log: false };
  };

  const tics = (scale, by, most) => {
    const low = scale.low / by;
    const high = scale.high / by;
    const out = [];
    if (scale.log) {
      const decades = Math.log10(high / low);
      const every = Math.max(1, Math.ceil(decades / most));
      const marks = decades * 3 <= most ? [1, 2, 5] : [1];
      for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
        if (((e % every) + every) % every === 0) marks.forEach((m) => out.push(m * 10 ** e));
      }
      if (out.filter((v) => v >= low && v <= high).length < 2) return tics({ low: scale.low, high: scale.high }, by, Math.min(most, 4));
    } else {
      const raw = (high - low) / Math.max(1, most);
      const power = 10 ** Math.floor(Math.log10(raw));
      const step = [1, 2, 5, 10].find((m) => m * power >= raw * 0.999) * power;
      for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) out.push(Number((i * step).toPrecision(12)));
    }
    return out.filter((v) => v >= low * (1 - 1e-9) - 1e-300 && v <= high + Math.abs(high) * 1e-9).map((v) => ({ at: v * by, text: tic(v) }));
  };

  // ---- colours ----
  const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  const ramp = (stops) => Array.from({ length: 256 }, (_, i) => {
    const t = i / 255;
    const k = stops.findIndex(([at]) => at >= t);
    if (k <= 0) return rgb(stops[0][1]);
    const [a, b] = [stops[k - 1], stops[k]];
    const part = (t - a[0]) / (b[0] - a[0]);
    return rgb(a[1]).map((v, c) => Math.round(v + part * (rgb(b[1])[c] - v)));
  });
  const viridis = ['#440154', '#472c7a', '#3b518b', '#2c718e', '#21908d', '#27ad81', '#5cc863', '#aadc32', '#fde725'];
  const even = (list) => ramp(list.map((c, i) => [i / (list.length - 1), c]));
  const palettes = [even(viridis), even(viridis.slice().reverse()),
    ramp([[0, '#08306b'], [0.2, '#2b7bba'], [0.375, '#a6cbe3'], [0.5, '#fbfbfb'], [0.625, '#f3c48a'], [0.8, '#d9730d'], [1, '#7f2704']])];
  const hex = ([r, g, b]) => `#${[r, g, b].map((v) => v.toString(16).padStart(2, '0')).join('')}`;
  const look = getComputedStyle(document.documentElement);
  // A name of page.css as what follows light and dark pages by itself, or one of its shades, dark to bright.
  const colour = (name, shade) => {
    if (!shade) return name[0] === '#' ? name : `var(--${name})`;
    const base = rgb(name[0] === '#' ? name : look.getPropertyValue(`--${name}`).trim());
    const part = shade[1] < 2 ? 0.5 : shade[0] / (shade[1] - 1);
    return hex(base.map((v) => Math.floor(part < 0.5 ? v * (0.5 + part) : v + (255 - v) * (part - 0.5) * 1.3)));
  };
  return { number, tic, of, range, tics, palettes, hex, colour };
})();
