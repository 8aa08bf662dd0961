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

/** The violations of all rules of axe-core, or of one rule, one line each. */
export const violations = async (page: Page, rule?: string): Promise<readonly string[]> => {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  // The policy of the page forbids axe to load the styles again, which is not needed either.
  const options = { preload: false, resultTypes: ['violations'], ...(rule && { runOnly: [rule] }) };
  const run: AxeResult = await page.evaluate(`axe.run(${JSON.stringify(options)})`);
  return run.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

/** The time for a page to adapt its layout to a new width of the window. */
const LAYOUT_TIMEOUT_MS = 30_000;

/**
 * The number of pixels by which a page is wider than its window. Waits first, since a page redraws its tables as cards some
 * frames after the window was resized.
 */
export const overflow = async (page: Page): Promise<number> => {
  const measure = (): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await until(async () => (await measure()) <= 0, LAYOUT_TIMEOUT_MS).catch(() => undefined);
  return measure();
};

const VARIANTS = (['en', 'pl'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [390, 1280].map((width) => ({ language, theme, width }))),
);

type Variant = (typeof VARIANTS)[number];

/** Chooses language, theme and width for the open page, as a user would. */
const show = async (page: Page, { language, theme, width }: Variant): Promise<void> => {
  await page.setViewportSize({ width, height: 800 });
  const names = { en: 'English', pl: 'Polski' };
  await page
    .getByLabel(/^(Language|Język)$/)
    .first()
    .selectOption({ label: names[language] });
  await page.locator(`html[lang=${language}]`).waitFor();
  await page.getByLabel(/^(Colours|Kolory)$/).selectOption(theme);
};

/** Whether all variants are checked, as with `--long`. */
export const IS_LONG = process.env.LONG === '1';

/** Two variants that differ in every respect, or all with `--long`. */
export const CHECKED_VARIANTS = VARIANTS.filter(
  ({ language, theme, width }) =>
    IS_LONG ||
    (language === 'en' && theme === 'light' && width === 1280) ||
    (language === 'pl' && theme === 'dark' && width === 390),
);

/** The problems of a screen in the checked variants. */
export const faults = async (page: Page, name: string): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const variant of CHECKED_VARIANTS) {
    await show(page, variant);
    const extra = await overflow(page);
    const all = [...(await violations(page)), ...(extra > 0 ? [`wider than its window by ${extra} px`] : [])];
    problems.push(...all.map((fault) => `${name}, ${Object.values(variant).join(', ')}: ${fault}`));
  }
  return problems;
};

/** Lengthens each word by half and writes from right to left: the layout must not depend on the words. */
const PSEUDO = `
  document.documentElement.dir = 'rtl';
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (text.data.trim() !== '') text.data = text.data.replace(/[a-z]+/gi, (word) => word + 'ı'.repeat(Math.ceil(word.length / 2)));
  }
`;

/** Checks the width at 320 px, which is 1280 px at 400 %, and with longer words from right to left. */
export const zoomFaults = async (page: Page, name: string): Promise<readonly string[]> => {
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
