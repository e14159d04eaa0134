// Elements and numbers. Text is always set as text, so nothing that comes from outside can become markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element with attributes, listeners (`onclick` and the like as functions) and children.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes, children);
  return element;
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  dress(element, attributes, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, unknown>} attributes
 * @param {(Child | Child[])[]} children
 */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  fill(element, ...children);
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const kept = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  element.replaceChildren(...kept.map((child) => (child instanceof Node ? child : String(child))));
}

/**
 * The element with an id, which the page has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** @param {string} id @returns {HTMLInputElement} */
export const input = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** @param {string} id @returns {HTMLSelectElement} */
export const select = (id) => /** @type {HTMLSelectElement} */ (byId(id));

/** @param {string} id @returns {HTMLDialogElement} */
export const dialog = (id) => /** @type {HTMLDialogElement} */ (byId(id));

/**
 * A number with its noun: "1 ply", "2 plies".
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function plural(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** @param {number} number */
export const grouped = (number) => number.toLocaleString('en-US');

/** A number with three digits: 12.3 k. @param {number} number */
export function short(number) {
  const units = ['', ' k', ' M', ' G', ' T'];
  let unit = 0;
  while (number >= 1000 && unit < units.length - 1) {
    number /= 1000;
    unit += 1;
  }
  return (unit === 0 ? String(Math.round(number)) : number.toPrecision(3)) + units[unit];
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1 << 20) return `${(bytes / 1024).toFixed(1)} KiB`;
  if (bytes < 1 << 30) return `${(bytes / (1 << 20)).toFixed(1)} MiB`;
  return `${(bytes / (1 << 30)).toFixed(2)} GiB`;
}

/** @param {number} seconds */
export function time(seconds) {
  if (seconds < 0.001) return 'under 1 ms';
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} count */
export const plies = (count) => plural(count, 'ply', 'plies');

/**
 * Moves the focus among the children of a container with the arrow keys; only one of them is a tab stop.
 * @param {HTMLElement} container
 * @param {string} selector
 */
export function rove(container, selector) {
  const items = () => /** @type {HTMLElement[]} */ ([...container.querySelectorAll(selector)]);
  container.addEventListener('keydown', (event) => {
    const all = items();
    const now = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (now < 0) return;
    const steps = /** @type {Record<string, number>} */ ({
      ArrowDown: now + 1, ArrowRight: now + 1, ArrowUp: now - 1, ArrowLeft: now - 1, Home: 0, End: all.length - 1,
    });
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const target = all[Math.max(0, Math.min(all.length - 1, next))];
    if (!target) return;
    for (const item of all) item.tabIndex = item === target ? 0 : -1;
    target.focus();
  });
}
