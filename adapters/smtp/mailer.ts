import type { Transporter } from 'nodemailer';
import { inlineImages, mailHeaders, toCrLf } from '../../core/accounts/mail/mail-format.ts';
import type { Delivery, Mailer } from '../../core/accounts/ports.ts';
import { judgeFailure } from './judge-failure.ts';
import { serverUrl } from './server-url.ts';

/** Milliseconds for one mail, waiting for a free connection included. */
const DEADLINE = 5_000;
/** Milliseconds for each step of a connection. */
const STEP = 4_000;

export interface SmtpMailer extends Mailer {
  /** Ends the connections; mails on their way fail as `unreachable`. */
  close(): void;
}

const connect = async (url: string, plain: boolean): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: serverUrl(url, plain),
    pool: true,
    dnsTimeout: STEP,
    connectionTimeout: STEP,
    greetingTimeout: STEP,
    // A connection that has nothing to do is kept for a while; one that stalls ends by the deadline of its mail.
    socketTimeout: 60_000,
    // Enough for a kept connection that the server ended meanwhile.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

/**
 * Sends over SMTP (RFC 5321) on a few kept connections. `url` is `smtp://` (with STARTTLS, on a loopback where the server
 * offers it) or `smtps://`, with user and password if need be. `plain` allows mail without TLS to any server.
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
      if (closed) return { outcome: 'again', after: null, failure: 'closed' };
      try {
        transport ??= connect(url, plain);
        await (await transport).sendMail({
          from,
          to: { name: '', address: message.to },
          subject: message.subject,
          text: toCrLf(message.text),
          html: toCrLf(message.html),
          headers: mailHeaders(message, from),
          attachments: inlineImages(message, (bytes) => Buffer.from(bytes)),
          encoding: 'quoted-printable',
          signal: AbortSignal.timeout(DEADLINE),
        });
        return { outcome: 'sent' };
      } catch (error) {
        return judgeFailure(error);
      }
    },
    close() {
      closed = true;
      transport?.then((open) => open.transporter.close?.({ force: true })).catch(() => {});
    },
  };
};
