// Proofs: a certificate as a strategy to walk through, and what an unfinished search knows.

import { download, get, post, stream } from './api.js';
import { icicle } from './charts.js';
import { byId, capital, el, fill, grouped, input, plies, plural, rove, short, size, time } from './dom.js';
import { go, here, play, state } from './state.js';

/** @typedef {{ claim: string, in_words: string }} Claim */
/**
 * @typedef {{ proof: string, name: string, game: string, position: string, claims: Claim[], line: string[], plies_at_most: number,
 *   strategy_positions: number, looked_at: number, bytes: number, seconds: number }} Proof
 */
/** @typedef {{ move: string, size: number, plies: number, end: boolean, again: boolean }} Branch */
/** @typedef {{ chosen: boolean, size: number, plies: number, branches: Branch[] }} Node */
/** @typedef {Branch & { parent: number | null, ply: number, start: number, chosen: boolean }} Slice */
/**
 * @typedef {{ survey: string, game: string, position: string, question: string, for: string, solver: string, at_least: string | number,
 *   at_most: string | number, asked: number, stats: import('./api.js').Stats, root: import('./api.js').Root, has_nodes: boolean }} Survey
 */

/** Rows of the icicle. */
const ROWS = 9;
/** @type {Proof | null} */
let proof = null;
/** @type {Survey | null} */
let survey = null;
let claim = 0;
/** Where the proof, or the search, begins: a position and the moves that led there. @type {{ game: string, base: string, moves: string[] }} */
let origin = { game: '', base: '', moves: [] };
/** @type {AbortController | null} */
let running = null;

export function prepare() {
  byId('prove').addEventListener('click', () => void prove());
  byId('stop-proof').addEventListener('click', () => running?.abort());
  byId('check').addEventListener('click', () => void check());
  byId('save-proof').addEventListener('click', () => void save());
  byId('longest').addEventListener('click', () => void go(() => proof && { ...origin, moves: [...origin.moves, ...proof.line] }));
  input('certificate').addEventListener('change', () => {
    const file = input('certificate').files?.[0];
    if (file) void open('/proofs', file);
  });
  rove(byId('branches'), 'button.move');
  void offer();
}

/** What was named when the server was started. */
async function offer() {
  const about = await get('/about');
  const files = /** @type {{ name: string, kind: string }[]} */ (about.files);
  const items = files.flatMap(({ name, kind }, nth) => (kind === 'game' ? [] : [
    el('li', {}, el('button', { type: 'button', class: 'chip', onclick: () => void open(`/files/${nth}/open`, {}) }, `${name} (${kind})`)),
  ]));
  byId('offered').hidden = items.length === 0;
  fill(byId('offered-list'), ...items);
}

/** @param {string} text */
const say = (text) => fill(byId('proof-status'), text);

/** @param {boolean} on */
function busy(on) {
  /** @type {HTMLButtonElement} */ (byId('prove')).disabled = on;
  byId('stop-proof').hidden = !on;
}

/** @param {string} path @param {unknown} body @param {Record<string, (data: any) => void>} [more] */
async function open(path, body, more = {}) {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  busy(true);
  say('Waiting');
  await stream(path, body, {
    queued: () => say('Waiting for another search to end'),
    progress: ({ stats }) => say(`Searching: ${short(stats.created)} nodes, ${time(stats.seconds)}`),
    proof: (data) => (data.positions === undefined ? take(data) : say(`Walking through the proof: ${grouped(data.positions)} positions`)),
    survey: takeSurvey,
    error: ({ error }) => say(capital(error)),
    ...more,
  }, mine.signal);
  if (mine.signal.aborted) say('Stopped.');
  busy(false);
}

/** Moves since the beginning, or nothing if the position is not one of the proof. @returns {string[] | null} */
function since() {
  const { game, base, moves } = origin;
  const same = state.game === game && state.base === base && moves.every((move, nth) => state.moves[nth] === move);
  return same && state.moves.length >= moves.length ? state.moves.slice(moves.length) : null;
}

const beginning = () => el('button', { type: 'button', class: 'link', onclick: () => void go(() => origin) }, 'Go to its beginning');

/** @param {string} [solver] */
function prove(solver) {
  const from = { game: state.game, base: state.base, moves: [...state.moves] };
  return open('/prove', { ...here(), ...(solver && { solver }) }, proving(from));
}

/** @param {typeof origin} from */
const proving = (from) => ({
  answer: (/** @type {{ verdict: string }} */ { verdict }) => say(verdict === 'unknown' ? 'Not decided' : 'Decided; writing the proof'),
  proved: (/** @type {{ proof: Proof }} */ data) => take(data.proof, from),
  unproved: (/** @type {{ answer: import('./api.js').Answer }} */ { answer }) => say(`Not decided within ${time(answer.stats.seconds)} and ${grouped(answer.stats.created)} nodes: there is nothing to prove yet.`),
});

