// The list of moves: the first way to play, and the place where values stand in words.

import * as board from './board.js';
import { byId, capital, el, fill, rove } from './dom.js';
import { play, state } from './state.js';
import { distance } from './values.js';

/** @typedef {import('./values.js').Known} Known */

/** In the order in which they are listed. */
const GROUPS = /** @type {const} */ ([
  ['win', 'Winning'], ['score', 'Known score'], ['bounds', 'Partly known'], ['unknown', 'Not decided'], ['draw', 'Drawing'], ['loss', 'Losing'],
]);

/** Prepares the list. */
export function prepare() {
  rove(byId('moves'), 'button.move');
  document.addEventListener('selection', () => render(latest));
}

/** @type {Map<string, Known>} */
let latest = new Map();

/** @param {Map<string, Known>} known */
export function render(known) {
  latest = known;
  const position = state.position;
  if (!position) return;
  const holder = byId('moves');
  const focusedMove = holder.contains(document.activeElement) ? document.activeElement?.getAttribute('data-move') : null;
  const narrowed = board.candidatesNow();
  const moves = narrowed ?? position.moves;
  const groups = known.size === 0 ? [['', moves]] : GROUPS.map(([kind, title]) => [title, ordered(moves, kind, known)]);
  const lists = /** @type {[string, string[]][]} */ (groups).filter(([, members]) => members.length > 0);
  fill(holder,
    narrowed ? el('p', { class: 'quiet' }, 'Moves of the selected cells:') : null,
    moves.length === 0 ? el('p', { class: 'quiet' }, 'None: the game is over.') : null,
    ...lists.flatMap(([title, members]) => [
      title ? el('h3', {}, `${title} `, el('span', { class: 'count' }, String(members.length))) : null,
      el('ul', {}, ...members.map((move) => el('li', {}, button(move, known.get(move))))),
    ]));
  const buttons = /** @type {HTMLElement[]} */ ([...holder.querySelectorAll('button.move')]);
  const kept = buttons.find((item) => item.getAttribute('data-move') === focusedMove);
  for (const item of buttons) item.tabIndex = -1;
  const stop = kept ?? buttons[0];
  if (stop) stop.tabIndex = 0;
  kept?.focus();
}

/** @param {string[]} moves @param {string} kind @param {Map<string, Known>} known */
function ordered(moves, kind, known) {
  const members = moves.filter((move) => known.get(move)?.kind === kind);
  const length = (/** @type {string} */ move) => known.get(move)?.value.plies ?? known.get(move)?.value.plies_at_most ?? Infinity;
  const score = (/** @type {string} */ move) => Number(known.get(move)?.value.at_least);
  if (kind === 'win') members.sort((a, b) => length(a) - length(b) || 0);
  if (kind === 'loss') members.sort((a, b) => length(b) - length(a) || 0);
  if (kind === 'score') members.sort((a, b) => score(b) - score(a));
  return members;
}

/** @param {string} move @param {Known | undefined} known */
function button(move, known) {
  const attributes = {
    type: 'button', class: `move ${known?.kind ?? ''}`, 'data-move': move,
    onclick: () => void play(move),
    onpointerenter: () => board.point(move),
    onpointerleave: () => board.point(null),
    onfocus: () => board.point(move),
    onblur: () => board.point(null),
  };
  if (!known) return el('button', attributes, el('span', { class: 'name' }, move));
  return el('button', attributes,
    el('span', { class: `shape ${known.kind}`, 'aria-hidden': 'true' }),
    el('span', { class: 'name' }, move),
    el('span', { class: 'word' }, known.only ? 'only win' : capital(known.words)),
    el('span', { class: 'distance' }, distance(known.value)));
}
