import { type Kind, setting } from '../declare-setting.ts';
import { host, integer, oneOf, origin, reads } from '../value-kinds.ts';
import { isGuarded, wholeNumber } from '../value-parsers.ts';

const portOrOff: Kind<number | 'off'> = reads('off, or a port from 0 to 65535', (text) =>
  text === 'off' ? text : wholeNumber(0, 65_535)(text),
);

const PORT = 3002;

/** The operators' console. */
export const console = {
  /**
   * Port of the [operators' console](console.md), with its own listener and origin beside the accounts server. 0 picks
   * a free one; the start prints it.
   */
  consolePort: setting('CONSOLE_PORT', portOrOff, {
    byDefault:
      '`3002` outside production on a loopback `HOST` (`0` where `ACCOUNTS_PORT` is `0`), else `off`',
    orElse: ({ trial, accountsPort }) => {
      if (!trial) return 'off';
      return accountsPort === 0 ? 0 : PORT;
    },
  }),
  /** The address on which the console listens. */
  consoleHost: setting('CONSOLE_HOST', host, { default: '127.0.0.1' }),
  /**
   * The origin at which operators reach the console. In production https, unless it is a loopback.
   *
   * Null: that of host and port.
   */
  consoleUrl: setting('CONSOLE_URL', origin('https://console.example.com'), {
    byDefault: '`http://CONSOLE_HOST:CONSOLE_PORT`',
    check: (url, { production, texts }) => {
      const { CONSOLE_PORT = 'off', CONSOLE_HOST = '127.0.0.1' } = texts;
      // CONSOLE_PORT is off where an app mounts the console on its own listener; then CONSOLE_URL is set.
      const isServed = url !== null || CONSOLE_PORT !== 'off';
      if (!production || !isServed || isGuarded(url ?? undefined, CONSOLE_HOST)) return undefined;
      const reason = url === null ? ', since CONSOLE_HOST is no loopback' : '';
      return `be an https origin in production${reason}`;
    },
  }),
  /** A session of the console ends after this many minutes without use. */
  consoleIdleMinutes: setting('CONSOLE_IDLE_MINUTES', integer(1, 1440), { default: '30' }),
  /** A session of the console ends after this many hours, even if it is used. */
  consoleHours: setting('CONSOLE_HOURS', integer(1, 168), { default: '12' }),
  /**
   * Where the console's calls (`/api/admin/sign-in` and those behind it) are answered: by the `console` listener alone,
   * or by `both`, the accounts server too. They take the console's own session in either place.
   */
  adminRoutes: setting('ADMIN_ROUTES', oneOf('both', 'console'), {
    byDefault: '`both` outside production, else `console`',
    orElse: ({ production }) => (production ? 'console' : 'both'),
  }),
};
