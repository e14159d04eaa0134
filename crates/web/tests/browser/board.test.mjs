// Setting up and solving positions by clicks, by keyboard and by text; values as the command line finds them.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Explorer, clickCells, delphic, done, listed, played, verdict } from './explorer.mjs';

const explorer = new Explorer();

/** Chooses a game by its button in the dialog. */
async function choose(page, game) {
  await page.click('#choose');
  await page.locator('#examples .chip', { hasText: new RegExp(`^${game}$`) }).click();
  await page.waitForFunction(([name]) => document.getElementById('game-name')?.textContent === name, [game]);
}

/** The values of all moves, as the command line finds them. */
function analyzed(game, moves) {
  const { moves: values } = JSON.parse(delphic('analyze', game, '--moves', moves, '--json', '--quiet'));
  const word = ({ at_least: low, at_most: high }) => (low === high ? String(low) : 'unknown');
  return Object.fromEntries(values.map((value) => [value.move, word(value)]));
}

const CASES = [
  { game: 'tictactoe', clicks: ['b2', 'a2'], moves: ['b2', 'a2'], says: 'First player to move: wins.' },
  { game: 'connect4:5x4', clicks: ['column 3, row 3', 'column 3, row 2'], moves: ['3', '3'], says: 'First player to move: a draw with best play.' },
  { game: 'hex:4', clicks: ['b2'], moves: ['b2'], says: 'Second player to move: loses against best play.' },
  { game: 'domineering:5x5', clicks: ['b4', 'b5'], moves: ['b4+b5'], says: null },
];

for (const { game, clicks, moves, says } of CASES) {
  test(`${game} is set up and solved by clicks`, async () => {
    const page = await explorer.page();
    await choose(page, game);
    await clickCells(page, ...clicks);
    await played(page, ...moves);
    if (says) await verdict(page, says);
    await page.waitForFunction(() => document.getElementById('value-status')?.textContent?.startsWith('Everything is known'), null, { timeout: 60_000 });
    assert.deepEqual(await listed(page), analyzed(game, moves.join(' ')));
    // A shape and a word on the board, too.
    const labels = await page.locator('.cell').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
    assert.ok(game.startsWith('domineering') || labels.some((label) => /, (the only )?(win|draw|loss)$/.test(label ?? '')), labels.join('; '));
    await done(page);
  });
}

test('the only winning move is called out, with its distance', async () => {
  const page = await explorer.page('game=nim:1,3');
  await verdict(page, 'First player to move: only b2 wins.');
  const only = page.locator('#moves .move.win');
  assert.match(await only.textContent(), /b2only winin 3 plies/);
  await done(page);
});

test('what is not known is not shown as known', async () => {
  const page = await explorer.page('game=hex:11');
  await verdict(page, 'First player to move: not decided yet.');
  await page.waitForFunction(() => document.getElementById('value-status')?.textContent?.startsWith('Searching'));
  const words = new Set(Object.values(await listed(page)));
  assert.deepEqual([...words], ['unknown']);
  assert.equal(await page.locator('.marks .value').count(), 0, 'nothing is drawn on the board');
  await done(page);
});

test('back, forth, a typed move, a pasted position and a shared address', async () => {
  const page = await explorer.page('game=tictactoe&moves=a1+b1');
  await played(page, 'a1', 'b1');
  await page.click('#back');
  await played(page, 'a1');
  await page.click('#forth');
  await played(page, 'a1', 'b1');
  await page.click('#first');
  await played(page);
  await page.click('#last');
  await played(page, 'a1', 'b1');
  await page.fill('#typed-move', 'c1 a2');
  await page.click('#typed button');
  await played(page, 'a1', 'b1', 'c1', 'a2');
  await page.fill('#typed-move', 'z9');
  await page.press('#typed-move', 'Enter');
  await page.waitForFunction(() => document.getElementById('typed-problem')?.textContent?.includes('z9'));
  const again = await explorer.page(new URL(page.url()).hash.slice(1));
  await played(again, 'a1', 'b1', 'c1', 'a2');
  await done(again);
  await page.click('.set-up summary');
  await page.fill('#position', 'XX./OO./...');
  await page.click('#position-form button');
  await played(page);
  await verdict(page, 'First player to move: only c3 wins.');
  await page.fill('#position', 'XX/OO');
  await page.click('#position-form button');
  await page.waitForFunction(() => document.getElementById('position-problem')?.textContent?.includes('rows'));
  await page.locator('#moves .move[data-move="c3"]').click();
  await verdict(page, 'The game is over: the first player wins.');
  await done(page);
});

test('what is done faster than the server answers is done in order', async () => {
  const page = await explorer.page('game=tictactoe&moves=a1+b1');
  await played(page, 'a1', 'b1');
  // The first answer, to going back, comes last unless requests wait for each other.
  let wait = 500;
  await page.route('**/api/v1/position', async (route) => {
    const delay = wait;
    wait = 0;
    await new Promise((resolve) => setTimeout(resolve, delay));
    await route.continue();
  });
  const stale = page.locator('#moves .move[data-move="c3"]');
  await page.click('#back');
  await page.fill('#typed-move', 'c1');
  await page.press('#typed-move', 'Enter');
  await stale.click();
  await played(page, 'a1', 'c1');
  await page.fill('#typed-move', 'b1');
  await page.press('#typed-move', 'Enter');
  await played(page, 'a1', 'c1', 'b1');
  await done(page);
});

test('everything by keyboard alone', async () => {
  const page = await explorer.page();
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focusIs = (selector) => page.waitForFunction(([wanted]) => document.activeElement?.matches(wanted), [selector]);
  const tabTo = async (selector) => {
    for (let count = 0; count < 60; count += 1) {
      if (await page.evaluate(([wanted]) => document.activeElement?.matches(wanted) ?? false, [selector])) return;
      await press('Tab');
    }
    assert.fail(`${selector} is not reached by Tab`);
  };
  // A game, from the dialog.
  await tabTo('#choose');
  await press('Enter');
  await tabTo('#spec');
  await press('Control+a');
  await page.keyboard.type('tictactoe');
  await press('Enter');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  // A move on the board: the grid is one tab stop, arrows go from cell to cell.
  await tabTo('.cell');
  await focusIs('.cell[aria-label^="a3,"]');
  await press('ArrowRight', 'ArrowDown');
  await focusIs('.cell[aria-label^="b2,"]');
  await press('End');
  await focusIs('.cell[aria-label^="c2,"]');
  await press('Home', 'ArrowRight', 'Enter');
  await played(page, 'b2');
  await focusIs('.cell[aria-label^="b2,"]');
  // A move from the list.
  await tabTo('#moves .move');
  await press('ArrowDown', 'ArrowUp', 'Enter');
  await page.waitForFunction(() => document.querySelectorAll('#history .ply').length === 2);
  // A typed move, and back.
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await tabTo('#typed-move');
  await page.keyboard.type('c3');
  await press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('#history .ply').length === 3);
  await press('Shift+Tab', 'Shift+Tab');
  await focusIs('#first');
  await press('Enter');
  await played(page);
  // The views, by arrows.
  await tabTo('#tab-values');
  await press('ArrowRight', 'Enter');
  await page.waitForSelector('#panel-proof:not([hidden])');
  await tabTo('#prove');
  await press('Enter');
  await page.waitForSelector('#proof-view:not([hidden])');
  await tabTo('#check');
  await press('Enter');
  await page.waitForFunction(() => document.getElementById('checked')?.textContent?.startsWith('Valid'));
  await tabTo('#branches .move');
  await press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('#history .ply').length === 1);
  await done(page);
});
