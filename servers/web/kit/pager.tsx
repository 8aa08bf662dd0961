import { useEffect } from 'preact/hooks';
import { link } from './link.ts';

interface PagerProps {
  readonly label: string;
  readonly newer: string;
  readonly older: string;
  /** The address of this page. */
  readonly current: string;
  /** The address of the first page, and of the next one if there is one. */
  readonly first: string;
  readonly next: string | undefined;
  readonly note?: string;
}

/**
 * The page before each page that was shown: lists only link forwards. The entry of the browser's history keeps the map
 * over a reload.
 */
const before = new Map<string, string>(history.state?.before);

/** Turns the pages of a list, each of which has an address of its own. */
export const Pager = ({ label, newer, older, current, first, next, note }: PagerProps) => {
  // While a page is loading, the page that linked to it is still shown.
  if (next !== undefined && next !== current) before.set(next, current);
  useEffect(() => history.replaceState({ ...history.state, before: [...before] }, ''), [current]);
  if (current === first && next === undefined) return null;
  return (
    <nav class="pager" aria-label={label}>
      {current === first ? null : (
        <a class="button plain" href={link(before.get(current) ?? first)}>
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
