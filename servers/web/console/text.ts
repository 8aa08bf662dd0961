import { locale, type Source, source, words } from '../text/language.ts';
import type { TextName } from './paths.ts';
import type { ConsoleTexts } from './text/en.ts';

/** The texts of the parts. */
export const texts: Readonly<Record<TextName, Source>> = {
  proof: source(
    () => import('./text/en/proof.ts'),
    () => import('./text/pl/proof.ts'),
  ),
  overview: source(
    () => import('./text/en/overview.ts'),
    () => import('./text/pl/overview.ts'),
  ),
  users: source(
    () => import('./text/en/users.ts'),
    () => import('./text/pl/users.ts'),
  ),
  user: source(
    () => import('./text/en/user.ts'),
    () => import('./text/pl/user.ts'),
  ),
  installation: source(
    () => import('./text/en/installation.ts'),
    () => import('./text/pl/installation.ts'),
  ),
  audit: source(
    () => import('./text/en/audit.ts'),
    () => import('./text/pl/audit.ts'),
  ),
  logs: source(
    () => import('./text/en/logs.ts'),
    () => import('./text/pl/logs.ts'),
  ),
};

/** The console's texts in the language of the page. */
export const c = (): ConsoleTexts => words() as ConsoleTexts;

export const shownNumber = (value: number): string =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value);
