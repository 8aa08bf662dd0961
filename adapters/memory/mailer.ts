import type { Mailer, Message } from '../../core/accounts/ports.ts';

/** A mailer that sends nothing and keeps what it was given. */
export interface MemoryMailer extends Mailer {
  readonly mails: readonly Message[];
}

/** `appMailer` is of an app, which gets the mails as well. */
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
