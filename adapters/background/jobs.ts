import type { Accounts, Billing, Files, Log, Webhooks } from '../../core/index.ts';
import { type Interval, makeInterval } from './interval.ts';
import { inSteps, type Job } from './job-runner.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The runner calls `run` with a fencing number. A use case whose first argument is something else, such as a limit, is wrapped,
 * so that it does not get that number.
 */
export const accountJobs = ({ background }: Accounts, wake: () => void): readonly Job[] => [
  {
    name: 'relay',
    every: SECOND,
    wakes: true,
    // A deletion waits for the payment provider; mails must not wait with it.
    overlaps: true,
    run: async () => {
      // The relay may have queued mail, which another job sends. `wake` runs that job and the relay again, so this run returns 0:
      // the runner need not repeat it.
      if ((await background.relay()) > 0) wake();
      return 0;
    },
  },
  { name: 'mail', every: SECOND, wakes: true, overlaps: true, run: background.deliverMail },
  {
    name: 'tidy',
    every: MINUTE,
    wakes: false,
    run: async () => (await background.purgeUnverified()) + (await background.sweep()),
  },
  { name: 'access', every: MINUTE, wakes: false, run: () => background.recountAccess() },
  { name: 'counts', every: 10 * SECOND, wakes: false, run: background.recountUsers },
  { name: 'avatars', every: HOUR, wakes: false, run: background.sweepAvatars },
  { name: 'domains', every: MINUTE, wakes: false, run: () => background.checkCustomDomains() },
  { name: 'statistics', every: HOUR, wakes: false, run: inSteps(background.takeStatistics) },
  { name: 'count-check', every: HOUR, wakes: false, run: inSteps(background.verifyCounts) },
  { name: 'audit-check', every: 5 * SECOND, wakes: true, run: inSteps(background.checkAudit) },
  { name: 'audit-head', every: HOUR, wakes: false, run: background.logAuditHead },
];

/** Background jobs of passkeys, if passkeys are on. A warning a day suffices, since every job also runs at the start. */
export const passkeyJobs = ({ background }: Accounts): readonly Job[] => [
  { name: 'passkeys', every: 24 * HOUR, wakes: false, run: () => background.warnOfOtherSites() },
];

/** Background jobs of the files. A cache that is back after an outage learns of removals within a second. */
export const fileJobs = ({ background }: Files): readonly Job[] => [
  { name: 'removed-files', every: SECOND, wakes: false, run: background.sweepRemoved },
];

/** Background jobs of webhooks to other servers. A slow server delays no other delivery. */
export const webhookJobs = ({ background }: Webhooks): readonly Job[] => [
  { name: 'webhooks', every: SECOND, wakes: true, overlaps: true, run: background.deliver },
];

/** Background jobs of billing. The end of a period or a grace takes effect within seconds. */
export const billingJobs = ({ background }: Billing): readonly Job[] => [
  { name: 'billing-events', every: SECOND, wakes: true, run: background.applyEvents },
  { name: 'billing-due', every: 5 * SECOND, wakes: false, run: background.checkDue },
  { name: 'billing-sweep', every: HOUR, wakes: false, run: background.sweepEvents },
];

/**
 * Work that every process repeats: it writes the counts of its own reads of files. A crash loses the accesses of the last
 * 5 s at most (a pause and a slow write), but a minute of cache reads, which only statistics show.
 */
export const fileIntervals = ({ background }: Files, log: Log): readonly Interval[] => [
  makeInterval('accesses', 2 * SECOND, background.flushAccesses, log),
  makeInterval('cache-reads', MINUTE, background.flushCacheReads, log),
];
