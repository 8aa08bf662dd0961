import type { AccountsPolicy } from '../../core/index.ts';
import type { Config } from '../config.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Where sign-in flows of the pages end: a path, on the origin at which the browser reaches the callback. */
const PAGES_REDIRECT = '/account/return';

export const accountsPolicy = (config: Config): Partial<AccountsPolicy> => ({
  productName: config.productName,
  brandColour: config.brandColour,
  supportUrl: config.supportUrl,
  termsUrl: config.termsUrl,
  privacyUrl: config.privacyUrl,
  accessTokenSeconds: config.accessTokenSeconds,
  tokenAudiences: config.tokenAudiences,
  refreshTokenLifeMs: config.refreshTokenDays * DAY,
  sessionLifeMs: config.sessionMaxDays * DAY,
  refreshGraceMs: config.refreshGraceSeconds * 1_000,
  // The pages keep their sessions in cookies.
  cookieSessions: config.cookieSessions || config.pages.on,
  consoleIdleMs: config.console.idleMinutes * MINUTE,
  consoleLifeMs: config.console.hours * HOUR,
  freshForMs: config.reauthSeconds * 1_000,
  operatorsNeedSecondFactor: config.operatorsNeed2fa,
  resendLimit: config.rateLimits.resend,
  signInRedirects: [...config.signIn.redirects, ...(config.pages.on ? [PAGES_REDIRECT] : [])],
  tiers: config.tiers,
  selfEntitlement: config.selfEntitlement,
});
