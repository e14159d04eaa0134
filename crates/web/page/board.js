// The board: the game's picture with a grid of cells over it, for pointers and for the keyboard.

import { byId, el, fill, svg } from './dom.js';
import { play, state } from './state.js';

/** @typedef {import('./api.js').Position} Position */
/** @typedef {import('./values.js').Known} Known */

/** The cells that were clicked for a move of several cells. @type {number[]} */
let selected = [];
/** The cell that the keyboard is at. */
let focused = 0;
/** @type {Map<string, Known>} */
let values = new Map();
/** @type {((message: string) => void) | null} */
let refuse = null;

/** @param {(message: string) => void} report */
export const onRefusal = (report) => void (refuse = report);

/** Draws the current position. */
export function draw() {
  const position = state.position;
  if (!position) return;
  selected = [];
  const holder = byId('board');
  const hadFocus = holder.contains(document.activeElement);
  const parsed = new DOMParser().parseFromString(position.svg, 'image/svg+xml').documentElement;
  const drawing = svg('g', { class: 'drawing', 'aria-hidden': 'true' });
  drawing.append(...[...parsed.childNodes].map((node) => document.importNode(node, true)));
  const box = parsed.getAttribute('viewBox') ?? '0 0 100 100';
  const marks = svg('g', { class: 'marks', 'aria-hidden': 'true' });
  const picture = svg('svg', { viewBox: box, class: 'picture' }, drawing, marks, grid(position));
  fill(holder, picture, position.cells.length === 0 && el('p', { class: 'quiet' }, 'This game has no board; use the list of moves.'));
  fill(byId('notes'), ...position.notes.map((note) => el('p', {}, note)));
  if (focused >= position.cells.length) focused = 0;
  refresh();
  if (hadFocus) cellElement(focused)?.focus();
}

/** Shows what is known of the moves. @param {Map<string, Known>} known */
export function showValues(known) {
  values = known;
  refresh();
}

/** Shows which cells a move belongs to. @param {string | null} move */
export function point(move) {
  const position = state.position;
  if (!position) return;
  const cells = move === null ? [] : position.move_cells[position.moves.indexOf(move)] ?? [];
  for (const [cell, element] of cellElements().entries()) {
    element.classList.toggle('pointed', cells.includes(cell));
  }
}

/** @param {Position} position */
function grid(position) {
  /** @type {Map<number, number[]>} */
  const rows = new Map();
  position.cells.forEach((cell, number) => rows.set(cell.row, [...(rows.get(cell.row) ?? []), number]));
  const ordered = [...rows.entries()].sort(([a], [b]) => a - b);
  if (ordered.length === 0) return svg('g');
  const cells = ordered.map(([, numbers]) => {
    const inRow = numbers.sort((a, b) => (position.cells[a]?.x ?? 0) - (position.cells[b]?.x ?? 0));
    return svg('g', { role: 'row' }, ...inRow.map((number) => cell(position, number)));
  });
  return svg('g', { role: 'grid', 'aria-label': `Board of ${position.title ?? position.game}`, onkeydown: key }, ...cells);
}

/** @param {Position} position @param {number} number */
function cell(position, number) {
  const { x, y } = position.cells[number] ?? { x: 0, y: 0 };
  const shape = svg('rect', { x: x - 19, y: y - 19, width: 38, height: 38, rx: 4 });
  const attributes = { role: 'gridcell', class: 'cell', 'data-cell': number, tabindex: -1, onclick: () => click(number) };
  return svg('g', attributes, shape);
}

const cellElements = () => /** @type {SVGElement[]} */ (
  [...byId('board').querySelectorAll('.cell')].sort((a, b) => numberOf(a) - numberOf(b)));

/** @param {Element} element */
const numberOf = (element) => Number(element.getAttribute('data-cell'));

/** @param {number} number */
const cellElement = (number) => cellElements()[number];

/** The cells that a move is clicked by: in a rack any cell of its column will do. @param {Position} position @param {number} nth */
const clicksOf = (position, nth) => position.move_cells[nth] ?? [];

/** @param {Position} position @param {number} nth @param {number[]} chosen */
function fits(position, nth, chosen) {
  const cells = clicksOf(position, nth);
  if (!position.columns) return chosen.every((cell) => cells.includes(cell));
  const column = position.cells[cells[0] ?? 0]?.column;
  return chosen.every((cell) => position.cells[cell]?.column === column);
}

/** The moves that the clicked cells leave. @param {number[]} chosen */
function candidates(chosen) {
  const position = state.position;
  if (!position) return [];
  return position.moves.filter((_, nth) => clicksOf(position, nth).length > 0 && fits(position, nth, chosen));
}

/** The moves that the selection leaves, for the list; all of them if nothing is selected. */
export const candidatesNow = () => (selected.length ? candidates(selected) : null);

