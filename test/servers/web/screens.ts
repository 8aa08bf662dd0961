import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What axe-core finds against WCAG and good practice, or against one rule of these, one line each. */
export const violations = async (page: Page, rule?: string): Promise<readonly string[]> => {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  // Styles are those of the page: axe need not load them again, which its policy forbids.
  const options = { preload: false, resultTypes: ['violations'], ...(rule && { runOnly: [rule] }) };
  const found: AxeResult = await page.evaluate(`axe.run(${JSON.stringify(options)})`);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

/** Milliseconds in which a page lays itself out for a new width of the window. */
const LAYOUT_TIME = 30_000;

/**
 * Pixels that a page is wider than its window. A page redraws its tables as cards in a frame after the one that the window
 * was resized in, so that only what stays too wide counts.
 */
export const overflow = async (page: Page): Promise<number> => {
  const measure = (): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await until(async () => (await measure()) <= 0, LAYOUT_TIME).catch(() => undefined);
  return measure();
};

const LOOKS = (['en', 'pl'] as const).flatMap((language) =>
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

/** Whether all there is shall be looked at, as `--long` does. */
export const IS_LONG = process.env.LONG === '1';

/** In the gate two looks stand for all, which differ in everything; with `--long`, all are seen. */
export const SEEN_LOOKS = LOOKS.filter(
  ({ language, theme, width }) =>
    IS_LONG ||
    (language === 'en' && theme === 'light' && width === 1280) ||
    (language === 'pl' && theme === 'dark' && width === 390),
);

/** What is wrong with the screen in any of its looks. */
export const faults = async (page: Page, name: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const look of SEEN_LOOKS) {
    await show(page, look);
    const wider = await overflow(page);
    const all = [...(await violations(page)), ...(wider > 0 ? [`wider than its window by ${wider} px`] : [])];
    found.push(...all.map((fault) => `${name}, ${Object.values(look).join(', ')}: ${fault}`));
  }
  return found;
};

/** Every letter twice as long and in a language that runs from the right: nothing may depend on the words' length. */
const PSEUDO = `
  document.documentElement.dir = 'rtl';
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (text.data.trim() !== '') text.data = text.data.replace(/[a-z]+/gi, (word) => word + 'ı'.repeat(Math.ceil(word.length / 2)));
  }
`;

/** What runs over the edge of the window from the right, with longer words, at 320 px, which is 1280 px at 400 %. */
export const strains = async (page: Page, name: string): Promise<readonly string[]> => {
  await page.setViewportSize({ width: 320, height: 256 });
  const zoomed = await overflow(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.evaluate(PSEUDO);
  const mirrored = await overflow(page);
  return [
    ...(zoomed > 0 ? [`${name} at 400 %: wider by ${zoomed} px`] : []),
    ...(mirrored > 0 ? [`${name} from right to left: wider by ${mirrored} px`] : []),
  ];
};
