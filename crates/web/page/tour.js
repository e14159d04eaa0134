// The tour for newcomers, and the choice of light or dark.

import { byId, dialog } from './dom.js';

const THEME = 'delphic-theme';
const SEEN = 'delphic-tour';

export function prepare() {
  byId('help').addEventListener('click', () => dialog('tour').showModal());
  for (const close of document.querySelectorAll('dialog [data-close]')) {
    close.addEventListener('click', () => /** @type {HTMLDialogElement | null} */ (close.closest('dialog'))?.close());
  }
  byId('theme').addEventListener('click', () => {
    const dark = document.documentElement.dataset['theme'] === 'dark'
      || (!document.documentElement.dataset['theme'] && matchMedia('(prefers-color-scheme: dark)').matches);
    const next = dark ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    localStorage.setItem(THEME, next);
  });
  const theme = localStorage.getItem(THEME);
  if (theme) document.documentElement.dataset['theme'] = theme;
  if (!localStorage.getItem(SEEN)) {
    localStorage.setItem(SEEN, 'yes');
    dialog('tour').showModal();
  }
}
