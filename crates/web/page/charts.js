// Small charts over time, drawn by hand.

import { svg, short } from './dom.js';

/** @typedef {{ name: string, kind: string, points: [number, number][] }} Series */

/**
 * Curves over time. Proof numbers stand on a logarithmic scale, probabilities between 0 and 1.
 * @param {Series[]} series
 * @param {{ log: boolean, width?: number, height?: number, title: string, axis?: boolean }} options
 */
export function curves(series, { log, width = 320, height = 130, title, axis = true }) {
  const all = series.flatMap(({ points }) => points);
  const longest = Math.max(1e-3, ...all.map(([x]) => x));
  const scale = (/** @type {number} */ value) => (log ? Math.log10(Math.max(1, value)) : value);
  const top = log ? Math.max(1, ...all.map(([, y]) => Math.ceil(scale(y)))) : 1;
  const [left, right, high, low] = axis ? [34, 6, 8, 18] : [1, 1, 2, 2];
  const x = (/** @type {number} */ value) => left + (value / longest) * (width - left - right);
  const y = (/** @type {number} */ value) => height - low - (scale(value) / top) * (height - low - high);
  const ticks = axis ? (log ? [...Array(top + 1).keys()].filter((tick) => top < 5 || tick % 2 === 0) : [0, 0.5, 1]) : [];
  const label = (/** @type {number} */ tick) => (log ? short(10 ** tick) : String(tick));
  const at = (/** @type {number} */ tick) => height - low - (tick / top) * (height - low - high);
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': title },
    ...ticks.map((tick) => svg('path', { d: `M${left} ${at(tick)}H${width - right}`, class: 'rule' })),
    ...ticks.map((tick) => svg('text', { x: left - 4, y: at(tick) + 3, class: 'tick end' }, label(tick))),
    axis ? svg('text', { x: width - right, y: height - 4, class: 'tick end' }, `${longest < 10 ? longest.toFixed(1) : Math.round(longest)} s`) : null,
    ...series.map(({ points, kind }) => svg('polyline', {
      class: `curve ${kind}`, points: points.map(([t, value]) => `${x(t).toFixed(1)},${y(value).toFixed(1)}`).join(' '),
    })));
}

/**
 * An icicle: every branch as wide as its number of positions, those below it underneath.
 * @param {{ start: number, size: number, ply: number, kind: string, label: string, onclick: () => void }[]} slices
 * @param {number} whole
 * @param {number} plies
 */
export function icicle(slices, whole, plies) {
  const [width, row] = [480, 22];
  const rects = slices.map(({ start, size, ply, kind, label, onclick }) => {
    const wide = (size / whole) * width;
    const from = (start / whole) * width;
    return svg('g', { class: `slice ${kind}`, onclick },
      svg('title', {}, label),
      svg('rect', { x: from.toFixed(2), y: ply * row, width: Math.max(0.4, wide - 0.6).toFixed(2), height: row - 1 }),
      wide > 12 + 7 * (label.split(':')[0] ?? '').length ? svg('text', { x: (from + 4).toFixed(2), y: ply * row + 15 }, label.split(':')[0] ?? '') : null);
  });
  return svg('svg', { viewBox: `0 0 ${width} ${Math.max(1, plies) * row}`, class: 'icicle', 'aria-hidden': 'true' }, ...rects);
}
