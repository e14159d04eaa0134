// Games against agents, and puzzles.

import { get, stream } from './api.js';
import { byId, capital, el, fill, input, plies, select, short, time } from './dom.js';
import { go, here, play, state, undo } from './state.js';

/** @type {AbortController | null} */
let thinking = null;
/** @type {{ position: string, solution: string } | null} */
let puzzle = null;

export async function prepare() {
  byId('new-game').addEventListener('click', () => {
    puzzle = null;
    void go(() => ({ base: '', moves: [] }));
  });
  byId('take-back').addEventListener('click', () => {
    thinking?.abort();
    thinking = null;
    // Back to one's own move.
    void undo(mine() ? 2 : 1);
  });
  byId('find-puzzle').addEventListener('click', () => void find());
  byId('show-solution').addEventListener('click', () => fill(byId('puzzle-text'), puzzle ? `Only ${puzzle.solution} wins.` : ''));
  for (const id of ['agent', 'side']) select(id).addEventListener('change', () => void render());
  const [{ agents }, { solvers }] = await Promise.all([get('/agents'), get('/solvers')]);
  const names = [
    ...agents.map((/** @type {{ agent: string, about: string }} */ { agent, about }) => [agent, about]),
    ...solvers.map((/** @type {{ solver: string, about: string }} */ { solver, about }) => [solver, about]),
  ];
  fill(select('agent'), ...names.map(([name, about]) => el('option', { value: name, title: about }, name)));
  select('agent').value = 'sb-mcts';
}

/** Whether it is the person's turn. */
const mine = () => state.position?.to_move === select('side').value;

/** Lets the agent move if it is its turn. */
export async function render() {
  thinking?.abort();
  thinking = null;
  const position = state.position;
  if (state.tab !== 'play' || !position) return;
  /** @type {HTMLButtonElement} */ (byId('take-back')).disabled = state.moves.length === 0;
  tellPuzzle();
  if (position.to_move === null) return say('The game is over.');
  if (puzzle) return say(state.moves.length ? '' : 'Find the only winning move.');
  if (mine()) return say('Your move.');
  const now = new AbortController();
  thinking = now;
  say(`${select('agent').value} is thinking`);
  await stream('/play', { ...here(), agent: select('agent').value, seconds: Number(input('think').value), seed: 1 + state.moves.length }, {
    queued: () => say('Waiting for another search to end'),
    choice: ({ move, stats, moves }) => {
      if (thinking !== now) return;
      thinking = null;
      const visits = moves.find((/** @type {{ move: string }} */ one) => one.move === move)?.visits ?? 0;
      fill(byId('thought'), `It played ${move} after ${time(stats.seconds)}${visits ? `, ${short(visits)} visits` : ''}.`);
      void play(move);
    },
    error: ({ error }) => say(capital(error)),
  }, now.signal);
}

/** @param {string} text */
const say = (text) => fill(byId('play-status'), text);

async function find() {
  const search = new AbortController();
  thinking?.abort();
  thinking = search;
  puzzle = null;
  fill(byId('puzzle-text'), 'Looking for a position with exactly one winning move');
  await stream('/puzzle', { game: state.game, seed: Math.floor(Math.random() * 1e9), seconds: 30 }, {
    tried: ({ positions }) => fill(byId('puzzle-text'), `Looking for a position with exactly one winning move: ${positions} tried`),
    puzzle: (found) => {
      puzzle = found;
      select('side').value = found.to_move;
      void go(() => ({ base: found.position, moves: [] }));
    },
    none: () => fill(byId('puzzle-text'), 'No puzzle was found in 30 seconds; try another game or a smaller board.'),
    error: ({ error }) => fill(byId('puzzle-text'), capital(error)),
  }, search.signal);
}

function tellPuzzle() {
  byId('show-solution').hidden = puzzle === null || state.moves.length > 0;
  if (!puzzle || state.base !== puzzle.position) {
    if (puzzle) fill(byId('puzzle-text'));
    puzzle = null;
    return;
  }
  const found = /** @type {{ to_move: string, plies: number | null, plies_at_most: number | null, solution: string, position: string }} */ (puzzle);
  const length = found.plies ?? found.plies_at_most;
  const [first] = state.moves;
  if (first === undefined) {
    fill(byId('puzzle-text'), `Puzzle: the ${found.to_move} player moves and wins${length == null ? '' : `, in ${found.plies == null ? 'at most ' : ''}${plies(length)}`}.`);
  } else {
    fill(byId('puzzle-text'), first === found.solution ? `Right: only ${first} wins.` : `${first} does not win. Take it back and try again.`);
  }
}
