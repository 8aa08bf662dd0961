import { StoreUnusable } from '../adapters/compose.ts';
import { type Config, ConfigError, readConfig } from '../adapters/config.ts';
import { CannotListen } from './http/listen.ts';
import { openServices, type ServiceName, type Services } from './services.ts';

const WRONG_SETTINGS = 78;
const UNUSABLE_STORE = 75;

// Without a listener, a full disk or a reader that is gone would end the process.
process.stderr.on('error', () => undefined);
const say = (text: string) => process.stderr.write(`${text}\n`);

/** The exit code and the lines for what can be mended by who starts us; everything else is ours to mend. */
const failureOf = (error: unknown): { readonly code: number; readonly lines: readonly string[] } => {
  if (error instanceof ConfigError) return { code: WRONG_SETTINGS, lines: error.lines };
  if (error instanceof CannotListen) return { code: WRONG_SETTINGS, lines: [error.message] };
  if (error instanceof StoreUnusable) return { code: UNUSABLE_STORE, lines: [error.message] };
  return { code: 1, lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
};

const exitFor = (error: unknown): never => {
  const { code, lines } = failureOf(error);
  for (const line of lines) say(line);
  process.exit(code);
};

/** Says where everything is and what to try next. */
const welcome = (config: Config, urls: Services['urls']): string => {
  const mail =
    config.mail.provider === 'files' ? `one file each in ${config.mail.folder}` : config.mail.provider;
  return [
    ...(urls.accounts === undefined ? [] : [`Accounts  ${urls.accounts}`]),
    ...(urls.metadata === undefined ? [] : [`Metadata  ${urls.metadata}`]),
    `Data      ${config.dataDir}`,
    ...(urls.accounts === undefined ? [] : [`Mail      ${mail}`, 'Next, sign up:', signUp(urls.accounts)]),
  ].join('\n');
};

const signUp = (url: string) =>
  `  curl ${url}/api/auth/register -H 'Content-Type: application/json' \\
    -d '{"email":"ada@example.com","password":"correct horse battery"}'`;

/** Drains at the first signal; a second one ends at once. */
const endOnSignals = (services: Services): void => {
  let ending = false;
  const end = () => {
    if (ending) process.exit(1);
    ending = true;
    services.close().then(() => process.exit(0), exitFor);
  };
  process.on('SIGTERM', end).on('SIGINT', end);
};

/** Starts services in this process by the settings of its environment. What is wrong is said in a line each. */
export const startServices = async (names: readonly ServiceName[]): Promise<void> => {
  try {
    const config = readConfig();
    for (const warning of config.warnings) say(`Warning: ${warning}`);
    const services = await openServices(config, names);
    endOnSignals(services);
    say(welcome(config, services.urls));
  } catch (error) {
    exitFor(error);
  }
};
