import { locale, type Source, source, words } from '../text/language.ts';
import type { TextName } from './paths.ts';
import type { ConsoleTexts } from './text/en.ts';

/** The texts that are loaded with the areas and with a user's details. */
export const texts: Readonly<Record<TextName, Source>> = {
  proof: source({ en: () => import('./text/en/proof.ts'), pl: () => import('./text/pl/proof.ts') }),
  overview: source({ en: () => import('./text/en/overview.ts'), pl: () => import('./text/pl/overview.ts') }),
  users: source({ en: () => import('./text/en/users.ts'), pl: () => import('./text/pl/users.ts') }),
  user: source({ en: () => import('./text/en/user.ts'), pl: () => import('./text/pl/user.ts') }),
  installation: source({
    en: () => import('./text/en/installation.ts'),
    pl: () => import('./text/pl/installation.ts'),
  }),
  audit: source({ en: () => import('./text/en/audit.ts'), pl: () => import('./text/pl/audit.ts') }),
  logs: source({ en: () => import('./text/en/logs.ts'), pl: () => import('./text/pl/logs.ts') }),
};

/** The console's texts in the language of the page. */
export const c = (): ConsoleTexts => words() as ConsoleTexts;

export const shownNumber = (value: number): string =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value);
