// The page of `foamsim explore`: controls on one side, what they come to on the other, asked of the server at every change.
(() => {
  const one = (what) => document.querySelector(what);
  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  // What goes wrong behind a button is said where all that is wrong stands.
  const button = (textContent, action, properties = {}) => {
    const element = make('button', { type: 'button', textContent, ...properties });
    element.addEventListener('click', () => Promise.resolve().then(action).catch((error) => problem(error)));
    return element;
  };
  const token = new URLSearchParams(location.search).get('token') || '';
  // Figures that stand above all else, beside the time, where the workload has them.
  const FRONT = ['energy.joules', 'area.mm2', 'cost.die'];
  const [SWEEP, MAP, AT_ONCE, MOST_LEVERS, PAUSE] = [32, 12, 4, 18, 450];

  let model = null; // parameters, figures, and what the session is
  let figures = new Map();
  const controls = new Map(); // of "section.key"
  let sets = new Map(); // settings over the experiment: key to value, as --set has them
  const past = [];
  let base = null; // answers: of the experiment as it is,
  let now = null; // and at the settings
  let pins = [];
  let runs = [];
  let asked = 0; // number of the last question; an answer of an earlier one is late

  // ---- the server ----
  const settingsOf = (texts) => texts.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]);
  const listed = (map) => Array.from(map, ([key, value]) => `${key}=${value}`);
  const query = (path, map = new Map(), more = {}) => {
    const q = new URLSearchParams([['token', token], ...map, ...Object.entries(more)]);
    return `${path}?${q.toString().replace(/\+/g, '%20')}`;
  };
  // The answer; of what is wrong an Error with its words, `runs` where a run would tell.
  const ask = async (path, map, more, method = 'GET') => {
    let answer;
    try {
      answer = await fetch(query(path, map, more), { method });
    } catch {
      throw new Error('The server has ended: start foamsim explore again.');
    }
    if (answer.status === 429) {
      await new Promise((done) => { setTimeout(done, 500); });
      return ask(path, map, more, method);
    }
    const value = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(value.error), { runs: value.runs });
    return value;
  };
  const post = (path, map, more) => ask(path, map, more, 'POST');
  // Several questions, a few at a time; `each` hears of every answer, of what is wrong an answer without figures. False: another set
  // was begun.
  const begun = new Map();
  const askAll = async (name, questions, each) => {
    const mine = (begun.get(name) || 0) + 1;
    begun.set(name, mine);
    let next = 0;
    const worker = async () => {
      while (next < questions.length && begun.get(name) === mine) {
        const i = next++;
        const answer = await ask('/api/price', ...questions[i]).catch((error) => ({ figures: {}, wrong: [{ text: error.message }], impossible: true }));
        if (begun.get(name) === mine) each(i, answer);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return begun.get(name) === mine;
  };

  // ---- numbers as people read them ----
  const PREFIXES = [[1e-15, 'f'], [1e-12, 'p'], [1e-9, 'n'], [1e-6, 'µ'], [1e-3, 'm'], [1, '']];
  const shown = (value, unit) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (value === null || !Number.isFinite(value)) return '–';
    if (['s', 'J', 'W'].includes(unit) && value !== 0 && Math.abs(value) < 1) {
      const [by, letter] = PREFIXES.findLast(([size]) => Math.abs(value) >= size) || PREFIXES[0];
      return `${scales.number(value / by)} ${letter}${unit}`;
    }
    if (unit === 'B' && value >= 1024) return `${scales.number(value / 1024)} KiB`;
    return `${scales.number(value)}${unit ? ` ${unit}` : ''}`;
  };
  const valueOf = (answer, name) => {
    const figure = answer && answer.figures[name];
    return figure && typeof figure.value === 'number' ? figure.value : NaN;
  };
  const better = (name) => (figures.get(name) || {}).better || 'neither';
  // "−11 %" of what it was; a class says whether that is better.
  const difference = (name, was, is) => {
    const gap = is - was;
    const text = !Number.isFinite(gap) ? '–' : gap === 0 ? '=' : was === 0 ? `${gap > 0 ? '+' : '−'}${shown(Math.abs(gap), (figures.get(name) || {}).unit)}`
      : `${gap > 0 ? '+' : '−'}${scales.number(Math.abs((100 * gap) / was))} %`;
    const way = better(name);
    const look = !(gap < 0 || gap > 0) || way === 'neither' ? '' : (gap < 0) === (way === 'less') ? 'better' : 'worse';
    return { text, look };
  };
  const labelOf = (name) => (figures.get(name) || {}).label || name;
  const mainFigures = () => model.figures.filter((f) => f.place > 0 && base && base.figures[f.name]).sort((a, b) => a.place - b.place).map((f) => f.name);
  const front = () => [model.time, ...FRONT].filter((name) => name && figures.has(name));

  // ---- settings, the address, undo ----
  const amount = (text) => {
    const match = /^\s*(-?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*(.*?)\s*$/i.exec(text);
    return match ? { number: Number(match[1]), unit: match[2] } : null;
  };
  const written = (number, unit) => {
    const text = String(Number(number.toPrecision(4)));
    return unit ? `${text} ${unit}` : text;
  };
  const settingsOfAddress = () => new Map(settingsOf(location.hash.slice(1).split('&').filter((part) => part.includes('='))).map((pair) => pair.map(decodeURIComponent)));
  const keepAddress = () => {
    const hash = Array.from(sets, ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
    history.replaceState(null, '', `${location.pathname}${location.search}${hash ? `#${hash}` : ''}`);
  };
  // Takes settings as they are; `quietly`: nothing to undo, as while a slider is dragged.
  const take = (next, quietly) => {
    if (!quietly) past.push(sets);
    sets = next;
    keepAddress();
    showSettings();
    price();
  };
  const set = (key, value, quietly) => {
    const next = new Map(sets);
    next.delete(key);
    if (value !== controls.get(key)?.as) next.set(key, value);
    take(next, quietly);
  };

  // ---- controls ----
  const groupOf = (key) => { const parts = key.split('.'); return parts.length > 2 ? `${parts[0]}.${parts[1]}` : parts[0]; };
  const isNumber = (p) => (p.type === 'real' || p.type === 'whole') && amount(p.value) !== null;
  // What a slider spans, in the unit that the value is written in: its range where that is short, else around the value.
  const spanOf = (p) => {
    const { number, unit } = amount(p.as);
    const by = number !== 0 && p.number !== null ? p.number / number : 1;
    const [least, most] = [p.least === null ? -Infinity : p.least / by, p.most === null ? Infinity : p.most / by];
    const whole = p.type === 'whole' && Math.abs(by - 1) < 1e-9;
    if (whole && most - least <= 64) return { low: least, high: most, log: false, whole, unit };
    if (unit === '%' && most <= 1000) return { low: Math.max(least, 0), high: Math.min(most, Math.max(100, 2 * number)), log: false, whole: false, unit };
    if (number <= 0) return { low: Math.max(least, 0), high: Math.min(most, whole ? 16 : 10), log: false, whole, unit };
    return { low: Math.max(least, number / 8), high: Math.min(most, number * 8), log: true, whole, unit };
  };
  const along = (span, part) => {
    const v = span.log ? span.low * (span.high / span.low) ** part : span.low + part * (span.high - span.low);
    return span.whole ? Math.round(v) : v;
  };
  const partOf = (span, v) => (span.log ? Math.log(Math.max(v, span.low) / span.low) / Math.log(span.high / span.low) : (v - span.low) / (span.high - span.low));
  // So many values of a parameter from one end of its slider to the other, each once.
  const valuesOf = (p, count) => {
    if (p.choices.length > 0) return p.choices;
    const span = spanOf(p);
    return Array.from(new Set(Array.from({ length: count }, (_, i) => written(along(span, i / (count - 1)), span.unit))));
  };
  const sourceOf = (p) => {
    const words = { P: 'published', M: 'measured', R: 'derived', I: 'inferred', A: 'assumed', Y: 'yours', '-': 'a choice' }[p.confidence] || '';
    if (p.confidence === '-') return [p.source ? `a choice; ${p.source}` : 'a choice of the design'];
    if (p.confidence === 'Y') return ['yours'];
    const none = !p.source || p.source === 'no source';
    return none ? [`${words}, `, make('span', { className: 'unsourced', textContent: 'no source' })] : [`${words}: ${p.source}`];
  };

  let dragged = null; // the settings before a slider moved
  const control = (p) => {
    const id = `p-${p.key.replaceAll('.', '-')}`;
    const field = p.choices.length > 0 ? make('select', { id, className: 'value' }, ...p.choices.map((word) => new Option(word, word))) : make('input', { id, className: 'value' });
    const note = make('span', { className: 'note', id: `${id}-note` });
    const name = p.key.split('.').slice(groupOf(p.key).split('.').length).join('.') || p.key;
    const row = make('div', { className: 'parameter' }, make('label', { htmlFor: id, textContent: name, title: p.key }), field);
    const c = { ...p, as: p.value, row, field, note, slider: null };
    field.value = p.value;
    field.setAttribute('aria-describedby', note.id);
    field.addEventListener('change', () => set(p.key, field.value));
    const tools = make('span', { className: 'slide' });
    if (isNumber(p)) {
      c.slider = make('input', { type: 'range', min: 0, max: 1000, step: 1 });
      c.slider.setAttribute('aria-label', `${p.key}, slider`);
      c.slider.addEventListener('input', () => {
        const span = spanOf(c);
        dragged = dragged || sets;
        set(p.key, written(along(span, c.slider.value / 1000), span.unit), true);
      });
      c.slider.addEventListener('change', () => { if (dragged) past.push(dragged); dragged = null; showSettings(); });
      row.append(c.slider);
    } else row.append(make('span'));
    if (model.prices && p.touches === 'price' && (isNumber(p) || p.choices.length > 1)) {
      tools.append(button('plot', () => { one('#across').value = p.key; one('#up').value = ''; return drawPlot(); }, { title: `the figures against ${p.key}`, ariaLabel: `plot against ${p.key}` }));
    }
    c.back = button('as it is', () => set(p.key, c.as), { hidden: true, ariaLabel: `${p.key} as it is` });
    tools.append(c.back);
    row.append(tools, note);
    return c;
  };
  const describe = (c, p) => {
    const range = p.uncertain ? `; uncertain: ${p.uncertain[0]} to ${p.uncertain[1]}` : '';
    c.note.replaceChildren(`${p.doc} (`, ...sourceOf(p), `${range}${p.range ? `; from ${p.range}` : ''})`);
    c.row.classList.toggle('fixed', Boolean(p.fixed));
    if (p.fixed) c.note.append(` Changes nothing now: ${p.fixed}.`);
  };
  const buildControls = () => {
    for (const [where, wanted] of [['#prices', ['price']], ['#traffic', ['traffic', 'geometry']]]) {
      const groups = new Map();
      for (const p of model.parameters) {
        if (!wanted.includes(p.touches)) continue;
        const c = control(p);
        controls.set(p.key, c);
        describe(c, p);
        const group = groupOf(p.key);
        if (!groups.has(group)) groups.set(group, make('details', {}, make('summary', {}, group, ' ', make('span', { className: 'note' }))));
        groups.get(group).append(c.row);
      }
      // What changes nothing at these settings stands last: parameters in their group, groups of such alone.
      const idle = (box) => !box.querySelector('.parameter:not(.fixed)');
      for (const box of groups.values()) box.append(...box.querySelectorAll('.parameter.fixed'));
      const boxes = Array.from(groups.values()).sort((a, b) => idle(a) - idle(b));
      for (const box of boxes) box.querySelector('.note').textContent = `${box.querySelectorAll('.parameter').length}`;
      one(where).replaceChildren(...boxes);
    }
    for (const box of Array.from(document.querySelectorAll('#prices details')).slice(0, 2)) box.open = true;
    const plotted = Array.from(controls.values()).filter((c) => c.touches === 'price' && (c.slider || c.choices.length > 1));
    one('#across').replaceChildren(...plotted.map((c) => new Option(c.key, c.key)));
    one('#up').replaceChildren(new Option('nothing: a line', ''), ...plotted.filter((c) => c.slider).map((c) => new Option(c.key, c.key)));
  };
  const find = () => {
    const words = one('#find').value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const c of controls.values()) {
      const text = `${c.key} ${c.doc}`.toLowerCase();
      c.row.hidden = !words.every((word) => text.includes(word));
    }
    for (const box of document.querySelectorAll('#controls details')) {
      box.hidden = !box.querySelector('.parameter:not([hidden])');
      if (words.length > 0) box.open = true;
    }
  };
  const showSettings = () => {
    for (const c of controls.values()) {
      const value = sets.get(c.key) ?? c.as;
      if (document.activeElement !== c.field || c.choices.length > 0) c.field.value = value;
      const number = amount(value);
      if (c.slider && number && document.activeElement !== c.slider) c.slider.value = 1000 * Math.min(1, Math.max(0, partOf(spanOf(c), number.number)));
      c.slider?.setAttribute('aria-valuetext', value);
      c.row.classList.toggle('set', sets.has(c.key));
      c.back.hidden = !sets.has(c.key);
    }
    one('#undo').disabled = past.length === 0;
    one('#reset').disabled = sets.size === 0;
    one('#changed').textContent = sets.size === 0 ? 'Nothing is changed.' : `Changed: ${listed(sets).join(', ')}`;
    one('#yaml').href = query('/api/yaml', sets);
  };

  // ---- the price at the settings ----
  let asking = false;
  let again = false;
  const price = async () => {
    asked++;
    one('#sight').classList.add('stale');
    if (asking) { again = true; return; }
    asking = true;
    const mine = asked;
    const began = performance.now();
    try {
      now = await ask('/api/price', sets);
      problem(null);
      showAnswer();
      document.body.dataset.milliseconds = (performance.now() - began).toFixed(1);
    } catch (error) {
      now = null;
      problem(error);
      showAnswer();
    }
    asking = false;
    document.body.dataset.answered = mine;
    if (again) { again = false; price(); } else { one('#sight').classList.remove('stale'); settle(); }
  };
  // What follows when nobody drags: what parameters mean now, the bands, a sentence for who listens.
  let settling = 0;
  const settle = () => {
    clearTimeout(settling);
    settling = setTimeout(async () => {
      const mine = asked;
      const changed = await ask('/api/model', sets).catch(() => null);
      if (mine !== asked) return;
      if (changed) for (const p of changed.parameters) { const c = controls.get(p.key); if (c) { c.fixed = p.fixed; describe(c, p); } }
      one('#live').textContent = now ? `${front().map((name) => `${labelOf(name)} ${shown(valueOf(now, name), figures.get(name).unit)}, ${difference(name, valueOf(base, name), valueOf(now, name)).text} of the run`).join('; ')}` : one('#problem').textContent;
      if (now) drawBands();
      if (!now && changed && !model.prices && changed.seconds <= 5) startRun();
    }, PAUSE);
  };
  const problem = async (error) => {
    const box = one('#problem');
    box.hidden = !error;
    for (const c of controls.values()) {
      const wrong = Boolean(error) && !error.runs && error.message.includes(c.key);
      c.row.classList.toggle('wrong', wrong);
      c.field.setAttribute('aria-invalid', wrong);
    }
    if (!error) return;
    box.replaceChildren(make('b', { textContent: error.runs ? 'A price cannot tell. ' : 'Not possible. ' }), error.message);
    if (!error.runs) return;
    const changed = await ask('/api/model', sets).catch(() => null);
    const takes = changed && changed.seconds ? ` It takes about ${shown(Math.round(changed.seconds) || changed.seconds, 's')}.` : '';
    box.append(`\nA run would tell.${takes}`, button('run it beside the page', startRun, { id: 'start' }));
  };

  // ---- what it comes to ----
  const isWrong = (answer) => answer.wrong.length > 0;
  const reasonOf = (answer) => answer.wrong.map((w) => w.text).join('; ');
  // What is wrong with some answers, in a few words: the machine, where it is beyond what it was held to, or the answer itself.
  const faultOf = (wrong) => Array.from(new Set(wrong.map((w) => (w.held ? 'beyond a limit' : w.figure ? 'not a right answer' : 'not possible')))).join(', or ');
  const line = (name, answer) => {
    const last = pins[pins.length - 1];
    const box = make('div', {}, labelOf(name), make('b', { textContent: answer ? shown(valueOf(answer, name), figures.get(name).unit) : '–' }));
    const compare = (words, other) => {
      const { text, look } = difference(name, valueOf(other, name), valueOf(answer, name));
      box.append(make('i', { className: look, textContent: `${text} ${words}` }));
    };
    compare('of the run', base);
    if (last) compare(`of ${last.name.length > 14 ? 'the last pin' : `pin ${last.name}`}`, last.answer);
    return box;
  };
  const bar = (label, share, colour, words, ...more) => {
    const fill = make('i', { className: colour });
    fill.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
    const row = make('div', { className: 'hbar' }, make('span', { textContent: label }), make('span', { className: 'track' }, fill), make('b', { textContent: words }));
    row.lastChild.append(...more);
    return row;
  };
  const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
  const percent = (share) => `${scales.number(Number((100 * share).toPrecision(3)))} %`;
  const rung = (r) => {
    const words = { bound: 'upper bound', estimate: 'estimate' }[r.kind] || r.kind;
    const apply = () => button('set', () => take(new Map([...sets, ...settingsOf(r.sets.split(' '))])), { title: r.sets, ariaLabel: `set ${r.sets}` });
    const row = bar(r.said || r.name, r.gain_percent / 100, r.kind, `−${percent(r.gain_percent / 100)} `, ...(r.sets ? [apply()] : []));
    row.title = r.detail;
    row.firstChild.append(' ', make('span', { className: 'note', textContent: words }));
    return row;
  };
  const showAnswer = () => {
    const answer = now;
    one('#sight').replaceChildren(...front().map((name) => line(name, answer)));
    const wrong = answer ? answer.wrong : [];
    one('#verdict').replaceChildren(answer ? [shown(valueOf(answer, model.time), 's'), answer.pace].filter(Boolean).join('; ') : 'Nothing is known of these settings');
    if (wrong.length > 0) {
      one('#problem').hidden = false;
      one('#problem').replaceChildren(make('b', { textContent: `${capital(faultOf(wrong))}. ` }), wrong.map((w) => `${w.text}.`).join('\n'));
    }
    one('#cards').replaceChildren(...(answer ? answer.cards : []).map((card) => make('div', { className: 'card' }, make('span', { textContent: card.label }),
      make('b', { textContent: card.value, className: wrong.some((w) => w.figure === card.figure) ? 'bad' : '' }), make('span', { textContent: card.more }))));
    one('#parts').replaceChildren(...(answer ? answer.parts : []).map((p) => bar(p.label, p.share, p.colour, percent(p.share))));
    one('#pace').textContent = answer && answer.pace ? `${capital(answer.pace)}.` : '';
    const rungs = (answer ? answer.ladder : []).filter((r) => r.kind !== 'measured' && r.name !== 'all' && r.gain_percent > 0.05);
    one('#ladder').replaceChildren(...rungs.sort((a, b) => b.gain_percent - a.gain_percent).map(rung));
    showFigures();
    drawChip();
    one('#made').textContent = !answer ? '' : answer.layer === 'price' ? 'All figures are prices: those of a run with these settings, to the bit.' : 'All figures are those of a run with these settings.';
    one('#pin').disabled = !answer;
  };
  let bands = null;
  const showFigures = () => {
    const last = pins[pins.length - 1];
    const cell = (name, other) => { const { text, look } = difference(name, valueOf(other, name), valueOf(now, name)); return make('td', { className: `number ${look}`, textContent: other ? text : '' }); };
    one('#figures tbody').replaceChildren(...mainFigures().map((name) => {
      const wrong = now && now.wrong.find((w) => w.figure === name);
      const range = bands && bands.get(name);
      return make('tr', { className: wrong ? 'wrong' : '', title: wrong ? wrong.text : figures.get(name).doc }, make('th', { textContent: labelOf(name) }),
        make('td', { className: 'number', textContent: now ? shown(valueOf(now, name), figures.get(name).unit) : '–' }), cell(name, base), cell(name, last && last.answer),
        make('td', { className: 'number', textContent: range && range[0] < range[1] ? `${shown(range[0], figures.get(name).unit)} to ${shown(range[1], figures.get(name).unit)}` : '' }));
    }));
    one('#all tbody').replaceChildren(...Object.entries(now ? now.figures : {}).map(([name, { value, unit }]) => make('tr', {}, make('th', { textContent: name }),
      make('td', { className: 'number', textContent: value === null ? '–' : `${value}` }), make('td', { textContent: unit }))));
  };
  // Prices at draws of what is uncertain.
  const drawBands = async () => {
    if (!model.draws || !model.prices) return;
    const names = mainFigures();
    const found = new Map(names.map((name) => [name, [Infinity, -Infinity]]));
    const whole = await askAll('bands', Array.from({ length: model.draws }, (_, draw) => [sets, { draw, figures: names.join(',') }]), (i, answer) => {
      for (const name of names) {
        const v = valueOf(answer, name);
        const range = found.get(name);
        if (Number.isFinite(v)) found.set(name, [Math.min(range[0], v), Math.max(range[1], v)]);
      }
    });
    if (!whole) return;
    bands = found;
    one('#band').textContent = `The last column spans ${model.draws} draws of the parameters that no source fixes, each within its range; those that are set here stay.`;
    document.body.dataset.bands = 'ok';
    showFigures();
  };

  // ---- charts ----
  const list = (values) => Float64Array.from(values, (v) => (v === null || v === undefined ? NaN : v));
  const panelOf = (x, y, series, more = {}) => ({ x, y, colour: {}, series: series.map((s) => ({ ...s })), marks: [], ...more });
  const draws = (id, title, caption, panels, more = {}) => {
    const figure = one(`#${id}`);
    figure.hidden = false;
    figure.querySelector('h3').textContent = title;
    figure.querySelector('figcaption').textContent = caption;
    drawCharts.keep(figure, { id, title, panels, ...more });
  };
  const drawChip = () => {
    const t = now && now.tiles;
    one('#chip').hidden = !t;
    const phases = valueOf(now, 'device.cycles_compute');
    if (!t || !(phases > 0)) return;
    const used = t.compute.map((_, i) => i).filter((i) => t.compute[i] > 0);
    const of = (f) => list(used.map(f));
    const x = of((i) => t.column[i] * 4.4 + (t.sub[i] & 1) * 2 + (t.sub[i] >> 1));
    const y = of((i) => t.row[i]);
    const names = used.map((i) => `${t.role[i]} ${i}: column ${t.column[i]}, row ${t.row[i]}`);
    const value = of((i) => (100 * t.compute[i]) / phases);
    const [wide, high] = [Math.max(...x) + 2, Math.max(...y) + 2];
    const panel = panelOf({ low: -1, high: wide }, { low: -1, high, down: true }, [{ as: 'cells', label: 'computes', unit: '% of compute phases', x, y, value, names }],
      { colour: { label: '% of compute phases', log: Math.max(...value) > 50 * Math.min(...value), low: Math.max(0.1, Math.min(...value)), high: 100 }, flat: (high + 1) / (wide + 1), tall: 18 * (high + 1) });
    const busiest = used[value.indexOf(Math.max(...value))];
    draws('chip', `Where the chip works: ${t.role[busiest]} ${busiest} computes most, ${percent(t.compute[busiest] / phases)} of the compute phases`,
      'Compute cycles of a tile, of all in compute phases; columns of the chip side by side, rows from the top. Tiles that run nothing are left out.', [panel]);
  };
  const unitOf = (name) => (figures.get(name) || {}).unit || '';
  const axisOf = (name) => `${labelOf(name)}${unitOf(name) ? `, ${unitOf(name)}` : ''}`;
  // An axis of a parameter's values: numbers in their unit, or words side by side.
  const scaleOf = (p, texts) => {
    const numbers = texts.map((text) => amount(text));
    if (p.choices.length > 0 || numbers.some((n) => n === null)) return { axis: { label: p.key, names: texts }, at: texts.map((_, i) => i) };
    const span = spanOf(p);
    return { axis: { label: `${p.key}${span.unit ? `, ${span.unit}` : ''}`, log: span.log }, at: numbers.map((n) => n.number) };
  };
  const withSet = (key, value, from = sets) => new Map([...Array.from(from).filter(([k]) => k !== key), [key, value]]);
  const busy = (on) => { one('#plotting').hidden = !on; one('#plotting').removeAttribute('value'); };

  const drawSweep = async (p, name) => {
    const texts = valuesOf(p, SWEEP);
    const names = Array.from(new Set([name, ...front()]));
    const answers = [];
    const began = performance.now();
    if (!await askAll('plot', texts.map((text) => [withSet(p.key, text), { figures: names.join(',') }]), (i, answer) => { answers[i] = answer; })) return;
    const { axis, at } = scaleOf(p, texts);
    const y = texts.map((_, i) => valueOf(answers[i], name));
    const least = Math.min(...y.filter(Number.isFinite));
    const bad = at.map((_, i) => i).filter((i) => isWrong(answers[i]) && Number.isFinite(least));
    const series = [{ as: 'line', label: '', colour: 'series-0', x: list(at), y: list(y) }, { as: 'dots', label: labelOf(name), unit: unitOf(name), colour: 'series-0', x: list(at), y: list(y), names: texts }];
    if (bad.length > 0) series.push({ as: 'dots', label: faultOf(bad.flatMap((i) => answers[i].wrong)), colour: 'bad', size: 4, x: list(bad.map((i) => at[i])), y: list(bad.map((i) => (Number.isFinite(y[i]) ? y[i] : least))), names: bad.map((i) => `${texts[i]}: ${reasonOf(answers[i])}`.slice(0, 300)) });
    const marks = [];
    const here = sets.get(p.key) ?? p.as;
    const place = axis.names ? texts.indexOf(here) : amount(here).number;
    if (place >= 0 && (axis.names || (place >= Math.min(...at) && place <= Math.max(...at)))) marks.push({ kind: 'up', x: place, text: 'here' });
    for (const pin of pins) {
      const value = pin.sets.find((text) => text.startsWith(`${p.key}=`))?.slice(p.key.length + 1) ?? p.as;
      const x = axis.names ? texts.indexOf(value) : amount(value).number;
      if (x >= 0) marks.push({ kind: 'ring', x, y: valueOf(pin.answer, name), text: pin.name });
    }
    draws('sweep', `${labelOf(name)} against ${p.key}`, `${texts.length} prices, all else as it is set.`, [panelOf(axis, { label: axisOf(name) }, series, { marks })]);
    document.body.dataset.sweep = `${texts.length} in ${(performance.now() - began).toFixed(0)} ms`;
  };
  // Places of points that none beats in all of these, less being better.
  const frontOf = (lists) => lists[0].map((_, i) => i).filter((i) => lists.every((l) => Number.isFinite(l[i]))
    && !lists[0].some((__, k) => lists.every((l) => l[k] <= l[i]) && lists.some((l) => l[k] < l[i])));
  const drawMap = async (p, q, name) => {
    const [across, up] = [valuesOf(p, MAP), valuesOf(q, MAP).reverse()]; // the largest on top, as rows of a matrix begin there
    const goals = front().slice(0, 2);
    const names = Array.from(new Set([name, ...goals]));
    const answers = [];
    const questions = up.flatMap((v) => across.map((u) => [withSet(q.key, v, withSet(p.key, u)), { figures: names.join(',') }]));
    if (!await askAll('plot', questions, (i, answer) => { answers[i] = answer; })) return;
    const value = list(questions.map((_, i) => (isWrong(answers[i]) ? NaN : valueOf(answers[i], name))));
    const lists = goals.map((goal) => questions.map((_, i) => (isWrong(answers[i]) ? NaN : valueOf(answers[i], goal))));
    const best = goals.length > 1 ? frontOf(lists) : [];
    const marks = best.map((i) => ({ kind: 'ring', x: i % across.length, y: Math.floor(i / across.length), colour: 'bad' }));
    const cellNames = questions.map((_, i) => `${p.key} ${across[i % across.length]}, ${q.key} ${up[Math.floor(i / across.length)]}${isWrong(answers[i]) ? `: ${reasonOf(answers[i])}`.slice(0, 300) : ''}`);
    const panel = panelOf({ label: p.key, names: across }, { label: q.key, names: up, down: true }, [{ as: 'matrix', label: labelOf(name), unit: unitOf(name), value, cols: across.length, rows: up.length, names: cellNames }],
      { colour: { label: axisOf(name) }, colours: better(name) === 'more' ? 0 : 1, tall: 22 * up.length, marks });
    const without = faultOf(answers.flatMap((answer) => answer.wrong));
    draws('map', `${labelOf(name)} over ${p.key} and ${q.key}`, `${questions.length} prices. Brighter is better; ${without ? `a cell without a colour is ${without}` : 'every cell has a colour'}.${best.length > 0 ? ` Rings: the front, which no other cell beats in ${goals.map(labelOf).join(' and ')}.` : ''}`, [panel]);
    document.body.dataset.map = `${questions.length}`;
  };
  const drawPlot = async () => {
    const [p, q] = [controls.get(one('#across').value), controls.get(one('#up').value)];
    const name = one('#figure').value;
    one('#plots-section').hidden = false;
    busy(true);
    await (q && q !== p ? drawMap(p, q, name) : drawSweep(p, name));
    busy(false);
    one(q && q !== p ? '#map' : '#sweep').scrollIntoView({ block: 'nearest' });
  };
  // A quarter more and less of each number, two words beside the one of each choice.
  const steps = (c) => {
    const here = sets.get(c.key) ?? c.as;
    if (c.choices.length > 0) return c.choices.filter((word) => word !== here).slice(0, 2);
    const { number, unit } = amount(here) || {};
    if (number === undefined) return [];
    const span = spanOf(c);
    const by = number === 0 ? [1] : [number * 1.25, number / 1.25];
    const whole = by.map((v) => (span.whole ? (v < number ? Math.min(number - 1, Math.round(v)) : Math.max(number + 1, Math.round(v))) : v));
    return whole.filter((v) => v >= span.low && v <= Math.max(span.high, number)).map((v) => written(v, unit));
  };
  const drawTornado = async () => {
    const name = one('#figure').value;
    const was = valueOf(now, name);
    const began = performance.now();
    const moves = Array.from(controls.values()).filter((c) => c.touches === 'price' && !c.fixed && (c.slider || c.choices.length > 1)).map((c) => ({ key: c.key, steps: steps(c) }));
    // One step of each; then the other way of those that moved it most.
    const step = async (some, which) => {
      const levers = some.filter((m) => m.steps.length > which).map((m) => ({ key: m.key, value: m.steps[which] }));
      const whole = await askAll('plot', levers.map(({ key, value }) => [withSet(key, value), { figures: name }]), (i, answer) => { levers[i].change = (100 * (valueOf(answer, name) - was)) / was; });
      return whole ? levers.filter((l) => Number.isFinite(l.change) && l.change !== 0) : null;
    };
    one('#plots-section').hidden = false;
    busy(true);
    const first = await step(moves, 0);
    if (!first) return;
    const keys = first.sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, MOST_LEVERS).map((l) => l.key);
    const second = await step(moves.filter((m) => keys.includes(m.key)), 1);
    if (!second) return;
    busy(false);
    document.body.dataset.tornado = `${moves.length} in ${(performance.now() - began).toFixed(0)} ms`;
    const rows = [...first, ...second].filter((l) => keys.includes(l.key));
    const half = (good) => rows.filter((l) => ((l.change < 0) === (better(name) !== 'more')) === good);
    const series = [['better', 'good', half(true)], ['worse', 'bad', half(false)]].filter(([, , some]) => some.length > 0).map(([label, colour, some]) => ({
      as: 'spans', label, unit: '%', colour, y: list(some.map((l) => keys.indexOf(l.key))), low: list(some.map(() => 0)), high: list(some.map((l) => l.change)), texts: some.map((l) => l.value), names: some.map((l) => `${l.key} ${l.value}`),
    }));
    const most = 1.35 * Math.max(1e-9, ...rows.map((l) => Math.abs(l.change)));
    draws('tornado', `What moves ${labelOf(name)} most: one step of each parameter`, `A quarter less or more of each number, or another word; of ${moves.length} parameters the ${keys.length} that move it most are drawn.`,
      keys.length === 0 ? [] : [panelOf({ label: `change of ${labelOf(name)}, %`, low: -most, high: most }, { label: ' ', names: keys, down: true, low: -0.5, high: keys.length - 0.5 }, series, { tall: 24 * keys.length + 10, marks: [{ kind: 'up', x: 0 }] })]);
    one('#tornado').scrollIntoView({ block: 'nearest' });
  };

  // ---- pins ----
  const showPins = () => {
    const names = front();
    one('#pins-section').hidden = pins.length === 0;
    one('#pins thead').replaceChildren(make('tr', {}, ...['point', ...names.map((name) => axisOf(name)), 'settings', ''].map((text, i) => make('th', { textContent: text, className: i > 0 && i <= names.length ? 'number' : '' }))));
    one('#pins tbody').replaceChildren(...pins.map((pin, i) => {
      const go = button(pin.name, () => take(new Map(settingsOf(pin.sets))), { className: 'pick', title: 'take its settings' });
      const away = button('remove', async () => { pins = await post('/api/unpin', undefined, { number: i }); showPins(); showAnswer(); }, { ariaLabel: `remove ${pin.name}` });
      const row = make('tr', { className: isWrong(pin.answer) ? 'wrong' : '' }, make('th', {}, go), ...names.map((name) => {
        const { text, look } = difference(name, valueOf(base, name), valueOf(pin.answer, name));
        return make('td', { className: 'number' }, `${shown(valueOf(pin.answer, name), unitOf(name))} `, make('span', { className: look, textContent: text }));
      }), make('td', { className: 'words' }, make('code', { textContent: pin.sets.join(' ') || 'as it is' }), isWrong(pin.answer) ? ` ${capital(faultOf(pin.answer.wrong))}: ${reasonOf(pin.answer)}.` : ''), make('td', {}, away));
      return row;
    }));
    if (pins.length === 0 || names.length < 2) return;
    const [x, y] = names;
    // Room for names above the dots.
    const room = (v) => { const [low, high] = [Math.min(...v), Math.max(...v)]; const gap = high - low || Math.abs(high) || 1; return { low: low - 0.1 * gap, high: high + 0.25 * gap }; };
    const points = [{ name: 'as it is', answer: base }, ...pins];
    const part = (some, label, colour) => ({ as: 'dots', label, colour, size: 4, x: list(some.map((o) => valueOf(o.answer, x))), y: list(some.map((o) => valueOf(o.answer, y))), texts: some.map((o) => o.name), names: some.map((o) => o.name) });
    const [good, bad] = [points.filter((o) => !isWrong(o.answer)), points.filter((o) => isWrong(o.answer))];
    draws('front', `${labelOf(y)} against ${labelOf(x)}`, 'The run as it is and the pinned points.', [panelOf({ label: axisOf(x) }, { label: axisOf(y), ...room(points.map((o) => valueOf(o.answer, y))) }, [part(good, 'points', 'series-0'), ...(bad.length > 0 ? [part(bad, faultOf(bad.flatMap((o) => o.answer.wrong)), 'bad')] : [])])]);
  };
  // Without a name of the reader's a point is called A, B, ...
  const pin = async () => {
    const letter = (n) => (n < 26 ? String.fromCharCode(65 + n) : `P${n + 1}`);
    let n = 0;
    while (pins.some((p) => p.name === letter(n))) n++;
    const name = one('#name').value.trim() || letter(n);
    pins = await post('/api/pin', sets, { pin: name });
    one('#name').value = '';
    showPins();
    showAnswer();
    done(`pinned as ${name}`);
  };

  // ---- runs beside the page ----
  let listening = 0;
  const showRuns = () => {
    one('#runs').hidden = runs.length === 0;
    one('#runs').replaceChildren(...runs.map((r) => {
      const bar = make('progress', r.total > 0 ? { max: r.total, value: r.done } : {});
      bar.setAttribute('aria-label', `progress of run ${r.run}`);
      const words = r.state === 'running' ? `${r.task || 'begins'}, ${scales.number(Math.round(r.seconds))} s${r.expected ? ` of about ${scales.number(Math.ceil(r.expected))} s` : ''}` : r.state === 'done' ? `joined: it answers${model.prices ? ', and prices go on from it' : ''}` : r.error;
      const row = make('div', { className: 'run' }, make('code', { textContent: r.sets.join(' ') || 'as it is' }), ...(r.state === 'running' ? [bar] : []), make('span', { textContent: words, className: r.state === 'failed' ? 'worse' : 'note' }));
      if (r.state === 'running') row.append(button('stop', async () => { runs = await post('/api/stop', undefined, { number: r.run }); showRuns(); }));
      if (r.state === 'done') row.append(button('show', () => take(new Map(settingsOf(r.sets)))));
      return row;
    }));
  };
  const listen = async () => {
    clearTimeout(listening);
    const before = runs.filter((r) => r.state === 'running').length;
    runs = await ask('/api/runs').catch(() => runs);
    showRuns();
    const left = runs.filter((r) => r.state === 'running').length;
    if (left < before) price();
    document.body.dataset.runs = runs.map((r) => r.state).join(' ');
    if (left > 0) listening = setTimeout(listen, 400);
  };
  const startRun = async () => {
    if (runs.some((r) => r.state === 'running' && r.sets.join(' ') === listed(sets).join(' '))) return;
    await post('/api/run', sets).catch((error) => problem(error));
    listen();
  };

  // ---- taking it along ----
  const done = (text) => { one('#done').textContent = text; };
  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      done(`${what} is copied`);
    } catch {
      done(text);
    }
  };
  const quoted = (word) => (/^[\w./:=,%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const command = () => ['foamsim run', quoted(model.command), ...[...model.own, ...listed(sets)].map((text) => `--set ${quoted(text)}`)].join(' ');

  // ---- from here on ----
  const begin = async () => {
    model = await ask('/api/model');
    figures = new Map(model.figures.map((f) => [f.name, f]));
    document.title = `${model.name} explored`;
    one('#subject').textContent = `${model.name}: the workload ${model.workload}, ${model.subject} explored`;
    one('#takes').textContent = `A run as it is takes about ${scales.number(Math.max(1, Math.round(model.seconds || 1)))} s of one core.${model.prices ? '' : ' This workload has no prices: every change is a run.'}`;
    one('#store').textContent = `to ${model.store}, which foamsim report and query read${model.export ? `; ${model.export} is kept as a page` : ''}`;
    one('#what').hidden = !model.prices;
    if (!model.prices) one('#answered').textContent = 'Prices: a run each, as nothing is recorded to price from';
    buildControls();
    base = await ask('/api/price');
    const names = mainFigures();
    one('#figure').replaceChildren(...names.map((name) => new Option(labelOf(name), name)));
    one('#figure').value = model.time || names[0];
    pins = await ask('/api/pins');
    sets = settingsOfAddress();
    showSettings();
    showPins();
    await post('/api/enter');
    listen();
    setInterval(() => ask('/api/runs').catch(() => {}), 30000); // somebody is here
    await price();
    document.body.dataset.ready = 'ok';
  };
  one('#find').addEventListener('input', find);
  one('#controls').addEventListener('submit', (event) => event.preventDefault());
  const undo = () => { if (past.length > 0) take(past.pop(), true); };
  one('#undo').addEventListener('click', undo);
  one('#reset').addEventListener('click', () => take(new Map()));
  one('#pin').addEventListener('click', () => pin().catch(problem));
  one('#what').addEventListener('click', drawTornado);
  one('#plot').addEventListener('click', drawPlot);
  one('#link').addEventListener('click', () => copy(location.href, 'the link'));
  one('#line').addEventListener('click', () => copy(command(), 'the command line'));
  one('#save').addEventListener('click', () => post('/api/save').then(({ store, points }) => { one('#store').textContent = `${points} saved: foamsim report ${store}`; document.body.dataset.saved = points; }, problem));
  addEventListener('hashchange', () => take(settingsOfAddress()));
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !/^(text|search)$/.test(event.target.type || '')) { event.preventDefault(); undo(); }
  });
  addEventListener('pagehide', () => navigator.sendBeacon(query('/api/leave')));
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
  begin().catch((error) => { one('#verdict').textContent = error.message; });
})();
