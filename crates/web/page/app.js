// The page: prepares its parts and draws them again when the position changes.

import { Refusal, get, takeToken } from './api.js';
import * as board from './board.js';
import { byId, capital, fill, input, rove } from './dom.js';
import * as moves from './moves.js';
import * as play from './play.js';
import * as proof from './proof.js';
import * as search from './search.js';
import * as setup from './setup.js';
import { onChange, restore, show, state } from './state.js';
import * as tour from './tour.js';
import * as values from './values.js';

const TABS = ['values', 'proof', 'search', 'play'];

/** @param {string} text */
function say(text) {
  fill(byId('problem'), text);
}

function tabs() {
  if (!TABS.includes(state.tab)) state.tab = 'values';
  for (const tab of TABS) {
    const button = byId(`tab-${tab}`);
    const chosen = tab === state.tab;
    button.setAttribute('aria-selected', String(chosen));
    button.tabIndex = chosen ? 0 : -1;
    byId(`panel-${tab}`).hidden = !chosen;
  }
  byId('list').hidden = !['values', 'play'].includes(state.tab);
}

async function begin() {
  takeToken();
  tour.prepare();
  setup.prepare(say);
  moves.prepare();
  board.onRefusal((message) => say(`${capital(message)}.`));
  rove(byId('tabs'), '[role=tab]');
  for (const tab of TABS) byId(`tab-${tab}`).addEventListener('click', () => show(tab));
  for (const id of ['live', 'hints']) input(id).addEventListener('change', values.update);
  document.addEventListener('visibilitychange', values.update);
  addEventListener('unhandledrejection', (event) => {
    if (event.reason instanceof Refusal) event.preventDefault();
    say(capital(String(event.reason?.message ?? event.reason)));
  });
  let drawn = '';
  onChange(() => {
    say('');
    const now = JSON.stringify([state.game, state.base, state.moves]);
    if (now !== drawn) board.draw();
    drawn = now;
    tabs();
    setup.render();
    values.update();
    search.render();
    void proof.render();
    void play.render();
  });
  const about = await get('/about');
  byId('revision').textContent = about.revision;
  const lab = /** @type {HTMLAnchorElement} */ (byId('lab'));
  lab.hidden = !about.lab;
  if (about.lab) lab.href = about.lab;
  proof.prepare();
  await Promise.all([search.prepare(), play.prepare()]);
  await restore();
  addEventListener('hashchange', () => void restore());
  document.documentElement.dataset['ready'] = 'yes';
}

begin().catch((error) => say(capital(String(error.message ?? error))));
