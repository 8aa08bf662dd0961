import type { Page } from 'playwright-core';
import { until } from '../../../support/until.ts';

const NAME_OF = `(element) =>
  element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent.trim()`;
const FOCUSED_NAME = `(${NAME_OF})(document.activeElement)`;
const NAMES = `[...document.querySelectorAll('a, button, input, select, summary, textarea')].map(${NAME_OF})`;

/** Works at a page without a mouse: every element is reached by Tab, by the name that it has for everybody. */
export const byKeyboard = (page: () => Page) => {
  const press = (key: string) => page().keyboard.press(key);
  const reach = async (name: string) => {
    // What the page still waits for is not there to be reached, and 60 steps can be over before an answer comes.
    await until(async () => (await page().evaluate<readonly string[]>(NAMES)).includes(name));
    for (let steps = 0; steps < 60; steps += 1) {
      if ((await page().evaluate<string>(FOCUSED_NAME)) === name) return;
      await press('Tab');
    }
    throw new Error(`Nobody reaches ${name} by keyboard.`);
  };
  return {
    press,
    reach,
    /** Presses Enter on it. */
    enter: async (name: string) => {
      await reach(name);
      await press('Enter');
    },
    /** Types into it; a text that stood there is replaced, as Tab selects it. */
    write: async (name: string, text: string) => {
      await reach(name);
      await page().keyboard.type(text);
    },
  };
};
