/**
 * The script of the report's page. It runs in a browser, from inside the page, as soon as the list's data is there and
 * before the details are. Text comes into the page as text, never as markup.
 */

const { findings, rules } = JSON.parse(document.getElementById('data').textContent);

/** An element with attributes and children; `undefined` children are left out. */
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key === 'style') element.style.cssText = value;
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== ''));
  return element;
}

const list = document.getElementById('list');
const article = document.getElementById('finding');
const filters = {
  text: document.getElementById('text'),
  alone: document.getElementById('alone'),
  boundary: document.getElementById('boundary'),
  rule: document.getElementById('rule'),
  state: document.getElementById('state'),
};
const shown = document.getElementById('shown');

/* ---- the list ---- */

const STATES = { new: 'new', known: 'known', agree: 'agrees' };

const entries = findings.map((finding, index) => {
  const { rule, boundary, alone, name, state, id, count, signature } = finding;
  const often = count > 1 ? ` × ${count.toLocaleString('en-GB')}` : '';
  const button = el(
    'button',
    { type: 'button', 'aria-current': 'false' },
    el('span', { class: 'rule' }, rule === '' ? name : rule),
    el(
      'span',
      { class: 'place' },
      el('span', { class: `tag ${state}` }, id ?? STATES[state]),
      ` ${boundary} · ${alone}${often}`,
    ),
    rule === '' ? undefined : el('span', { class: 'name' }, name),
  );
  button.addEventListener('click', () => open(index));
  const item = el('li', {}, button);
  const text = `${signature} ${name} ${id ?? ''} ${finding.title ?? ''}`.toLowerCase();
  return { finding, button, item, text, visible: true };
});

list.append(...entries.map(({ item }) => item));

function fill(select, values, any) {
  select.append(el('option', { value: '' }, any), ...values.map((value) => el('option', { value }, value)));
}

const distinct = (key) => [...new Set(findings.map((finding) => finding[key]))].filter((value) => value !== '').sort();
fill(filters.alone, distinct('alone'), 'any implementation');
fill(filters.boundary, distinct('boundary'), 'any boundary');
fill(filters.rule, distinct('rule'), 'any rule');
filters.state.append(
  el('option', { value: '' }, 'new and known'),
  ...distinct('state').map((state) => el('option', { value: state }, STATES[state])),
);

function filter() {
  const words = filters.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const entry of entries) {
    const { finding, item, text } = entry;
    const matches = (key) => filters[key].value === '' || filters[key].value === finding[key];
    entry.visible =
      matches('alone') &&
      matches('boundary') &&
      matches('rule') &&
      matches('state') &&
      words.every((word) => text.includes(word));
    item.hidden = !entry.visible;
    if (entry.visible) count += 1;
  }
  shown.textContent = `${count.toLocaleString('en-GB')} of ${findings.length.toLocaleString('en-GB')}`;
}

for (const control of Object.values(filters)) control.addEventListener('input', filter);

/* ---- one finding ---- */

/** The details of a finding; the page may still be on its way behind this script. */
async function detailOf(index) {
  const id = `finding-${index}`;
  if (document.getElementById(id) === null && document.readyState === 'loading') {
    await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));
  }
  return inflate(document.getElementById(id).textContent);
}

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

let current = -1;

async function open(index) {
  if (entries[index] === undefined) return;
  entries[current]?.button.setAttribute('aria-current', 'false');
  current = index;
  const { button, finding } = entries[index];
  button.setAttribute('aria-current', 'true');
  button.scrollIntoView({ block: 'nearest' });
  document.body.classList.add('open');
  history.replaceState(null, '', `#${index + 1}`);
  let detail;
  try {
    detail = await detailOf(index);
  } catch (error) {
    article.replaceChildren(el('p', {}, `This browser cannot show the finding: ${error.message}`));
    return;
  }
  // Another one was opened meanwhile.
  if (current !== index) return;
  article.replaceChildren(...show(finding, detail));
  article.scrollTop = 0;
  if (matchMedia('(max-width: 760px)').matches) scrollTo(0, 0);
}

function close() {
  document.body.classList.remove('open');
  entries[current]?.button.focus();
}

function specLink(section) {
  const [file, anchor] = section.split('#');
  const path = section.startsWith('interop/') ? file : `protocol/${file}`;
  const href = `https://specs.optimism.io/${path.replace(/\.md$/, '.html')}${anchor === undefined ? '' : `#${anchor}`}`;
  return el('a', { href, rel: 'noreferrer' }, section);
}

