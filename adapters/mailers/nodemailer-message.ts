import { mailHeaders, toCrLf } from '../../core/accounts/mail/mail-format.ts';
import type { Message } from '../../core/accounts/ports.ts';

/** A mail with its inline images, as nodemailer takes it. */
export const nodemailerMessage = (message: Message, from: string) => ({
  from,
  // An object, since nodemailer parses a text as a list of addresses.
  to: { name: '', address: message.to },
  subject: message.subject,
  text: toCrLf(message.text),
  html: toCrLf(message.html),
  headers: mailHeaders(message, from),
  attachments: message.images.map(({ cid, type, bytes }) => ({
    cid,
    contentType: type,
    filename: `${cid}.png`,
    // A text, since apps that import this package with an older TypeScript reject the generic type of a `Buffer`.
    content: Buffer.from(bytes).toString('base64'),
    encoding: 'base64',
    contentDisposition: 'inline' as const,
  })),
  encoding: 'quoted-printable' as const,
});
