import type { Message } from '../ports.ts';

/** A header value on one line, so that it cannot inject another header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern replaces control characters
export const headerText = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, ' ');

/**
 * The further headers of every mail: a `Message-ID` that stays the same over all attempts (RFC 5322 section 3.6.4), its
 * language (RFC 3282), and a note that keeps absence notices from replying (RFC 3834 section 5). `from` may begin with a name.
 */
export const mailHeaders = (message: Message, from: string): Readonly<Record<string, string>> => {
  const domain = /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? 'localhost';
  return {
    'Message-ID': `<${message.id}@${domain}>`,
    'Content-Language': headerText(message.language),
    'Auto-Submitted': 'auto-generated',
  };
};

/** Text with the line ends of mail (RFC 5322 section 2.3). */
export const toCrLf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