/** A rule's statement and where it stands. */
function statement(rule) {
  const [text, sections] = rules[rule];
  const links = sections.flatMap((section) => [' · ', specLink(section)]).slice(1);
  return el('blockquote', {}, text, links.length === 0 ? undefined : el('div', {}, 'specs: ', links));
}

function show(finding, detail) {
  const { title, link, state, id, source, signature } = finding;
  const out = [];
  const back = el('button', { type: 'button', class: 'plain', id: 'back' }, '← all findings');
  back.addEventListener('click', close);
  out.push(back, el('h2', { tabindex: '-1' }, detail.name));
  out.push(el('p', { class: 'muted' }, detail.summary));
  if (id !== undefined) {
    const words = [el('span', { class: `tag ${state}` }, id), ' ', title ?? ''];
    if (link !== undefined) words.push(' ', el('a', { href: link, rel: 'noreferrer' }, 'report'));
    out.push(el('p', {}, words));
  }
  out.push(verdict(detail));
  if (signature !== '') out.push(el('p', { class: 'code muted' }, signature));
  out.push(actions(finding, detail));
  out.push(...timeline(detail), ends(detail));
  if (detail.words.length > 0) out.push(el('p', { class: 'muted' }, detail.words.join(' · ')));
  if (source !== '') out.push(el('p', { class: 'muted' }, 'from ', el('code', {}, source)));
  return out;
}

function verdict({ difference, lanes }) {
  if (difference === null) {
    return el('div', { class: 'verdict agree' }, el('p', {}, lanes.length > 1 ? 'All agree.' : 'Only one was asked.'));
  }
  const { place, origin, verdict: words, sides, rule, decided, points } = difference;
  const at = origin === null ? '' : ` at L1 block ${origin}`;
  const box = el(
    'div',
    { class: 'verdict' },
    el('p', {}, el('strong', {}, `First difference: ${place}${at}: ${words}`)),
    el('p', {}, sides),
  );
  if (rule !== null) {
    box.append(el('p', {}, 'on the rule ', el('code', {}, rule), ` (${decided})`), statement(rule));
    for (const point of points) box.append(el('blockquote', {}, point));
  }
  return box;
}

function actions(finding, { vector, traces, left }) {
  const box = el('div', { class: 'actions' });
  const jump = el('button', { type: 'button', class: 'plain' }, 'to the first difference');
  jump.addEventListener('click', toDifference);
  if (finding.state !== 'agree') box.append(jump);
  if (vector !== null) box.append(save('vector', `${vector}\n`, 'holodiff.vector.json'));
  if (traces !== null)
    box.append(save('traces', traces.map((trace) => `${trace}\n`).join(''), 'holodiff.traces.ndjson'));
  if (left !== '') box.append(el('span', { class: 'muted' }, left));
  return box;
}

function save(name, text, file) {
  const link = el('a', { class: 'plain', href: '#', download: file }, `save ${name}`);
  link.addEventListener('click', () => {
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  });
  return link;
}

function toDifference() {
  article.querySelector('.line.first')?.scrollIntoView({ block: 'center' });
}

function timeline({ steps, lanes }) {
  const style = `--lanes: ${lanes.length}`;
  const names = el(
    'div',
    { class: 'line names', style },
    lanes.map(({ name, alone }) => el('span', { class: alone ? 'lane alone' : 'lane' }, name)),
    el(
      'span',
      { class: 'legend' },
      el('span', { class: 'mark' }),
      ' has it   ',
      el('span', { class: 'mark lacks' }),
      ' has not',
    ),
  );
  const told = new Set();
  return [names, ...steps.map((step) => line(step, lanes, style, told))];
}

const LANES = { '+': 'has', '-': 'lacks' };
const LANE_WORDS = { '+': 'has it', '-': 'has not' };