/** @param {Proof} opened @param {typeof origin} [from] the way to its position, if it is known */
function take(opened, from = { game: opened.game, base: opened.position, moves: [] }) {
  origin = from;
  proof = opened;
  survey = null;
  claim = 0;
  say(`Opened and checked in ${time(opened.seconds)}.`);
  fill(byId('checked'));
  void go(() => origin);
}

/** @param {Survey} opened */
function takeSurvey(opened) {
  survey = opened;
  proof = null;
  say('Opened an unfinished search.');
  origin = { game: opened.game, base: opened.position, moves: [] };
  void go(() => origin);
}

async function check() {
  if (!proof) return;
  fill(byId('checked'), 'Checking');
  await stream(`/proofs/${proof.proof}/check`, {}, {
    checked: (found) => fill(byId('checked'), found.valid
      ? `Valid: ${found.claims_in_words.join('; ')}. The checker visited ${plural(found.looked_at, 'position')} in ${time(found.seconds)}, with the rules alone.`
      : `Not valid: ${found.reason}`),
    error: ({ error }) => fill(byId('checked'), capital(error)),
  });
}

async function save() {
  if (!proof) return;
  const url = URL.createObjectURL(await download(`/proofs/${proof.proof}/file`));
  const link = el('a', { href: url, download: 'delphic.proof' });
  link.click();
  URL.revokeObjectURL(url);
}

/** Shows what the proof, or the search, says about the current position. */
export async function render() {
  if (state.tab !== 'proof') return;
  byId('proof-view').hidden = proof === null;
  byId('survey-view').hidden = survey === null;
  if (survey) await renderSurvey(survey);
  if (!proof) return;
  const [opened, number] = [proof, claim];
  fill(byId('claims'), ...opened.claims.map(({ in_words }, nth) =>
    el('button', { type: 'button', class: 'chip', 'aria-pressed': String(nth === number), onclick: () => choose(nth) }, capital(in_words))));
  fill(byId('proof-facts'),
    `${plural(opened.strategy_positions, 'strategy position')}, ${grouped(opened.looked_at)} visited, ${size(opened.bytes)}, the game lasts at most ${plies(opened.plies_at_most)}.`);
  const path = since();
  if (path === null) {
    fill(byId('proof-node'), 'This position is not part of the proof. ', beginning());
    fill(byId('branches'));
    fill(byId('icicle'));
    return;
  }
  const [moves, now] = [path.join(' '), JSON.stringify(state.moves)];
  const body = { claim: number, moves };
  if (state.position?.to_move === null) return end();
  try {
    const [node, outline] = await Promise.all([
      post(`/proofs/${opened.proof}/node`, body),
      post(`/proofs/${opened.proof}/outline`, { ...body, plies: ROWS }),
    ]);
    if (now === JSON.stringify(state.moves) && number === claim) draw(node, outline.slices);
  } catch (error) {
    fill(byId('proof-node'), capital(error instanceof Error ? error.message : String(error)), '. The strategy plays another move before.');
    fill(byId('branches'));
    fill(byId('icicle'));
  }
}

/** @param {number} nth */
function choose(nth) {
  claim = nth;
  void render();
}

function end() {
  fill(byId('proof-node'), 'The game is over here, as claimed.');
  fill(byId('branches'));
  fill(byId('icicle'));
}

/** @param {Node} node @param {Slice[]} slices */
function draw(node, slices) {
  const what = node.chosen ? `The strategy plays ${node.branches[0]?.move ?? ''}` : `Every reply is answered: ${plural(node.branches.length, 'move')}`;
  fill(byId('proof-node'), `${what}. ${plural(node.size, 'position')} from here on, at most ${plies(node.plies)}.`);
  const longest = Math.max(...node.branches.map((branch) => branch.plies));
  const ordered = [...node.branches].sort((a, b) => b.size - a.size);
  fill(byId('branches'), el('ul', {}, ...ordered.map((branch, nth) => {
    const resists = !node.chosen && branch.plies === longest && node.branches.length > 1;
    const where = branch.end ? 'ends the game' : branch.again ? 'met in another branch' : plural(branch.size, 'position');
    return el('li', {}, el('button', {
      type: 'button', class: 'move', tabindex: nth ? -1 : 0, 'data-move': branch.move, onclick: () => void play(branch.move),
    },
    el('span', { class: `shape ${branch.end ? 'end' : node.chosen ? 'chosen' : 'reply'}`, 'aria-hidden': 'true' }),
    el('span', { class: 'name' }, branch.move),
    el('span', { class: 'word' }, where),
    el('span', { class: 'distance' }, `${resists ? 'longest: ' : ''}${plies(branch.plies)}`)));
  })));
  const path = (/** @type {number} */ nth) => {
    const moves = [];
    for (let at = /** @type {number | null} */ (nth); at !== null; at = slices[at]?.parent ?? null) moves.unshift(slices[at]?.move ?? '');
    return moves;
  };
  const shown = slices.map((slice, nth) => ({
    start: slice.start, size: slice.size, ply: slice.ply,
    kind: slice.end ? 'end' : slice.again ? 'again' : slice.chosen ? 'chosen' : 'reply',
    label: `${slice.move}: ${plural(slice.size, 'position')}`,
    onclick: () => void play(...path(nth)),
  }));
  const deepest = 1 + Math.max(0, ...slices.map((slice) => slice.ply));
  fill(byId('icicle'), icicle(shown, node.size, deepest));
}

