import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What axe-core finds against WCAG and good practice, one line each. */
export const violations = async (page: Page): Promise<readonly string[]> => {
  // Styles are those of the page: axe need not load them again, which its policy forbids.
  const found: AxeResult = await page.evaluate(
    `${AXE}; axe.run({ preload: false, resultTypes: ['violations'] })`,
  );
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

/** Pixels that a page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

export const LOOKS = (['en', 'pl'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [390, 1280].map((width) => ({ language, theme, width }))),
);

type Look = (typeof LOOKS)[number];

/** Shows what is open in another language, theme and width, as the person at it would choose. */
const show = async (page: Page, { language, theme, width }: Look): Promise<void> => {
  await page.setViewportSize({ width, height: 800 });
  const names = { en: 'English', pl: 'Polski' };
  await page
    .getByLabel(/^(Language|Język)$/)
    .first()
    .selectOption({ label: names[language] });
  await page.locator(`html[lang=${language}]`).waitFor();
  await page.getByLabel(/^(Colours|Kolory)$/).selectOption(theme);
};

/** In the gate axe sees each language in each theme, at alternating widths; with `--long`, all. */
const isForAxe = ({ language, theme, width }: Look): boolean =>
  process.env.LONG === '1' || (width === 390) === ((language === 'pl') !== (theme === 'dark'));

/** What is wrong with the screen in any of its looks. */
export const faults = async (page: Page, name: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const look of LOOKS) {
    await show(page, look);
    const wider = await overflow(page);
    const all = [
      ...(isForAxe(look) ? await violations(page) : []),
      ...(wider > 0 ? [`wider than its window by ${wider} px`] : []),
    ];
    found.push(...all.map((fault) => `${name}, ${Object.values(look).join(', ')}: ${fault}`));
  }
  return found;
};
