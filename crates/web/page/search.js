// A search to watch: its numbers over time, those of its root moves, and a second solver beside it.

import { get, post, stream } from './api.js';
import { curves } from './charts.js';
import { byId, capital, el, fill, grouped, input, plural, select, short, size, time } from './dom.js';
import { openRun, proveBy } from './proof.js';
import { here, show, state } from './state.js';

/** @typedef {import('./api.js').Root} Root */
/** @typedef {import('./api.js').Stats} Stats */
/** @typedef {{ t: number, root: Root }} Sample */
/** @typedef {Root & { move: string, verdict: string }} RootMove */

/** Points that a curve keeps; older ones are thinned out. */
const MOST_POINTS = 400;

class Search {
  /** @type {Sample[]} */
  samples = [];
  /** @type {Map<string, { verdict: string, samples: Sample[] }>} */
  moves = new Map();
  /** @type {Stats | null} */
  stats = null;
  /** @type {import('./api.js').Answer | null} */
  answer = null;
  decided = '';
  solver = '';

  /** @param {HTMLElement} place @param {number} number */
  constructor(place, number) {
    this.number = number;
    /** @type {AbortController | null} */
    this.running = null;
    /** @type {string | null} */
    this.run = null;
    /** @type {string | null} */
    this.saved = null;
    this.message = '';
    this.title = el('h3');
    this.outcome = el('p', { class: 'outcome' });
    this.facts = el('p', { class: 'quiet' });
    this.figure = el('div');
    this.summary = el('summary');
    this.list = el('div');
    this.details = /** @type {HTMLDetailsElement} */ (el('details', { open: true, hidden: true }, this.summary, this.list));
    this.actions = el('p', { class: 'actions' });
    fill(place, this.title, this.outcome, this.facts, this.actions, this.figure, this.details);
  }

  reset() {
    [this.samples, this.moves, this.stats, this.answer] = [[], new Map(), null, null];
    [this.decided, this.solver] = ['', ''];
  }

  /** @param {Record<string, unknown>} body */
  async start(body) {
    this.running?.abort();
    const mine = new AbortController();
    this.running = mine;
    this.answer = null;
    if (!body['resume']) this.reset();
    this.saved = null;
    this.message = 'Waiting';
    this.render();
    await stream('/solve', body, {
      queued: () => this.tell('Waiting for another search to end'),
      started: ({ run, solver }) => {
        [this.run, this.solver] = [run, solver];
        this.tell('Searching');
      },
      question: ({ asked, for: player }) => this.tell(`Searching: can the ${player} player force ${{ win: 'a win', draw: 'at least a draw' }[String(asked)] ?? `at least ${asked}`}?`),
      progress: ({ stats, root, decided, of }) => {
        this.stats = stats;
        this.decided = of ? `${decided} of ${of} moves decided` : '';
        push(this.samples, { t: stats.seconds, root });
        this.render();
      },
      root_moves: (/** @type {RootMove[]} */ moves) => {
        for (const { move, verdict, ...root } of moves) {
          const known = this.moves.get(move) ?? { verdict, samples: [] };
          known.verdict = verdict;
          push(known.samples, { t: this.stats?.seconds ?? 0, root });
          this.moves.set(move, known);
        }
      },
      answer: (answer) => {
        this.answer = answer;
        this.stats = answer.stats;
        this.message = '';
      },
      saved: ({ run }) => void (this.saved = run),
      save_failed: ({ error }) => this.tell(`The search could not be saved: ${error}`),
      error: ({ error }) => this.tell(capital(error)),
    }, mine.signal);
    if (this.running === mine) this.running = null;
    this.run = null;
    this.render();
    update();
  }

  /** @param {string} message */
  tell(message) {
    this.message = message;
    this.render();
  }

  async stop() {
    if (this.run) await post(`/runs/${this.run}/stop`);
    else this.running?.abort();
  }

  resume() {
    if (this.saved) void this.start({ resume: this.saved, seconds: Number(input('seconds').value) });
  }

  render() {
    const { stats, answer } = this;
    const speed = stats && stats.seconds > 0 ? `${short(stats.created / stats.seconds)} nodes/s` : '';
    const facts = stats ? [`${grouped(stats.created)} nodes`, speed, size(stats.peak_bytes), time(stats.seconds), this.decided].filter(Boolean).join(' · ') : '';
    const last = this.samples[this.samples.length - 1]?.root;
    fill(this.title, this.solver || `Search ${this.number}`);
    fill(this.outcome, answer ? outcome(answer) : this.message);
    fill(this.facts, facts);
    fill(this.figure, last ? this.chart(last) : null);
    this.details.hidden = this.moves.size === 0;
    fill(this.summary, `Each of ${plural(this.moves.size, 'root move')} over time`);
    if (this.details.open) fill(this.list, this.multiples());
    this.offer();
  }

  /** The buttons are made anew only when there are others, so that they keep the focus and can be clicked. */
  offer() {
    const decided = this.answer !== null && ['proved', 'disproved'].includes(this.answer.verdict);
    const wanted = /** @type {[string, () => void][]} */ (this.running
      ? [['Stop', () => void this.stop()]]
      : [
        ...(this.saved ? [['Resume', () => this.resume()], ['Browse the search', () => this.look()]] : []),
        ...(decided ? [['Open its proof', () => this.prove()]] : []),
      ]);
    const names = wanted.map(([name]) => name).join();
    if (this.actions.dataset['offered'] === names) return;
    this.actions.dataset['offered'] = names;
    fill(this.actions, ...wanted.map(([name, act]) => el('button', { type: 'button', onclick: act }, name)));
  }

