import { warningsAboutNames } from './misspelt-settings.ts';
import { remoteStoreSetting } from './remote-store.ts';
import type { Config } from './types.ts';

/** Warnings about valid settings. `names` are all names in the environment, `settingNames` those of all settings. */
export const warningsAbout = (
  config: Omit<Config, 'secretSources' | 'warnings'>,
  names: readonly string[],
  settingNames: readonly string[],
): readonly string[] => {
  const lines = [...warningsAboutNames(names, settingNames)];
  if (remoteStoreSetting(config) !== undefined && config.redisUrl === null) {
    lines.push('REDIS_URL is not set: only the processes of this machine share cache and limits.');
  }
  if (config.selfEntitlement === 'trust') {
    lines.push(
      'SELF_ENTITLEMENT is trust: users can give themselves any tier. Use it only to try the product.',
    );
  }
  if (config.cookieSessions && !config.publicUrl?.startsWith('https:')) {
    lines.push(
      'COOKIE_SESSIONS is on without https: session cookies lack Secure. Use it only on this machine.',
    );
  }
  if (config.mail.provider === 'smtp' && config.mail.plain) {
    lines.push('SMTP_PLAIN is allow: mail and its credentials may cross the network unencrypted.');
  }
  return lines;
};
