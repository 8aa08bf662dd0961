// When the focused element is removed, the focus moves to what follows, since browsers reset it to the top of the page.

/** The place of the focused element. The browser keeps it when the element is removed. */
const place = new Range();
let focused: Element | null = null;

const note = () => {
  // Not noted inside a dialog: after it closes, the focus goes back to the element that opened it, or to that element's place.
  if (document.activeElement?.closest('dialog')) return;
  focused = document.activeElement;
  if (focused) place.selectNode(focused);
};
addEventListener('focusin', note);
// The account pages load this module at the first focus. Meanwhile a form may replace the focused button: the focus is lost.
note();
if (focused === document.body)
  (
    document.querySelector<HTMLElement>('main form input:not([hidden])') ?? document.querySelector('h1')
  )?.focus();

new MutationObserver(() => {
  if (!focused || focused.isConnected || document.activeElement !== document.body) return;
  focused = null;
  const around = place.startContainer;
  // A replaced page has taken its `main` away: the heading of the new page takes the focus itself.
  if (!(around instanceof Element && around.closest('main'))) return;
  const focusable = [...around.querySelectorAll<HTMLElement>('a, button, input:not([hidden]), summary')];
  // The first that does not stand before the place, else the last one before it, else the heading.
  const next =
    focusable.find((element) => place.comparePoint(element, 0) >= 0) ??
    focusable.at(-1) ??
    document.querySelector('h1');
  next?.focus();
  // As Tab does, so that typing replaces what stands in the field.
  if (next instanceof HTMLInputElement) next.select();
}).observe(document, { childList: true, subtree: true });

export {};
