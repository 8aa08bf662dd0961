import type { Page } from 'playwright-core';

const FOCUSED = 'document.activeElement';
const NAME = `${FOCUSED}.labels?.[0]?.textContent ?? ${FOCUSED}.getAttribute('aria-label') ?? ${FOCUSED}.textContent.trim()`;

/** Works at a page without a mouse: every element is reached by Tab, by the name that it has for everybody. */
export const byKeyboard = (page: () => Page) => {
  const press = (key: string) => page().keyboard.press(key);
  const reach = async (name: string) => {
    for (let steps = 0; steps < 60; steps += 1) {
      if ((await page().evaluate<string>(NAME)) === name) return;
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
