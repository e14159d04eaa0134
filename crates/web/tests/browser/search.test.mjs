// Searches to watch, and games against agents.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Explorer, done, played, verdict } from './explorer.mjs';

const explorer = new Explorer();

const nodes = (page) => page.locator('#search-one .quiet').textContent().then((text) => Number((/^[\d,]+/.exec(text ?? '')?.[0] ?? '0').replaceAll(',', '')));

test('a search is started, watched, stopped and resumed', async () => {
  const page = await explorer.page('game=connect4&tab=search');
  await page.selectOption('#solver', 'pns');
  await page.selectOption('#question', 'win');
  await page.click('#search-form button');
  await page.waitForSelector('#search-one .curve');
  await page.waitForFunction(() => document.querySelectorAll('#search-one .multiples li').length === 7);
  const first = await nodes(page);
  await page.waitForFunction(([before]) => Number((/^[\d,]+/.exec(document.querySelector('#search-one .quiet')?.textContent ?? '')?.[0] ?? '0').replaceAll(',', '')) > before, [first]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.waitForFunction(() => document.querySelector('#search-one .outcome')?.textContent === 'Not decided (it was stopped).');
  const stopped = await nodes(page);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.waitForFunction(([before]) => Number((/^[\d,]+/.exec(document.querySelector('#search-one .quiet')?.textContent ?? '')?.[0] ?? '0').replaceAll(',', '')) > before, [stopped]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Browse the search' }).click();
  await page.waitForFunction(() => document.getElementById('survey-moves')?.textContent?.includes('Of 7 moves'));
  await done(page);
  const { load } = await (await explorer.api('/about')).json();
  assert.deepEqual(load, { running: 0, waiting: 0 });
});

test('two solvers side by side agree', async () => {
  const page = await explorer.page('game=domineering:5x5&tab=search');
  await page.selectOption('#solver', 'pns');
  await page.selectOption('#second', 'pp');
  await page.click('#search-form button');
  for (const id of ['search-one', 'search-two']) {
    await page.waitForFunction(([place]) => document.querySelector(`#${place} .outcome`)?.textContent?.startsWith('Proved: the first player loses'), [id], { timeout: 60_000 });
  }
  await page.locator('#search-two').getByRole('button', { name: 'Open its proof' }).click();
  await page.waitForFunction(() => document.getElementById('claims')?.textContent === 'The first player cannot force a win');
  await done(page);
});

test('a search ends when the page is closed', async () => {
  const page = await explorer.page('game=connect4&tab=search');
  await page.click('#search-form button');
  await page.waitForSelector('#search-one .curve');
  assert.equal((await (await explorer.api('/about')).json()).load.running, 1);
  await done(page);
  for (let tries = 0; (await (await explorer.api('/about')).json()).load.running > 0; tries += 1) {
    assert.ok(tries < 200, 'still running');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test('a game against an agent, with hints and moves taken back', async () => {
  const page = await explorer.page('game=tictactoe&tab=play');
  await page.fill('#think', '0.1');
  await page.locator('.cell[aria-label^="b2,"]').click();
  await page.waitForFunction(() => document.querySelectorAll('#history .ply').length === 2);
  await page.waitForFunction(() => document.getElementById('play-status')?.textContent === 'Your move.');
  assert.equal(await page.locator('#moves .word').count(), 0, 'no hints unless one asks');
  await page.check('#hints');
  await page.waitForFunction(() => [...document.querySelectorAll('#moves .word')].some((word) => word.textContent === 'Draw'));
  await page.click('#take-back');
  await played(page);
  await page.selectOption('#side', 'second');
  await page.waitForFunction(() => document.querySelectorAll('#history .ply:not(.later)').length === 1);
  await done(page);
});

test('a puzzle has one solution, and another move is not it', async () => {
  const page = await explorer.page('game=tictactoe&tab=play');
  await page.click('#find-puzzle');
  await page.waitForFunction(() => document.getElementById('puzzle-text')?.textContent?.startsWith('Puzzle:'), null, { timeout: 60_000 });
  await page.click('#show-solution');
  const solution = /Only (\S+) wins/.exec(await page.textContent('#puzzle-text') ?? '')?.[1] ?? '';
  const other = await page.locator(`#moves .move:not([data-move="${solution}"])`).first().getAttribute('data-move') ?? '';
  await page.fill('#typed-move', other);
  await page.press('#typed-move', 'Enter');
  await page.waitForFunction(() => document.getElementById('puzzle-text')?.textContent?.includes('does not win'));
  await page.click('#back');
  await page.fill('#typed-move', solution);
  await page.press('#typed-move', 'Enter');
  await page.waitForFunction(() => document.getElementById('puzzle-text')?.textContent?.startsWith('Right'));
  await done(page);
});

test('values are found for a game that takes a while, and more of them while one looks', async () => {
  const page = await explorer.page('game=breakthrough:5x4');
  await verdict(page, 'First player to move: not decided yet.').catch(() => {});
  await page.waitForFunction(() => document.querySelectorAll('#moves .move:not(.unknown) .word').length > 0, null, { timeout: 60_000 });
  await done(page);
});
