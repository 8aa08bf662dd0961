import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { config } from '../config.ts';
import { path, turns } from '../router.ts';
import type { Texts } from '../text/en.ts';
import { t } from '../text/language.ts';

/** The title of a page by its path. */
const titleOf = (at: string): string => {
  const titles: Texts['titles'] = t().titles;
  return Object.hasOwn(titles, at) ? titles[at as keyof typeof titles] : config.product;
};

/** The heading of a page, which is the title of the window, too. It takes the focus when the page is shown. */
export const Heading = ({ children }: { readonly children?: ComponentChildren }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const title = titleOf(path.value);
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
