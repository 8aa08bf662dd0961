import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../text/language.ts';
import { config } from './config.ts';
import { path, turns } from './router.ts';

interface HeadingProps {
  readonly children?: ComponentChildren;
  /** The path whose title is shown, where the address has parameters. */
  readonly at?: string;
}

/** The heading of a page, which is the title of the window, too. It takes the focus when the page is shown. */
export const Heading = ({ children, at }: HeadingProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const title = words().titles[at ?? path.value] ?? config.product;
  useEffect(() => {
    document.title = `${title} – ${config.product}`;
  }, [title]);
  useEffect(() => {
    if (turns.value > 0) heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
};
