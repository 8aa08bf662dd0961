import { useEffect } from 'preact/hooks';
import { link } from './link.ts';

interface PagerProps {
  readonly label: string;
  readonly newer: string;
  readonly older: string;
  /** The address of this page. */
  readonly here: string;
  /** The address of the first page, and of the next one if there is one. */
  readonly first: string;
  readonly next: string | undefined;
  readonly note?: string;
}

/**
 * The page before each page that was shown: lists give addresses forwards alone. The entry of the browser's history keeps
 * it over a reload.
 */
const before = new Map<string, string>(Array.isArray(history.state) ? history.state : []);

/** Turns the pages of a list, each of which has an address of its own. */
export const Pager = ({ label, newer, older, here, first, next, note }: PagerProps) => {
  // While a page is read, what is shown is still the one that named it.
  if (next !== undefined && next !== here) before.set(next, here);
  useEffect(() => history.replaceState([...before], ''), [here]);
  if (here === first && next === undefined) return null;
  return (
    <nav class="pager" aria-label={label}>
      {here === first ? null : (
        <a class="button plain" href={link(before.get(here) ?? first)}>
          {newer}
        </a>
      )}
      {next === undefined ? null : (
        <a class="button plain" href={link(next)}>
          {older}
        </a>
      )}
      {note === undefined ? null : <span class="muted small">{note}</span>}
    </nav>
  );
};
