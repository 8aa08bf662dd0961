import { isIPv4 } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { Delivery, Mailer } from '../../core/accounts/ports.ts';
import { isRecord } from '../files/json.ts';
import { nodemailerMessage } from './nodemailer-message.ts';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

/** The allowed query parameters of an address. Others would override the options set here. */
const ALLOWED_PARAMS = /^(?:name|tls\..+)$/;

/**
 * The address for nodemailer. Neither credentials nor mail may cross a network unencrypted: for another machine STARTTLS is
 * required (RFC 3207), unless `plain` is set. Throws `TypeError` for an invalid address.
 */
const serverUrl = (address: string, plain: boolean): string => {
  const url = new URL(address);
  const { searchParams: options } = url;
  for (const name of [...options.keys()]) if (!ALLOWED_PARAMS.test(name)) options.delete(name);
  // Set as a parameter of the address, since those override all other options.
  if (url.protocol === 'smtp:' && !plain && !isLoopback(url.hostname)) options.set('requireTLS', 'true');
  return url.href;
};

/** SMTP has no way to ask for a wait, so `after` is null. */
const again = (failure: string): Delivery => ({ outcome: 'again', after: null, failure });

/** Failures that are not about this mail; they pass or an operator fixes them. */
const PASSING: Readonly<Record<string, string>> = {
  EAUTH: 'auth',
  ENOAUTH: 'auth',
  EOAUTH2: 'auth',
  ETLS: 'tls',
  EABORT: 'timeout',
  ETIMEDOUT: 'timeout',
};

/**
 * Classifies a failed attempt (RFC 5321 section 4.2.1). Only a permanent reply about the recipient or the mail itself is
 * final; the operator can fix errors of the sender or the connection.
 */
const judgeFailure = (error: unknown): Delivery => {
  const { code, command, responseCode } = isRecord(error) ? error : {};
  const passing = typeof code === 'string' ? PASSING[code] : undefined;
  if (passing !== undefined) return again(passing);
  if (typeof responseCode !== 'number') {
    // Without a reply of the server only nodemailer's own check of the address is final.
    return code === 'EENVELOPE' ? { outcome: 'refused', failure: 'bad_address' } : again('unreachable');
  }
  // 530 and 535 are about the credentials, 503 about the order of commands.
  if (responseCode === 530 || responseCode === 535) return again('auth');
  if (responseCode < 500 || responseCode === 503) return again('deferred');
  if (command === 'RCPT TO') return { outcome: 'refused', failure: 'recipient_refused' };
  if (command === 'DATA') return { outcome: 'refused', failure: 'message_refused' };
  return again(command === 'MAIL FROM' ? 'sender_refused' : 'unreachable');
};

/** The time for one mail, with the wait for a free connection. */
const DEADLINE_MS = 5_000;
/** The time for each step of opening a connection. */
const STEP_TIMEOUT_MS = 4_000;

export interface SmtpMailer extends Mailer {
  /** Ends the connections; mails on their way fail as `unreachable`. */
  close(): void;
}

const connect = async (url: string, plain: boolean): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: serverUrl(url, plain),
    pool: true,
    dnsTimeout: STEP_TIMEOUT_MS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    // An idle connection stays open for a while; a stalled one ends by the deadline of its mail.
    socketTimeout: 60_000,
    // One repetition is enough for a mail that met an idle connection which the server had closed.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

/**
 * Sends over SMTP (RFC 5321) on a few pooled connections. `url` is `smtp://` (with STARTTLS; on a loopback only if the server
 * offers it) or `smtps://`, with user and password if needed. `plain` allows mail without TLS to any server.
 */
export const makeSmtpMailer = ({
  url,
  from,
  plain = false,
}: {
  readonly url: string;
  readonly from: string;
  readonly plain?: boolean;
}): SmtpMailer => {
  let transport: Promise<Transporter> | undefined;
  let closed = false;

  return {
    async send(message): Promise<Delivery> {
      if (closed) return again('closed');
      try {
        transport ??= connect(url, plain);
        await (await transport).sendMail({
          ...nodemailerMessage(message, from),
          signal: AbortSignal.timeout(DEADLINE_MS),
        });
        return { outcome: 'sent' };
      } catch (error) {
        return judgeFailure(error);
      }
    },
    close() {
      closed = true;
      transport?.then(({ transporter }) => transporter.close?.({ force: true })).catch(() => {});
    },
  };
};
