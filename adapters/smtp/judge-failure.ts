import type { Delivery } from '../../core/accounts/ports.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const again = (failure: string): Delivery => ({ outcome: 'again', after: null, failure });

/** Failures that are not about this mail; an operator or time mends them. */
const PASSING: Readonly<Record<string, string>> = {
  EAUTH: 'auth',
  ENOAUTH: 'auth',
  EOAUTH2: 'auth',
  ETLS: 'tls',
  EABORT: 'timeout',
  ETIMEDOUT: 'timeout',
};

/**
 * What a failed try means (RFC 5321 section 4.2.1). Only a permanent reply about the recipient or the mail itself is
 * final; one about the sender or the connection is for the operator to mend.
 */
export const judgeFailure = (error: unknown): Delivery => {
  const { code, command, responseCode } = isObject(error) ? error : {};
  const passing = typeof code === 'string' ? PASSING[code] : undefined;
  if (passing !== undefined) return again(passing);
  if (typeof responseCode !== 'number') {
    // Without a server's word only nodemailer's own view of the address counts.
    return code === 'EENVELOPE' ? { outcome: 'refused', failure: 'bad_address' } : again('unreachable');
  }
  // 503 speaks of the order of commands in this session, 530 and 535 of a login.
  if (responseCode === 530 || responseCode === 535) return again('auth');
  if (responseCode < 500 || responseCode === 503) return again('deferred');
  if (command === 'RCPT TO') return { outcome: 'refused', failure: 'recipient_refused' };
  if (command === 'DATA') return { outcome: 'refused', failure: 'message_refused' };
  return again(command === 'MAIL FROM' ? 'sender_refused' : 'unreachable');
};
