// What every move is worth, found in the background while one looks. What is not known is not shown as known.

import { stream } from './api.js';
import * as board from './board.js';
import { byId, capital, el, fill, grouped, input, plies, plural, short, time } from './dom.js';
import * as list from './moves.js';
import { here, state } from './state.js';

/** @typedef {import('./api.js').MoveValue} MoveValue */
/** @typedef {import('./api.js').Analysis} Analysis */
/** @typedef {import('./api.js').Value} Value */
/**
 * What is known of a move: its kind decides shape and colour.
 * @typedef {{ value: MoveValue, kind: 'win' | 'draw' | 'loss' | 'score' | 'bounds' | 'unknown', words: string, only: boolean }} Known
 */

const LOOK = 60;
/** @type {AbortController | null} */
let running = null;
/** @type {Map<string, MoveValue>} */
let found = new Map();
/** @type {Analysis | null} */
let latest = null;
let seconds = LOOK;
let about = '';

/** The order of values, worst first. @param {Value} value */
const rank = (value) => (typeof value === 'number' ? value : { loss: -1, draw: 0, win: 1 }[value] ?? 0);

/** Begins anew if the position is another, and stops when values are not wanted. */
export function update() {
  const wanted = input('live').checked && ['values', 'play'].includes(state.tab) && !document.hidden && !hidden();
  const now = JSON.stringify(here());
  if (now !== about) {
    running?.abort();
    running = null;
    found = new Map();
    latest = null;
    seconds = LOOK;
    about = now;
  }
  if (!wanted) {
    running?.abort();
    running = null;
  } else if (!running && !isDone()) {
    start();
  }
  render();
}

/** In a game against an agent values are hints and stay hidden until one asks for them. */
const hidden = () => state.tab === 'play' && !input('hints').checked;

const isDone = () => (latest !== null && latest.complete && latest.value !== null) || state.position?.to_move === null;

function start() {
  const mine = new AbortController();
  running = mine;
  const own = (/** @type {(data: any) => void} */ act) => (/** @type {any} */ data) => {
    if (running === mine) act(data);
  };
  status('Waiting');
  void stream('/analyze', { ...here(), seconds }, {
    queued: own(({ waiting }) => status(`Waiting: ${plural(waiting + 1, 'search', 'searches')} before this one`)),
    progress: own(({ stats, decided, of }) =>
      status(`Searching: ${short(stats.created)} nodes${of ? `, ${decided} of ${of} moves decided in this search` : ''}`)),
    move: own((value) => learn(value, false)),
    analysis: own((analysis) => {
      latest = analysis;
      for (const value of analysis.moves) learn(value, true);
      render();
    }),
    error: own(({ error }) => {
      running = null;
      status(error);
    }),
    end: own(() => {
      running = null;
      render();
    }),
  }, mine.signal);
}

/** Keeps the narrower of what was known and what is new: both are exact. @param {MoveValue} value @param {boolean} quiet */
function learn(value, quiet) {
  const old = found.get(value.move);
  const merged = { ...old, ...value, line: value.line ?? old?.line ?? [] };
  if (old) {
    merged.at_least = rank(old.at_least) > rank(value.at_least) ? old.at_least : value.at_least;
    merged.at_most = rank(old.at_most) < rank(value.at_most) ? old.at_most : value.at_most;
    merged.plies = value.plies ?? old.plies;
    merged.plies_at_most = value.plies_at_most ?? old.plies_at_most;
  }
  found.set(value.move, merged);
  if (!quiet) render();
}

/** What is known of all moves of the position. @returns {Map<string, Known>} */
export function known() {
  const moves = state.position?.moves ?? [];
  const all = new Map(moves.map((move) => [move, describe(found.get(move), move)]));
  const winners = [...all.values()].filter((known) => known.kind === 'win');
  // Unique only if every other move is known not to win.
  const only = winners.length === 1 && [...all.values()].every((known) => known.kind === 'win' || known.value.at_most !== 'win')
    && [...all.values()].every((known) => known.kind !== 'unknown');
  if (only && winners[0]) {
    winners[0].only = true;
    winners[0].words = `the only ${winners[0].words}`;
  }
  return all;
}

