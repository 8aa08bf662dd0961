import { batch, signal } from '@preact/signals';

/** The path of the page that is shown. */
export const path = signal(location.pathname);
/** What its address asks for beside the path. */
export const search = signal(location.search);
/** How many pages were shown before this one: the focus goes to the heading of every one but the first. */
export const turns = signal(0);

let leave: (() => boolean) | undefined;

/** Asks before the page is left: `mayLeave` says no while something would be lost. Gives the undoing. */
export const guardLeaving = (mayLeave: () => boolean): (() => void) => {
  const warn = (event: BeforeUnloadEvent) => {
    if (!mayLeave()) event.preventDefault();
  };
  leave = mayLeave;
  addEventListener('beforeunload', warn);
  return () => {
    leave = undefined;
    removeEventListener('beforeunload', warn);
  };
};

const show = () => {
  const { pathname, search: asked } = location;
  if (path.value === pathname && search.value === asked) return;
  batch(() => {
    if (path.value !== pathname) turns.value += 1;
    path.value = pathname;
    search.value = asked;
  });
  scrollTo(0, 0);
};

/** Shows another page of these, without a request for it. */
export const go = (to: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  if (leave?.() === false) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  show();
};

/** The parameters of the address. */
export const query = (): URLSearchParams => new URLSearchParams(location.search);

/** A parameter of the address that later pages of the same way keep. */
export const kept = (to: string): string => {
  const parameters = query();
  parameters.delete('email');
  const text = parameters.toString();
  return text === '' ? to : `${to}?${text}`;
};

/** Has links between the front's pages show the page in place. */
export const beginRouting = (isPage: (path: string) => boolean): void => {
  addEventListener('popstate', show);
  addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    const changed = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (
      anchor === null ||
      changed ||
      event.defaultPrevented ||
      anchor.target !== '' ||
      anchor.download !== ''
    )
      return;
    const url = new URL(anchor.href);
    if (url.origin !== location.origin || !isPage(url.pathname) || url.hash !== '') return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
};
