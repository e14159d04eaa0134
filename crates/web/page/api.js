// The server's interface (docs/api.md): requests with the token, and streams of events.

const KEY = 'delphic-token';

/** @typedef {{ x: number, y: number, row: number, column: number, name: string, content: string }} Cell */
/**
 * @typedef {{ game: string, title: string | null, position: string, to_move: string | null, moves: string[],
 *   payoffs: number[] | null, board: string, players: number, notes: string[], svg: string, cells: Cell[],
 *   move_cells: number[][], columns: boolean }} Position
 */
/** @typedef {string | number} Value a word, or a score */
/**
 * @typedef {{ move: string, at_least: Value, at_most: Value, plies: number | null, plies_at_most: number | null,
 *   line: string[] }} MoveValue
 */
/** @typedef {{ p: number | null, pn: number | null, dn: number | null }} Root */
/**
 * @typedef {{ created: number, expanded: number, playouts: number, seconds: number, peak_bytes: number }} Stats
 */
/**
 * @typedef {{ game: string, position: string, question: string, verdict: string, value: Value | null, at_least: Value,
 *   at_most: Value, for: string, to_move: string, line: string[], plies_at_most: number | null, solver: string,
 *   searched_by: string, stop: string, stats: Stats, root: Root }} Answer
 */
/** @typedef {Answer & { moves: MoveValue[], best: string[], complete: boolean, round: number, seconds: number }} Analysis */
/** @typedef {{ game: string, position?: string, moves?: string }} Place */

/** What the server refuses, with its reason: for the reader, not a fault of the page. */
export class Refusal extends Error {}

/** Takes the token from the address, where it is not left. */
export function takeToken() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const token = fields.get('token');
  if (token) {
    localStorage.setItem(KEY, token);
    fields.delete('token');
    history.replaceState(null, '', fields.size ? `#${fields}` : location.pathname);
  }
}

/** @param {string} path @param {RequestInit} [init] @returns {Promise<Response>} */
async function call(path, init = {}) {
  const headers = { authorization: `Bearer ${localStorage.getItem(KEY) ?? ''}` };
  const response = await fetch(`/api/v1${path}`, { ...init, headers });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(problem.error ?? `the server answered ${response.status}`);
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await call(path)).json();

/** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
export const post = async (path, body = {}) =>
  (await call(path, { method: 'POST', body: JSON.stringify(body) })).json();

/** @param {string} path @returns {Promise<Blob>} */
export const download = async (path) => (await call(path)).blob();

/**
 * A request that is answered by a stream of events; it ends when the server is done or `signal` aborts it, which also ends the search.
 * @param {string} path
 * @param {unknown} body an object, or bytes
 * @param {Record<string, (data: any) => void>} handlers by the names of events; `error` gets a message
 * @param {AbortSignal} [signal]
 */
export async function stream(path, body, handlers, signal) {
  const bytes = body instanceof Blob ? body : JSON.stringify(body);
  try {
    const response = await call(path, { method: 'POST', body: bytes, signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) dispatch(block, handlers);
    }
  } catch (error) {
    if (signal?.aborted) return;
    handlers['error']?.({ error: error instanceof Error ? error.message : String(error) });
  }
}

/** @param {string} block @param {Record<string, (data: any) => void>} handlers */
function dispatch(block, handlers) {
  let event = '';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    if (line.startsWith('data: ')) data = line.slice(6);
  }
  if (event) handlers[event]?.(JSON.parse(data));
}