function line([kind, depth, title, detail, marks, first, reasons, content], lanes, style, told) {
  const odd = marks.replaceAll('.', '').split('+').length - 1 <= lanes.length / 2 ? '+' : '-';
  const cells = lanes.map(({ name, silent, alone }, index) => {
    const mark = marks[index];
    const cell = el('span', { class: silent ? 'cell silent' : 'cell' });
    if (LANES[mark] !== undefined) {
      const wrong = alone || (mark === odd && !lanes.some((lane) => lane.alone));
      cell.append(
        el('span', {
          class: `mark ${LANES[mark]}${wrong ? ' wrong' : ''}`,
          role: 'img',
          'aria-label': `${name} ${LANE_WORDS[mark]}`,
        }),
      );
    }
    return cell;
  });
  const step = el(
    'div',
    { class: 'step', style: `--depth: ${depth}` },
    el('span', { class: 'title' }, title),
    el('span', { class: 'detail' }, detail),
    first ? el('span', { class: 'marker' }, '◀ first difference') : undefined,
    reasons.map((reason) => reasonOf(reason, told)),
    content === 0 ? undefined : contentOf(content),
  );
  return el('div', { class: `line ${kind}${first ? ' first' : ''}`, style }, cells, step);
}

function reasonOf([rule, effect, verdict, facts], told) {
  const said = verdict === '' ? '' : ` says ${verdict}`;
  const head = [
    `↳ ${effect}: `,
    el('code', {}, rule),
    said,
    facts === '' ? '' : el('span', { class: 'more' }, ` (${facts})`),
  ];
  if (told.has(rule)) return el('details', { class: 'reason' }, el('summary', {}, head), statement(rule));
  told.add(rule);
  return el('div', { class: 'reason' }, head, statement(rule));
}

/** Decoded content and bytes, built when they are first looked at. */
function contentOf([lines, hex]) {
  const box = el('details', { class: 'content' }, el('summary', {}, lines.length > 0 ? 'decoded, and bytes' : 'bytes'));
  box.addEventListener(
    'toggle',
    () => {
      if (lines.length > 0) box.append(el('pre', { tabindex: '0' }, lines.join('\n')));
      if (hex.length > 0) box.append(el('pre', { tabindex: '0' }, hex.flatMap(hexLine)));
    },
    { once: true },
  );
  return box;
}

function hexLine([offset, part, bytes, label]) {
  return [
    el('span', { class: 'offset' }, `${String(offset).padStart(6)}  `),
    el('span', { class: `p${part % 5}` }, bytes),
    el('span', { class: 'label' }, label === '' ? '\n' : `  ${label}\n`),
  ];
}

function ends({ lanes, differsAtEnd }) {
  const rows = lanes.map(({ name, version, outcome, message, safeHead, alone }) =>
    el(
      'tr',
      { class: differsAtEnd && alone ? 'alone' : undefined },
      el('th', { scope: 'row' }, `${name} ${version}`),
      el('td', {}, message === '' ? outcome : `${outcome}: ${message}`),
      el('td', { class: 'code' }, safeHead),
    ),
  );
  const head = ['implementation', 'ends', 'at'].map((name) => el('th', { scope: 'col' }, name));
  return el('table', { class: 'ends' }, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows));
}

/* ---- keys ---- */

function move(by) {
  const visible = entries.map(({ visible: is }, index) => (is ? index : -1)).filter((index) => index >= 0);
  if (visible.length === 0) return;
  const focused = entries.findIndex(({ button }) => button === document.activeElement);
  const from = visible.indexOf(focused >= 0 ? focused : current);
  const next = visible[Math.min(visible.length - 1, Math.max(0, from + by))];
  entries[next].button.focus();
  if (!matchMedia('(max-width: 760px)').matches) open(next);
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === 'Escape') {
    if (typing) document.activeElement.blur();
    else close();
    return;
  }
  if (typing) return;
  if (event.key === '/') filters.text.focus();
  else if (event.key === 'j') move(1);
  else if (event.key === 'k') move(-1);
  else if (event.key === 'd') toDifference();
  else return;
  event.preventDefault();
});

/* ---- start ---- */

function measure() {
  document.documentElement.style.setProperty('--head', `${document.querySelector('header').offsetHeight}px`);
}

addEventListener('resize', measure);
// The table of coverage folds out; this event does not bubble.
document.querySelector('header').addEventListener('toggle', measure, true);
measure();
filter();
const wanted = Number(location.hash.slice(1)) - 1;
if (entries[wanted] !== undefined) open(wanted);
else if (entries.length > 0 && !matchMedia('(max-width: 760px)').matches) open(0);
if (entries.length === 0) article.replaceChildren(el('p', {}, 'Nothing new.'));
document.documentElement.dataset.ready = String(Math.round(performance.now()));