/** @param {Survey} opened */
async function renderSurvey(opened) {
  const known = opened.at_least === opened.at_most ? `the value is ${opened.at_least}` : `the value is between ${opened.at_least} and ${opened.at_most}`;
  const { p, pn, dn } = opened.root;
  const root = p != null ? `, estimate ${p.toFixed(3)}` : pn != null && dn != null ? `, proof number ${short(pn)}, disproof number ${short(dn)}` : '';
  fill(byId('survey-facts'),
    `${opened.solver} on ${opened.game}, question ${opened.question} for the ${opened.for} player. Known so far: ${known}. `,
    `It was asking for at least ${opened.asked} after ${grouped(opened.stats.created)} nodes and ${time(opened.stats.seconds)}${root}.`);
  const place = byId('survey-moves');
  if (!opened.has_nodes) return fill(place, el('p', {}, 'This solver keeps no positions that could be shown.'));
  const path = since();
  if (path === null) return fill(place, beginning());
  try {
    const asked = { survey: opened.survey, moves: path.join(' ') };
    const [node, outline] = await Promise.all([post('/surveys/node', asked), post('/surveys/outline', asked)]);
    const most = Math.max(1, ...node.moves.map((/** @type {{ nodes: number }} */ move) => move.nodes));
    const total = Math.max(1, node.moves.reduce((/** @type {number} */ sum, /** @type {{ nodes: number }} */ move) => sum + move.nodes, 0));
    const rows = [...node.moves].sort((a, b) => b.nodes - a.nodes);
    const count = (/** @type {string} */ verdict) => rows.filter((row) => row.verdict === verdict).length;
    fill(place,
      el('p', {}, `Here: ${node.verdict === 'open' ? 'open' : node.verdict}. Of ${plural(rows.length, 'move')} ${count('proved')} are proved, ${count('disproved')} disproved, ${count('open')} open; of ${count('nothing kept')} nothing is kept.`),
      outline.slices.length ? bars(outline.slices) : null,
      el('ul', {}, ...rows.map((row) => el('li', {}, el('button', { type: 'button', class: 'move', 'data-move': row.move, onclick: () => void play(row.move) },
        el('span', { class: `shape ${row.verdict === 'proved' ? 'win' : row.verdict === 'disproved' ? 'loss' : 'unknown'}`, 'aria-hidden': 'true' }),
        el('span', { class: 'name' }, row.move),
        el('span', { class: 'word' }, row.verdict),
        el('span', { class: 'distance' }, row.nodes ? `${short(row.nodes)} nodes, ${Math.round((100 * row.nodes) / total)} %` : ''),
        el('meter', { min: 0, max: most, value: row.nodes, 'aria-label': `effort of ${row.move}` }))))));
  } catch (error) {
    fill(place, el('p', {}, capital(error instanceof Error ? error.message : String(error)), '.'));
  }
}

/**
 * The effort of an unfinished search, branch by branch.
 * @param {{ move: string, parent: number | null, ply: number, start: number, share: number, nodes: number, verdict: string }[]} slices
 */
function bars(slices) {
  const path = (/** @type {number} */ nth) => {
    const moves = [];
    for (let at = /** @type {number | null} */ (nth); at !== null; at = slices[at]?.parent ?? null) moves.unshift(slices[at]?.move ?? '');
    return moves;
  };
  const shown = slices.filter((slice) => slice.ply < ROWS);
  const drawn = shown.map((slice) => ({
    start: slice.start, size: slice.share, ply: slice.ply, kind: slice.verdict,
    label: `${slice.move}: ${short(slice.nodes)} nodes, ${slice.verdict}`,
    onclick: () => void play(...path(slices.indexOf(slice))),
  }));
  return el('div', {}, icicle(drawn, 1, 1 + Math.max(...shown.map((slice) => slice.ply))),
    el('p', { class: 'quiet' }, 'Every bar is as wide as its share of the effort: ', el('span', { class: 'key proved' }), ' proved, ',
      el('span', { class: 'key disproved' }), ' disproved, ', el('span', { class: 'key open' }), ' open.'));
}

/** Proves the current position with a solver that has just decided it. @param {string} solver */
export const proveBy = (solver) => prove(solver);

/** Opens the checkpoint of a search that was stopped on this page. @param {string} run */
export const openRun = (run) => open(`/runs/${run}/open`, {});