/** @param {number} number */
async function click(number) {
  const position = state.position;
  if (!position || position.moves.length === 0) return;
  focused = number;
  const again = selected.includes(number);
  const chosen = again ? selected : [...selected, number];
  let left = candidates(chosen);
  if (left.length === 0) {
    // Another piece is meant.
    selected = candidates([number]).length ? [number] : [];
    if (selected.length === 0) refuse?.(`no move belongs to ${position.cells[number]?.name ?? 'this cell'}`);
    left = candidates(selected);
  } else {
    selected = chosen;
  }
  const whole = left.filter((move) => complete(position, move));
  if (whole.length === 1 && whole[0] !== undefined && selected.length && (left.length === 1 || again)) {
    await play(whole[0]);
    return;
  }
  if (again && whole.length === 0) selected = [];
  refresh();
  document.dispatchEvent(new CustomEvent('selection'));
}

/** Whether all cells of a move are selected. @param {Position} position @param {string} move */
function complete(position, move) {
  const cells = clicksOf(position, position.moves.indexOf(move));
  return position.columns || new Set(cells).size === selected.length;
}

/** Labels, tab stop, selection and values of all cells. */
function refresh() {
  const position = state.position;
  if (!position) return;
  const left = candidates(selected);
  /** @type {Map<number, string[]>} */
  const next = new Map();
  for (const move of left) {
    const cells = clicksOf(position, position.moves.indexOf(move));
    const open = cells.filter((cell) => !selected.includes(cell));
    // The mark of a move stands on the last cell to be clicked.
    for (const cell of open.length ? open : cells) next.set(cell, [...(next.get(cell) ?? []), move]);
  }
  /** @type {SVGElement[]} */
  const marks = [];
  for (const [number, element] of cellElements().entries()) {
    const cell = position.cells[number];
    if (!cell) continue;
    const moves = next.get(number) ?? [];
    const only = moves.length === 1 ? moves[0] : undefined;
    const known = only === undefined ? undefined : values.get(only);
    const shown = known && clicksOf(position, position.moves.indexOf(only ?? '')).length <= selected.length + 1 ? known : undefined;
    const parts = [cell.name, cell.content];
    if (shown && shown.kind !== 'unknown') parts.push(shown.words);
    if (selected.includes(number)) parts.push('selected');
    element.setAttribute('aria-label', parts.join(', '));
    element.setAttribute('tabindex', number === focused ? '0' : '-1');
    element.classList.toggle('selected', selected.includes(number));
    element.classList.toggle('legal', moves.length > 0);
    if (shown && shown.kind !== 'unknown') marks.push(mark(cell.x, cell.y, shown));
  }
  const layer = byId('board').querySelector('.marks');
  if (layer) fill(layer, ...marks);
}

/**
 * The shape of a value: the same as in the list of moves.
 * @param {number} x @param {number} y @param {Known} known
 */
function mark(x, y, known) {
  const shapes = /** @type {Record<string, string>} */ ({
    win: 'M0 -8 L8 6 L-8 6 Z',
    loss: 'M0 8 L8 -6 L-8 -6 Z',
    draw: 'M-7 -7 H7 V7 H-7 Z',
    score: 'M0 -8 L8 0 L0 8 L-8 0 Z',
    bounds: 'M-7 -4 H7 M-7 4 H7',
  });
  const shape = svg('path', { d: shapes[known.kind] ?? '', class: `value ${known.kind}` });
  const text = known.kind === 'score' ? svg('text', { y: 4, class: 'score-text' }, String(known.value.at_least)) : null;
  const only = known.only ? svg('circle', { r: 14, class: 'only' }) : null;
  return svg('g', { transform: `translate(${x} ${y})` }, only, shape, text);
}

/** @param {KeyboardEvent} event */
function key(event) {
  const position = state.position;
  const from = position?.cells[focused];
  if (!position || !from) return;
  const directions = /** @type {Record<string, [number, number]>} */ ({
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  });
  const direction = directions[event.key];
  if (direction) {
    focused = nearest(position, focused, direction);
  } else if (event.key === 'Home' || event.key === 'End') {
    const row = position.cells.map((cell, number) => ({ ...cell, number })).filter((cell) => cell.row === from.row);
    row.sort((a, b) => a.x - b.x);
    focused = (event.key === 'Home' ? row[0] : row[row.length - 1])?.number ?? focused;
  } else if (event.key === 'Enter' || event.key === ' ') {
    void click(focused);
  } else if (event.key === 'Escape') {
    selected = [];
  } else {
    return;
  }
  event.preventDefault();
  refresh();
  cellElement(focused)?.focus();
}

/**
 * The nearest cell in a direction, those straight ahead first.
 * @param {Position} position @param {number} number @param {[number, number]} direction
 */
function nearest(position, number, [dx, dy]) {
  const from = position.cells[number];
  let best = number;
  let least = Infinity;
  for (const [other, cell] of position.cells.entries()) {
    if (!from) break;
    const ahead = (cell.x - from.x) * dx + (cell.y - from.y) * dy;
    const aside = Math.abs((cell.x - from.x) * dy) + Math.abs((cell.y - from.y) * dx);
    const distance = ahead + 3 * aside;
    if (ahead > 1 && distance < least) {
      least = distance;
      best = other;
    }
  }
  return best;
}