  prove() {
    const solver = this.solver;
    show('proof');
    void proveBy(solver);
  }

  look() {
    const run = this.saved;
    if (!run) return;
    show('proof');
    void openRun(run);
  }

  /** @param {Root} last */
  chart(last) {
    if (last.p != null) {
      const points = series(this.samples, 'p');
      return el('figure', {}, curves([{ name: 'p', kind: 'p', points }], { log: false, title: 'Estimate of the root over time' }),
        el('figcaption', {}, el('span', { class: 'key p' }), ` estimate ${last.p.toFixed(3)}`));
    }
    if (last.pn == null || last.dn == null) return null;
    return el('figure', {}, curves([
      { name: 'pn', kind: 'pn', points: series(this.samples, 'pn') },
      { name: 'dn', kind: 'dn', points: series(this.samples, 'dn') },
    ], { log: true, title: 'Proof and disproof number of the root over time' }),
    el('figcaption', {}, el('span', { class: 'key pn' }), ` to prove ${short(last.pn)} `, el('span', { class: 'key dn' }), ` to disprove ${short(last.dn)}`));
  }

  multiples() {
    const entries = [...this.moves.entries()].slice(0, 60);
    return el('ul', { class: 'multiples' }, ...entries.map(([move, { verdict, samples }]) => {
      const log = samples.some(({ root }) => root.pn != null);
      const lines = log
        ? [{ name: 'pn', kind: 'pn', points: series(samples, 'pn') }, { name: 'dn', kind: 'dn', points: series(samples, 'dn') }]
        : [{ name: 'p', kind: 'p', points: series(samples, 'p') }];
      return el('li', { class: verdict }, el('span', {}, `${move} ${verdict === 'open' ? '' : verdict}`),
        curves(lines, { log, width: 90, height: 30, title: `${move} over time, ${verdict}`, axis: false }));
    }));
  }
}

/** @param {Sample[]} samples @param {Sample} sample */
function push(samples, sample) {
  samples.push(sample);
  if (samples.length > MOST_POINTS) samples.splice(0, samples.length, ...samples.filter((_, nth) => nth % 2 === 0));
}

/** @param {Sample[]} samples @param {'p' | 'pn' | 'dn'} field @returns {[number, number][]} */
const series = (samples, field) => samples.flatMap(({ t, root }) => (root[field] == null ? [] : [/** @type {[number, number]} */ ([t, root[field]])]));

/** @param {import('./api.js').Answer} answer */
function outcome(answer) {
  const who = `the ${answer.for} player`;
  const why = { nodes: 'the node limit', time: 'the time limit', memory: 'the memory limit', interrupted: 'it was stopped' }[answer.stop] ?? answer.stop;
  if (answer.question === 'value' && answer.value !== null) {
    const value = { win: `${who} wins`, loss: `${who} loses`, draw: 'a draw' }[answer.value] ?? `${who} gets ${answer.value}`;
    return `Proved: ${value}${answer.plies_at_most == null ? '' : `, in at most ${answer.plies_at_most} plies`}.`;
  }
  if (answer.verdict === 'proved') return `Proved: yes, ${who} can.`;
  if (answer.verdict === 'disproved') return `Disproved: ${who} cannot.`;
  if (answer.at_least !== 'loss' || answer.at_most !== 'win') return `Not decided (${why}): between ${answer.at_least} and ${answer.at_most}.`;
  return `Not decided (${why}).`;
}

/** @type {Search[]} */
let searches = [];

export async function prepare() {
  searches = [new Search(byId('search-one'), 1), new Search(byId('search-two'), 2)];
  byId('search-form').addEventListener('submit', (event) => {
    event.preventDefault();
    begin();
  });
  select('second').addEventListener('change', update);
  const { solvers } = await get('/solvers');
  const options = () => solvers.map((/** @type {{ solver: string, about: string }} */ { solver, about }) => el('option', { value: solver, title: about }, solver));
  fill(select('solver'), ...options());
  fill(select('second'), el('option', { value: '' }, 'none'), ...options());
  select('solver').value = 'pns';
}

function begin() {
  const question = select('question').value;
  const nodes = Number(input('nodes').value);
  const limits = { seconds: Number(input('seconds').value), ...(nodes > 0 && { nodes }) };
  const chosen = [select('solver').value, select('second').value];
  searches.forEach((search, nth) => {
    const solver = chosen[nth];
    search.running?.abort();
    // Exhaustive search keeps no checkpoints.
    if (solver) void search.start({ ...here(), solver, question, ...limits, keep: solver !== 'brute' });
  });
}

/** Ends the searches when another position is shown. */
export function render() {
  const now = JSON.stringify([state.game, state.position?.position]);
  if (now !== about) {
    for (const search of searches) {
      search.running?.abort();
      search.reset();
      search.saved = null;
      search.message = '';
      search.render();
    }
    about = now;
  }
  update();
}

let about = '';

function update() {
  byId('search-two').hidden = select('second').value === '';
}
