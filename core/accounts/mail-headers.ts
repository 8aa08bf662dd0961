import type { Message } from './ports.ts';

/**
 * What every mailer puts on a mail beside who, to whom and what: a `Message-ID` that stays the same over all tries
 * (RFC 5322 section 3.6.4), its language (RFC 3282), and that no person wrote it, so that no absence notice
 * answers (RFC 3834 section 5). `from` is an address with or without a name before it.
 */
export const mailHeaders = (message: Message, from: string): Readonly<Record<string, string>> => {
  const domain = /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? 'localhost';
  return {
    'Message-ID': `<${message.id}@${domain}>`,
    'Content-Language': message.language,
    'Auto-Submitted': 'auto-generated',
  };
};
