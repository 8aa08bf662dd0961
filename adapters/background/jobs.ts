import { setImmediate } from 'node:timers/promises';
import type { Accounts, Billing, Files, Webhooks } from '../../core/index.ts';
import type { Job } from './job-runner.ts';

/** Milliseconds after which a long run pauses, so that the job can be closed. */
const PAUSES_AFTER = 1_000;

/**
 * Makes the `run` of a job from a generator. The event loop gets a turn after each step. A long run stops early and returns
 * 1; the next run continues it, and the job can be closed in between. Under another fence the work starts again, since
 * another process may have done it meanwhile.
 */
export const inSteps = (
  startWork: () => AsyncGenerator<undefined, void>,
): ((fence: number) => Promise<number>) => {
  let work: { readonly steps: AsyncGenerator<undefined, void>; readonly fence: number } | undefined;
  return async (fence) => {
    const { steps } = work?.fence === fence ? work : { steps: startWork() };
    work = undefined;
    const until = performance.now() + PAUSES_AFTER;
    do {
      if ((await steps.next()).done) return 0;
      await setImmediate();
    } while (performance.now() < until);
    work = { steps, fence };
    return 1;
  };
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Background jobs of the accounts. Each runs in one process at a time. */
export const accountJobs = ({ background }: Accounts, wake: () => void): readonly Job[] => [
  {
    name: 'relay',
    every: SECOND,
    wakes: true,
    // A deletion waits for the payment provider; mails must not wait with it.
    overlaps: true,
    run: async () => {
      // The relay may have queued mail, which another job sends.
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
  { name: 'audit-check', every: 5 * SECOND, wakes: true, run: inSteps(background.checkAudit) },
  { name: 'audit-head', every: HOUR, wakes: false, run: background.logAuditHead },
];

/** Background jobs of passkeys, if passkeys are on. They first run at the start. */
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
