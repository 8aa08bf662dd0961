/**
 * The work between requests. Each job may run at any time, in several processes at once, and again after a crash. A
 * number in the answer is how many entries were done: 0 means that nothing was due.
 */
export interface AccountsBackground {
  /** Moves outbox entries of accounts on (mails, audit rows, events, tasks), and tells of ended sessions. */
  relay(page?: number): Promise<number>;
  /** The same for a process without listeners: events are left to others. */
  relayAllButEvents(page?: number): Promise<number>;
  /** Sends the mails that are due, under the lease with this fencing number. */
  deliverMail(fence: number): Promise<number>;
  /** Removes accounts that were never verified. */
  purgeUnverified(limit?: number): Promise<number>;
  /** Removes expired sessions, tries and codes. */
  sweep(limit?: number): Promise<number>;
  /** Works the tier in effect out anew after `SELF_ENTITLEMENT` has changed. Lists and counts use it. */
  recountAccess(limit?: number): Promise<number>;
  /** Brings the store's own counts of users up to date. */
  recountUsers(): Promise<number>;
  /** Removes stored avatars that no account shows: what a crash between storing and recording left. */
  sweepAvatars(): Promise<number>;
  /** Warns of passkeys that nobody can use, since they were made for another RP ID. Looks at `most` passkeys. */
  warnOfOtherSites(most?: number): Promise<number>;
  /** Writes the audit log's head to the process log, so that a log that was cut off shows. */
  logAuditHead(): Promise<number>;
  /**
   * Counts what the statistics of the day say. It gives after each part; run it to its end, with a turn of the event loop
   * after each, so that requests come in between.
   */
  takeStatistics(): AsyncGenerator<undefined, void>;
  /** Does the check of the audit log that an operator asked for, in parts as well. */
  checkAudit(): AsyncGenerator<undefined, void>;
  /** Checks the TXT records of verified domains, each once a day, and drops claims that no account names. */
  checkCustomDomains(limit?: number): Promise<number>;
}
