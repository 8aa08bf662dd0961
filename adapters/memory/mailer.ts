import type { Mailer, Message } from '../../core/accounts/ports.ts';

/** Keeps the mails, and sends nothing itself. */
export interface MemoryMailer extends Mailer {
  readonly mails: readonly Message[];
}

/** `appMailer` belongs to an app and gets the mails as well. */
export const makeMemoryMailer = (appMailer?: Mailer): MemoryMailer => {
  const mails: Message[] = [];
  return {
    mails,
    send: async (message) => {
      mails.push(message);
      return appMailer === undefined ? { outcome: 'sent' } : appMailer.send(message);
    },
  };
};
