import { setting } from '../declare-setting.ts';
import { baseAddress, reads, serverAddress, text, token } from '../value-kinds.ts';
import * as read from '../value-parsers.ts';

export const mail = {
  /**
   * Mail server. `smtps://` uses TLS from the start, `smtp://` uses STARTTLS. Without TLS nothing is sent, except to
   * a loopback host (`localhost`, `127.…`, `[::1]`). Of the query, `name` and `tls.…` are read. Example:
   * `smtps://user:word@mail.example.com`.
   */
  smtpUrl: setting('SMTP_URL', serverAddress('smtp', 'smtps'), {
    check: (url, { texts }) => url && texts.SENDGRID_API_KEY && 'not be set together with SENDGRID_API_KEY',
  }),
  /**
   * `allow`: mail also goes to another host that offers no TLS. Credentials and codes then cross the network unencrypted.
   * Refused in production.
   */
  smtpPlain: setting('SMTP_PLAIN', text('allow', /^allow$/), {
    check: (plain, { production }) => production && plain && 'not be set in production',
    usedWith: 'SMTP_URL',
  }),
  /** Mail goes through SendGrid. Set either this or `SMTP_URL`. */
  sendgridApiKey: setting('SENDGRID_API_KEY', token('a key of printable ASCII'), {
    check: (key, { production, texts }) =>
      production && !key && !texts.SMTP_URL && 'be set in production, or else SMTP_URL',
  }),
  /** Sender of all mails. Required with a mail provider. Example: `Example <no-reply@example.com>`. */
  mailFrom: setting('MAIL_FROM', reads('an email address, alone or as Name <address>', read.mailbox), {
    byDefault: '`PRODUCT_NAME <no-reply@localhost>` while mails are files',
    orElse: ({ texts }) =>
      (texts.SENDGRID_API_KEY ?? texts.SMTP_URL) ? null : `${texts.PRODUCT_NAME} <no-reply@localhost>`,
    check: (from, { production, texts }) => {
      if (from === null) return 'be set beside SENDGRID_API_KEY or SMTP_URL';
      return production && texts.MAIL_FROM === undefined && 'be set in production';
    },
  }),
  /** Another base address of SendGrid, for the EU region, a proxy or tests. Example: `https://api.eu.sendgrid.com`. */
  sendgridUrl: setting('SENDGRID_URL', baseAddress, {
    default: 'https://api.sendgrid.com',
    usedWith: 'SENDGRID_API_KEY',
  }),
};
