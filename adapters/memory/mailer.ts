import type { Mailer, Message } from '../../core/accounts/ports.ts';

/** A mailer that sends nothing and keeps what it was given. */
export interface MemoryMailer extends Mailer {
  readonly mails: readonly Message[];
}

/** `own` is an app's mailer, which gets the mails as well. */
export const makeMemoryMailer = (own?: Mailer): MemoryMailer => {
  const mails: Message[] = [];
  return {
    mails,
    send: async (message) => {
      mails.push(message);
      return own === undefined ? { outcome: 'sent' } : own.send(message);
    },
  };
};
