// Choosing a game, setting up a position, going back and forth, sharing.

import { get, post } from './api.js';
import { byId, dialog, el, fill, input, plural } from './dom.js';
import { go, goToPly, redo, state, undo } from './state.js';

/** Small boards that are solved while one watches. */
const EXAMPLES = ['tictactoe', 'connect4:5x4', 'hex:4', 'domineering:5x5', 'nim:3,4,5', 'reversi:4', 'breakthrough:5x4', 'clobber:4x5'];

/** @type {{ game: string, usage: string, about: string }[]} */
let games = [];

/** @param {(text: string) => void} say */
export function prepare(say) {
  byId('choose').addEventListener('click', () => void open());
  byId('back').addEventListener('click', () => void undo());
  byId('forth').addEventListener('click', () => void redo());
  byId('first').addEventListener('click', () => void goToPly(0));
  byId('last').addEventListener('click', () => void goToPly(state.moves.length + state.undone.length));
  byId('share').addEventListener('click', () => void share(say));
  byId('typed').addEventListener('submit', (event) => {
    event.preventDefault();
    void typed();
  });
  byId('game-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void take(input('spec').value);
  });
  byId('position-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void go(() => ({ base: input('position').value.trim(), moves: [] })).catch(complain('position-problem'));
  });
  input('filter').addEventListener('input', list);
}

/** A move, or several, as text. */
async function typed() {
  const field = input('typed-move');
  const text = field.value.trim();
  if (!text) return;
  try {
    await go(() => ({ moves: [...state.moves, ...(state.position?.moves.includes(text) ? [text] : text.split(/\s+/))] }));
    if (field.value.trim() === text) field.value = '';
    fill(byId('typed-problem'));
  } catch (error) {
    complain('typed-problem')(error);
  }
}

/** @param {string} id */
const complain = (id) => (/** @type {unknown} */ error) =>
  fill(byId(id), error instanceof Error ? error.message : String(error));

/** @param {(text: string) => void} say */
async function share(say) {
  try {
    await navigator.clipboard.writeText(location.href);
    say('The address of this position was copied.');
  } catch {
    say('Copy the address of this page to share the position.');
  }
}

async function open() {
  dialog('games').showModal();
  input('spec').value = state.game;
  fill(byId('examples'), ...EXAMPLES.map((spec) =>
    el('li', {}, el('button', { type: 'button', class: 'chip', onclick: () => void take(spec) }, spec))));
  if (games.length === 0) {
    const [list, about] = await Promise.all([get('/games'), get('/about')]);
    const files = about.files.filter((/** @type {{ kind: string }} */ file) => file.kind === 'game');
    games = [...files.map((/** @type {{ name: string }} */ { name }) => ({ game: name, usage: name, about: 'a game file' })), ...list.games];
  }
  list();
}

function list() {
  const wanted = input('filter').value.trim().toLowerCase();
  const fitting = games.filter(({ game, about }) => `${game} ${about}`.toLowerCase().includes(wanted));
  fill(byId('game-list'), ...fitting.map(({ game, about, usage }) => el('li', {},
    el('button', { type: 'button', class: 'row', title: usage, onclick: () => void take(game) },
      el('strong', {}, game), ' ', el('span', {}, about)))));
  fill(byId('game-count'), plural(fitting.length, 'game'));
}

/** @param {string} spec */
async function take(spec) {
  try {
    await go(() => ({ game: spec.trim(), base: '', moves: [] }));
    fill(byId('game-problem'));
    dialog('games').close();
    const about = await post('/game', { game: state.game });
    fill(byId('game-about'), `${about.about}. `, el('span', { class: 'quiet' }, about.notation));
  } catch (error) {
    complain('game-problem')(error);
  }
}

/** Shows the name of the game, the moves so far and the position as text. */
export function render() {
  const position = state.position;
  if (!position) return;
  fill(byId('game-name'), position.title ?? state.game);
  document.title = `${position.title ?? state.game} – Delphic`;
  input('position').value = position.position;
  const back = state.moves.length === 0;
  const forth = state.undone.length === 0;
  for (const [id, off] of /** @type {[string, boolean][]} */ ([['back', back], ['first', back], ['forth', forth], ['last', forth]])) {
    /** @type {HTMLButtonElement} */ (byId(id)).disabled = off;
  }
  const ahead = [...state.undone].reverse();
  const played = state.moves.map((move, nth) =>
    el('li', {}, el('button', {
      type: 'button', class: nth === state.moves.length - 1 ? 'ply now' : 'ply', 'aria-current': nth === state.moves.length - 1 ? 'step' : null,
      onclick: () => void goToPly(nth + 1),
    }, move)));
  const later = ahead.map((move, nth) =>
    el('li', {}, el('button', { type: 'button', class: 'ply later', onclick: () => void goToPly(played.length + nth + 1) }, move)));
  fill(byId('history'), ...played, ...later);
}
