import type { Config } from '../../adapters/config.ts';
import type { Services } from '../services.ts';

const signUp = (url: string) =>
  `  curl ${url}/api/auth/register -H 'Content-Type: application/json' \\
    -d '{"email":"ada@example.com","password":"correct horse battery"}'`;

/** The message of a start: the addresses, the data folder, where mails go, a first command, and the address of the pages. */
export const startupMessage = (config: Config, urls: Services['urls']): string => {
  const mail =
    config.mail.provider === 'files' ? `one file each in ${config.mail.folder}` : config.mail.provider;
  return [
    ...(urls.accounts === undefined ? [] : [`Accounts  ${urls.accounts}`]),
    ...(urls.metadata === undefined ? [] : [`Metadata  ${urls.metadata}`]),
    ...(urls.console === undefined ? [] : [`Console   ${config.console.url ?? urls.console}`]),
    ...(urls.metrics === undefined ? [] : [`Metrics   ${urls.metrics}/metrics`]),
    `Data      ${config.dataDir}`,
    ...(urls.accounts === undefined ? [] : [`Mail      ${mail}`, 'Next, sign up:', signUp(urls.accounts)]),
    ...(urls.accounts !== undefined && config.pages.on ? ['or open', `  ${urls.accounts}`] : []),
  ].join('\n');
};
