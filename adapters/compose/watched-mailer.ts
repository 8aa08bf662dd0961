import type { Clock, Delivery, Mailer } from '../../core/index.ts';

/** After so many temporary failures in a row the provider counts as down: a single one may be a mailbox's fault. */
const IN_A_ROW = 3;
/** Milliseconds that failures count for: the longest wait of a mail for its next try. */
const LASTING = 3_600_000;

export interface WatchedMailer extends Mailer {
  /** False while the provider takes no mail, as far as this process has tried. */
  isUp(): boolean;
}

/** A mailer that remembers its last outcomes. */
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
