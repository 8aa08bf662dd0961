import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../text/language.ts';
import { config } from './config.ts';
import { pageChanges, path } from './router.ts';

interface HeadingProps {
  readonly children?: ComponentChildren;
  /** The path in the table of titles, such as `/users/{id}`, where the shown path has an id. */
  readonly at?: string;
  /** A title in place of the path's. */
  readonly title?: string | undefined;
}

/** The heading of a page and the title of its window. It takes the focus after a change of the page, unless a field has it. */
export const Heading = ({ children, at, title: ownTitle }: HeadingProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const title = ownTitle ?? words().titles[at ?? path.value] ?? config.product;
  useEffect(() => {
    document.title = title === config.product ? title : `${title} – ${config.product}`;
  }, [title]);
  useEffect(() => {
    if (pageChanges.value > 0 && document.activeElement?.tagName !== 'INPUT') heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
};
