/** A program that logs and ends as the scenario in its argument says. */

import { makeLog } from '../../../adapters/log/log.ts';
import { unavailable } from '../../../core/errors.ts';
import type { LogFields } from '../../../core/ports.ts';

const log = makeLog('info');

/** All fields; the type requires each new field to be added here. */
const everyField: Required<LogFields> = {
  userId: 'a user',
  sessionId: 'a session',
  address: '::1',
  requestId: 'a request',
  reason: 'a reason',
  factors: ['password', 'totp'],
  count: 2,
  keyId: 'k1',
  id: 'an id',
  error: unavailable('store_unavailable', 'Try again.'),
};

const scenarios: Readonly<Record<string, () => void | Promise<void>>> = {
  'nothing wrong': () => {
    log.info('first', { count: 1 });
    setTimeout(() => log.info('second'), 30);
    setTimeout(() => log.info('third'), 300);
  },
  'something wrong': () => {
    log.info('first');
    setTimeout(() => {
      log.error('second', { error: new TypeError('no') });
      log.info('third');
    }, 30);
  },
  'something down': () => log.warn('first', { error: unavailable('store_unavailable', 'Try again.') }),
  'every field and one more': () => {
    const fields = { ...everyField, password: 'a secret', time: 'never', event: 'other' };
    for (const level of ['info', 'warn', 'error'] as const) log[level]('first', fields);
  },
  'flushed and killed': async () => {
    log.info('first');
    log.access({ method: 'GET', route: '/', status: 200, milliseconds: 1, requestId: 'r', address: '::1' });
    await log.flush();
    process.kill(process.pid, 'SIGKILL');
  },
  'nothing to flush': () => log.flush(),
};

await scenarios[process.argv[2] ?? '']?.();
