import type { Message } from '../ports.ts';

/** A value for a header: on one line, so that it begins no header of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
export const headerText = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, ' ');

/**
 * What every mailer puts on a mail beside who, to whom and what: a `Message-ID` that stays the same over all tries
 * (RFC 5322 section 3.6.4), its language (RFC 3282), and that no person wrote it, so that no absence notice
 * answers (RFC 3834 section 5). `from` is an address with or without a name before it.
 */
export const mailHeaders = (message: Message, from: string): Readonly<Record<string, string>> => {
  const domain = /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? 'localhost';
  return {
    'Message-ID': `<${message.id}@${domain}>`,
    'Content-Language': headerText(message.language),
    'Auto-Submitted': 'auto-generated',
  };
};

/** Text with the line ends that mail has (RFC 5322 section 2.3). */
export const toCrLf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

/** The pictures that the HTML shows, as nodemailer takes them. */
export const inlineImages = <Content>(
  { images }: Pick<Message, 'images'>,
  contentOf: (bytes: Uint8Array) => Content,
) =>
  images.map(({ cid, type, bytes }) => ({
    cid,
    contentType: type,
    filename: `${cid}.png`,
    content: contentOf(bytes),
    contentDisposition: 'inline' as const,
  }));
