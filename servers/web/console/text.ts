import { words } from '../text/language.ts';
import type { ConsoleTexts } from './text/en.ts';

/** The console's texts in the language of the page. */
export const c = (): ConsoleTexts => words() as ConsoleTexts;
