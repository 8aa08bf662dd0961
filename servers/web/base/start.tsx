import type { ComponentType } from 'preact';
import { render } from 'preact';

/** Replaces the shell's text by the front. */
export const start = (App: ComponentType): void => {
  const root = document.getElementById('app');
  if (root === null) return;
  root.replaceChildren();
  // `data-waits` hid the shell's text where that text was in another language than the page.
  delete document.documentElement.dataset.waits;
  render(<App />, root);
};
