import { batch, signal } from '@preact/signals';

/** The path of the page that is shown. */
export const path = signal(location.pathname);
/** The query of this page's address. */
export const search = signal(location.search);
/** Counts the changes of the page: after each the focus goes to the new heading. */
export const pageChanges = signal(0);

/** Asks the user whether to leave a page whose content is shown only once. */
type Guard = () => Promise<boolean>;

let guard: Guard | undefined;

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Asks before a link, a step back, a sign-out or closing the tab, until the returned function is called. */
export const guardLeaving = (newGuard: Guard): (() => void) => {
  guard = newGuard;
  addEventListener('beforeunload', warn);
  return () => {
    if (guard === newGuard) guard = undefined;
    // A newer guard still needs the listener.
    if (guard === undefined) removeEventListener('beforeunload', warn);
  };
};

/** Whether the page may be left. Asks the user if content would be lost. */
export const mayLeave = async (): Promise<boolean> => (await guard?.()) ?? true;

/** The place that the state of a history entry holds; 0 for an entry of others, whose state may be null. */
const placeIn = (state: unknown): number => Number(Object(state).place ?? 0);

/** The place of the page in this tab's history, which the state of each entry holds. */
let place = placeIn(history.state);

const show = () => {
  const { pathname, search: newSearch } = location;
  if (path.value === pathname && search.value === newSearch) return;
  batch(() => {
    if (path.value !== pathname) pageChanges.value += 1;
    path.value = pathname;
    search.value = newSearch;
  });
  scrollTo(0, 0);
};

const move = (to: string, replace: boolean): void => {
  if (replace) history.replaceState({ place }, '', to);
  else {
    place += 1;
    history.pushState({ place }, '', to);
  }
  show();
};

interface Navigation {
  readonly replace?: boolean;
  /** Whether the guard was asked already or does not apply. */
  readonly isSettled?: boolean;
}

/** Shows another page of this front without a request. */
export const go = (to: string, { replace = false, isSettled = false }: Navigation = {}): void => {
  const isElsewhere = new URL(to, location.href).pathname !== path.value;
  const guardToAsk = isElsewhere && !isSettled ? guard : undefined;
  const askThenMove = async () => {
    if (guardToAsk === undefined || (await guardToAsk())) move(to, replace);
  };
  void askThenMove();
};

/** Follows a step back or forward in the browser's history, if the guard allows it. */
const follow = (): void => {
  const steps = placeIn(history.state) - place;
  const guardToAsk = location.pathname === path.value ? undefined : guard;
  if (guardToAsk === undefined) {
    place += steps;
    show();
    return;
  }
  const askThenRepeat = async () => {
    if (!(await guardToAsk())) return;
    if (guard === guardToAsk) guard = undefined;
    history.go(steps);
  };
  // The address has changed already: undo the step, ask, and repeat it. Both moves call `follow` again, but neither asks: the
  // first leads back to the page that is shown, and before the second the guard is removed.
  history.go(-steps);
  void askThenRepeat();
};

export const query = (): URLSearchParams => new URLSearchParams(location.search);

/** An address with the parameters of this page, except for the email. */
export const withParameters = (to: string): string => {
  const parameters = query();
  parameters.delete('email');
  const text = parameters.toString();
  return text === '' ? to : `${to}?${text}`;
};

/** Makes links between the front's pages load without a request. */
export const beginRouting = (isPage: (path: string) => boolean): void => {
  addEventListener('popstate', follow);
  addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (anchor === null || anchor.target !== '' || anchor.download !== '') return;
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.button !== 0 || isModified || event.defaultPrevented) return;
    const url = new URL(anchor.href);
    if (url.origin !== location.origin || !isPage(url.pathname) || url.hash !== '') return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
};
