// Values of charts: numbers that stand in the page once, deflated in base64, and what charts make of them.
const values = (() => {
  const unpacked = new Map();
  const inflate = async (element) => {
    const bytes = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer());
  };
  // Planes of bytes, the lowest first; of whole numbers what is added to the one before, of either sign folded.
  const whole = (bytes, count, width, none, scale) => {
    const out = new Float64Array(count);
    const mask = width === 2 ? 0xffff : 0xffffffff;
    for (let i = 0, last = 0; i < count; i++) {
      let folded = 0;
      for (let k = 0; k < width; k++) folded += bytes[k * count + i] * 2 ** (8 * k);
      last = ((last + ((folded >>> 1) ^ -(folded & 1))) & mask) >>> 0;
      out[i] = last === none ? NaN : last * scale;
    }
    return out;
  };
  const real = (bytes, count) => {
    const view = new DataView(new ArrayBuffer(4));
    return Float64Array.from({ length: count }, (_, i) => {
      for (let k = 0; k < 4; k++) view.setUint8(k, bytes[k * count + i]);
      return view.getFloat32(0, true);
    });
  };
  const unpack = (id) => {
    if (!unpacked.has(id)) {
      const element = document.getElementById(id);
      const { kind, count, scale } = element.dataset;
      const n = Number(count);
      unpacked.set(id, inflate(element).then((bytes) => {
        const width = { u16: 2, i32: 4, f32: 4 }[kind];
        if (width && bytes.length !== width * n) throw new Error(`${id}: ${bytes.length} bytes of ${n} values`);
        return kind === 'words' ? new TextDecoder().decode(bytes).split('\0')
          : kind === 'f32' ? real(bytes, n) : whole(bytes, n, width, kind === 'u16' ? 0xffff : 0x7fffffff, Number(scale));
      }));
    }
    return unpacked.get(id);
  };
  // A list, an id, a regular row, or others in another way.
  const resolve = async (ref) => {
    if (ref === undefined || ref === null) return null;
    if (typeof ref === 'string') return unpack(ref);
    if (Array.isArray(ref)) return typeof ref[0] === 'string' ? ref : Float64Array.from(ref, (v) => (v === null ? NaN : v));
    if (ref.count !== undefined) return Float64Array.from({ length: ref.count }, (_, i) => ref.from + i * ref.step);
    const [of, less, where] = await Promise.all([resolve(ref.of), resolve(ref.less), resolve(ref.where)]);
    const out = of.map((v, i) => (where && where[i] !== ref.is ? 0 : v - (less ? less[i] : 0)));
    out.partly = where !== null; // what is 0 there belongs to another series
    return out;
  };
  const fields = ['x', 'y', 'x2', 'y2', 'low', 'high', 'value', 'hollow', 'texts', 'names', 'at'];
  const panel = async (p) => {
    for (const axis of [p.x, p.y, p.colour]) for (const key of ['names', 'tics']) axis[key] = await resolve(axis[key]);
    for (const series of p.series) {
      for (const key of fields) series[key] = await resolve(series[key]);
      for (const frames of series.frames || []) { await panel(frames.of); frames.row = await resolve(frames.row); }
    }
    return p;
  };
  const points = new Map();
  // The list of things that marks stand for: names, and series of figures.
  const listed = (id) => {
    if (!points.has(id)) {
      const spec = JSON.parse(document.getElementById(id).textContent);
      points.set(id, panel(spec).then(async () => ({ names: await resolve(spec.names), series: spec.series })));
    }
    return points.get(id);
  };
  const chart = async (element) => {
    const spec = JSON.parse(element.textContent);
    for (const p of spec.panels) {
      await panel(p);
      for (const series of p.series) series.points = series.points ? await listed(series.points) : null;
    }
    return spec;
  };
  // All at once, so that charts wait for nothing when they are drawn.
  const unpackAll = () => Promise.all(Array.from(document.querySelectorAll('script[data-kind]'), (element) => unpack(element.id).catch(() => {})));
  return { chart, listed, unpackAll };
})();