/** @param {MoveValue | undefined} value @param {string} move @returns {Known} */
function describe(value, move) {
  const nothing = { move, at_least: '', at_most: '', plies: null, plies_at_most: null, line: [] };
  if (!value) return { value: nothing, kind: 'unknown', words: 'unknown', only: false };
  const { at_least: low, at_most: high } = value;
  if (low === high && typeof low === 'number') return { value, kind: 'score', words: `score ${low}`, only: false };
  if (low === high) return { value, kind: /** @type {Known['kind']} */ (low), words: String(low), only: false };
  if (low === 'loss' && high === 'win') return { value, kind: 'unknown', words: 'unknown', only: false };
  const words = low === 'draw' ? 'draw or win' : high === 'draw' ? 'draw or loss' : `${low} to ${high}`;
  return { value, kind: 'bounds', words, only: false };
}

/** How long the game still lasts after a move. @param {MoveValue} value */
export function distance(value) {
  if (value.plies != null) return `in ${plies(value.plies)}`;
  if (value.plies_at_most != null) return `in at most ${plies(value.plies_at_most)}`;
  return '';
}

/** @param {string} text */
const status = (text) => fill(byId('value-status'), text);

function render() {
  // In the other views nothing is looked for, so what is known there is not worth a list of unknown moves.
  const silent = !['values', 'play'].includes(state.tab) && latest === null;
  const all = hidden() || silent || !input('live').checked ? new Map() : known();
  board.showValues(all);
  list.render(all);
  headline(all);
  if (!running) {
    const over = state.position?.to_move === null;
    const rest = latest && !isDone() && input('live').checked;
    fill(byId('value-status'),
      over ? '' : latest ? `${isDone() ? 'Everything is known' : 'Stopped'} after ${time(latest.seconds)}, ${grouped(latest.stats.created)} nodes for the position. ` : '',
      rest ? el('button', { type: 'button', class: 'link', onclick: goOn }, 'Go on') : '');
  }
}

function goOn() {
  seconds *= 4;
  start();
}

/** The verdict in words. It is a live region, so it changes only when the verdict does. @param {Map<string, Known>} all */
function headline(all) {
  const position = state.position;
  if (!position) return;
  const text = position.to_move === null ? ending(position.payoffs ?? []) : verdict(position.to_move, all);
  const place = byId('verdict');
  if (place.textContent !== text) fill(place, text);
}

/** @param {number[]} payoffs */
export function ending(payoffs) {
  const names = ['first', 'second', 'third', 'fourth'];
  if (payoffs.every((payoff) => payoff === payoffs[0])) return 'The game is over: a draw.';
  const best = Math.max(...payoffs);
  const winners = payoffs.flatMap((payoff, seat) => (payoff === best ? [names[seat]] : []));
  const score = payoffs.some((payoff) => Math.abs(payoff) > 1) ? ` by ${best}` : '';
  return `The game is over: the ${winners.join(' and the ')} player wins${score}.`;
}

/** @param {string} mover @param {Map<string, Known>} all */
function verdict(mover, all) {
  const who = `${capital(mover)} player to move`;
  if (all.size === 0) return `${who}.`;
  const kinds = [...all.values()];
  const wins = kinds.filter((known) => known.kind === 'win');
  const only = wins.find((known) => known.only);
  if (only) return `${who}: only ${only.value.move} wins.`;
  if (wins.length) return `${who}: wins.`;
  if (latest?.value === 'win') return `${who}: wins.`;
  if (kinds.every((known) => known.kind === 'loss') || latest?.value === 'loss') return `${who}: loses against best play.`;
  if (latest?.value === 'draw') return `${who}: a draw with best play.`;
  if (typeof latest?.value === 'number') return `${who}: gets ${latest.value} with best play.`;
  const best = kinds.filter((known) => known.kind === 'draw').length;
  if (kinds.every((known) => known.value.at_most !== 'win' && known.kind !== 'unknown') && best) return `${who}: a draw with best play.`;
  if (kinds.some((known) => known.value.at_least === 'draw')) return `${who}: at least a draw.`;
  return `${who}: not decided yet.`;
}
