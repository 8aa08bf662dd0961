import { hostname } from 'node:os';
import type { HealthCheck } from '../../core/installation-health.ts';
import { makeDrain } from '../background/drain-outbox.ts';
import { type Job, makeBackground } from '../background/job-runner.ts';
import {
  accountJobs,
  billingJobs,
  fileIntervals,
  fileJobs,
  passkeyJobs,
  webhookJobs,
} from '../background/jobs.ts';
import type { Ports } from './container.ts';
import { watchChecks } from './health-checks.ts';
import type { Modules } from './modules.ts';
import type { ClosingScope, Context } from './open-resources.ts';

/** Makes the work that runs between requests. A job that stores work for another calls `wake`, which runs the other at once. */
export const makeBackgroundWork = (
  { config, observation, log, clock, random }: Context,
  ports: Ports,
  { accounts, billing, files, webhooks }: Modules,
  { checks, wake }: { readonly checks: readonly HealthCheck[]; readonly wake: () => void },
  { track }: ClosingScope,
) => {
  const { leases } = ports;
  const holder = `${hostname()}:${process.pid}:${random.text(6)}`;
  const jobsOfAccounts = [
    ...accountJobs(accounts, wake),
    ...(config.passkeys === null ? [] : passkeyJobs(accounts)),
    ...billingJobs(billing),
    ...(config.webhookUrls.length > 0 ? webhookJobs(webhooks) : []),
  ];
  const jobsOfFiles = fileJobs(files);

  const workOn = (jobs: readonly Job[]) =>
    track(makeBackground({ leases, holder, log, jobs: observation.jobs(jobs) }));
  const work = workOn(jobsOfAccounts);
  const fileWork = workOn(jobsOfFiles);
  const intervals = fileIntervals(files, log).map(track);
  const checkWatch = track(watchChecks(checks, { clock, log }));

  const started = new Set<{ start(): void }>();
  /** Starts a task once: a second start would set a second timer, and the `close` of the task clears only one. */
  const startOnce = (task: { start(): void }): void => {
    if (started.has(task)) return;
    started.add(task);
    task.start();
  };

  return {
    /** All jobs, whichever process runs them. */
    jobs: [...jobsOfAccounts, ...jobsOfFiles],
    /** Starts the checks and the work on files; where accounts are served, also the work on accounts, billing and webhooks. */
    start: (services: { readonly accounts: boolean }) => {
      for (const task of [...intervals, checkWatch, fileWork]) startOnce(task);
      if (services.accounts) startOnce(work);
    },
    /** Runs at once those jobs of accounts, billing and webhooks that have `wakes`. */
    wake: work.wake,
    /** Processes pending work once, for a command that ends at once. */
    settle: makeDrain({ accounts, leases, holder }),
  };
};
