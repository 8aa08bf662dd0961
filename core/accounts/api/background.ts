/**
 * The background jobs. Each job may run at any time, in several processes at once, and again after a crash. A returned
 * number counts processed entries; it is 0 if nothing was due, or if the job counts none.
 */
export interface AccountsBackground {
  /** Relays pending entries of accounts (mails, audit rows, events, tasks), and publishes events of ended sessions. */
  relay(page?: number): Promise<number>;
  /** Like `relay`, for a process without event listeners: leaves events to other processes. */
  relayAllButEvents(page?: number): Promise<number>;
  /** Sends the mails that are due, under the lease with this fencing number. */
  deliverMail(fence: number): Promise<number>;
  /** Removes accounts whose email was not verified within `unverifiedLife`. */
  purgeUnverified(limit?: number): Promise<number>;
  /** Removes expired sessions, counts of attempts, and flows. */
  sweep(limit?: number): Promise<number>;
  /** Recomputes the tier in effect after a change of `SELF_ENTITLEMENT`. Lists and counts use it. */
  recountAccess(limit?: number): Promise<number>;
  /** Brings the store's own counts of users up to date. */
  recountUsers(): Promise<number>;
  /** Removes stored avatars that no account names: a crash between storing and recording leaves them behind. */
  sweepAvatars(): Promise<number>;
  /** Warns of passkeys that nobody can use, since they belong to another RP ID. Checks `most` passkeys. */
  warnOfOtherSites(most?: number): Promise<number>;
  /** Writes the audit log's head to the process log, which reveals a truncated audit log. */
  logAuditHead(): Promise<number>;
  /**
   * Counts the statistics of the day. It yields after each part; run it to its end, with a turn of the event loop after
   * each part, so that requests are served in between.
   */
  takeStatistics(): AsyncGenerator<undefined, void>;
  /**
   * Verifies, once a day, the counts that the store keeps with its writes, corrects them and logs what was wrong. It yields
   * like `takeStatistics`.
   */
  verifyCounts(): AsyncGenerator<undefined, void>;
  /** Runs the check of the audit log that an operator requested. It yields like `takeStatistics`. */
  checkAudit(): AsyncGenerator<undefined, void>;
  /** Checks the TXT records of verified domains, each once a day, and removes claims that no account names. */
  checkCustomDomains(limit?: number): Promise<number>;
}
