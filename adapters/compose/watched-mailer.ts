import type { Clock, Delivery, Mailer } from '../../core/index.ts';

/** So many mails in a row that fail for a passing reason are the provider's fault rather than a mailbox's. */
const IN_A_ROW = 3;
/** Milliseconds, as long as a mail waits for another try: later the failures tell nothing any more. */
const LASTING = 3_600_000;

export interface WatchedMailer extends Mailer {
  /** False while the provider takes nothing, as far as this process has tried. */
  isUp(): boolean;
}

/** A mailer that remembers how it went. */
export const watchMailer = (mailer: Mailer, clock: Clock): WatchedMailer => {
  let failures = 0;
  let failedAt = 0;

  const note = (outcome: Delivery['outcome']) => {
    failures = outcome === 'again' ? failures + 1 : 0;
    failedAt = clock.now();
  };

  return {
    send: async (message) => {
      try {
        const delivery = await mailer.send(message);
        note(delivery.outcome);
        return delivery;
      } catch (error) {
        note('again');
        throw error;
      }
    },
    isUp: () => failures < IN_A_ROW || Math.abs(clock.now() - failedAt) > LASTING,
  };
};
