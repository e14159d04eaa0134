// What the page is about: a game, a position and the moves played from there. All of it stands in the address, so that it can be shared.

import { post } from './api.js';

/** @typedef {import('./api.js').Position} Position */
/** @typedef {import('./api.js').Place} Place */

export const state = {
  game: 'tictactoe',
  /** The position from which moves are counted; empty for the start. */
  base: '',
  /** @type {string[]} */
  moves: [],
  /** Moves that were taken back and can be played again, the next one last. @type {string[]} */
  undone: [],
  tab: 'values',
  /** @type {Position | null} */
  position: null,
};

/** @type {(() => void)[]} */
const listeners = [];

/** Calls a function after every change of the position or the tab. @param {() => void} listener */
export const onChange = (listener) => void listeners.push(listener);

/** The place that the server is asked about. @returns {Place} */
export function place() {
  const { game, base, moves } = state;
  return { game, ...(base && { position: base }), ...(moves.length && { moves: moves.join(' ') }) };
}

/** The current position as one text, without the way to it. @returns {Place} */
export const here = () => ({ game: state.game, ...(state.position && { position: state.position.position }) });

/** @typedef {Partial<Pick<typeof state, 'game' | 'base' | 'moves' | 'undone'>>} Change */

/** The changes that the server has not answered yet: each one starts from where the one before it has led. */
let underWay = Promise.resolve();

/**
 * Goes to another place, if the server accepts it and nothing was decided against it when its turn came.
 * @param {() => Change | null} change
 * @returns {Promise<void>}
 */
export function go(change) {
  const arrived = underWay.then(() => goNow(change()));
  underWay = arrived.catch(() => {});
  return arrived;
}

/** @param {Change | null} change */
async function goNow(change) {
  if (!change) return;
  const next = { game: state.game, base: state.base, moves: state.moves, undone: [], ...change };
  const asked = {
    game: next.game,
    ...(next.base && { position: next.base }),
    ...(next.moves.length && { moves: next.moves.join(' ') }),
  };
  const position = /** @type {Position} */ (await post('/position', asked));
  // The name of a file stays, since the server knows the file only by it.
  const game = next.game.endsWith('.toml') ? next.game : position.game;
  Object.assign(state, next, { game, position });
  changed();
}

/** Plays moves that were chosen in the position shown; in another one they may mean something else. @param {...string} moves */
export function play(...moves) {
  const shown = state.position;
  return go(() => (state.position === shown ? { moves: [...state.moves, ...moves] } : null));
}

/** Goes to the end of that many moves, of those played and those taken back. @param {() => number} count */
const goTo = (count) => go(() => {
  const all = [...state.moves, ...[...state.undone].reverse()];
  const kept = Math.max(0, count());
  return { moves: all.slice(0, kept), undone: all.slice(kept).reverse() };
});

/** @param {number} count */
export const undo = (count = 1) => goTo(() => state.moves.length - count);

export const redo = () => goTo(() => state.moves.length + 1);

/** @param {number} count */
export const goToPly = (count) => goTo(() => count);

/** @param {string} tab */
export function show(tab) {
  state.tab = tab;
  changed();
}

function changed() {
  history.replaceState(null, '', `#${address()}`);
  for (const listener of listeners) listener();
}

function address() {
  const { game, base, moves, tab } = state;
  const fields = new URLSearchParams({ game });
  if (base) fields.set('position', base);
  if (moves.length) fields.set('moves', moves.join(' '));
  if (tab !== 'values') fields.set('tab', tab);
  return fields;
}

/** Reads the address. */
export async function restore() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const moves = (fields.get('moves') ?? '').split(' ').filter(Boolean);
  state.tab = fields.get('tab') ?? state.tab;
  await go(() => ({ game: fields.get('game') ?? state.game, base: fields.get('position') ?? '', moves, undone: [] }));
}
