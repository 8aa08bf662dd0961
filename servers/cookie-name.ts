import { CONFIG, type Config } from '../adapters/config.ts';
import { requireArguments } from '../core/check-arguments.ts';
import { cookieForm } from './http/cookie-session/cookie-attributes.ts';

/** The name of the session cookie, which the service sets if `COOKIE_SESSIONS` or `PAGES` is on. */
export const cookieName = (config: Pick<Config, 'publicUrl'>): string => {
  requireArguments([config], { config: CONFIG });
  return cookieForm(config.publicUrl?.startsWith('https:') ?? false).name;
};
