import type { Page } from 'playwright-core';
import { until } from '../../../support/until.ts';

const NAME_OF = `(element) =>
  element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent.trim()`;
const FOCUSED_NAME = `(${NAME_OF})(document.activeElement)`;
const NAMES = `[...document.querySelectorAll('a, button, input, select, summary, textarea')].map(${NAME_OF})`;

/** Uses a page without a mouse: moves to elements by Tab, and finds them by their accessible names. */
export const byKeyboard = (page: () => Page) => {
  const press = (key: string) => page().keyboard.press(key);
  const reach = async (name: string) => {
    // Waits for the element first: 60 steps may take less time than an answer that the page needs.
    await until(async () => (await page().evaluate<readonly string[]>(NAMES)).includes(name));
    for (let steps = 0; steps < 60; steps += 1) {
      if ((await page().evaluate<string>(FOCUSED_NAME)) === name) return;
      await press('Tab');
    }
    throw new Error(`${name} cannot be reached by keyboard.`);
  };
  return {
    press,
    reach,
    /** Presses Enter on the element. */
    enter: async (name: string) => {
      await reach(name);
      await press('Enter');
    },
    /** Types into the field. Replaces its text, which Tab selects. */
    write: async (name: string, text: string) => {
      await reach(name);
      await page().keyboard.type(text);
    },
  };
};
