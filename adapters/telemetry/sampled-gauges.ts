import type { FlowStore, OutboxStore } from '../../core/accounts/ports.ts';
import type { EventLedger } from '../../core/billing/ports.ts';
import type { HealthCheck } from '../../core/installation-health.ts';
import type { Clock } from '../../core/ports.ts';
import type { WebhooksAdmin } from '../../core/webhooks/api.ts';
import type { MetricsIn } from './prom-client.ts';

/** Values that are read with the metrics, because no call reports their changes. */
export interface Sampled {
  readonly checks: readonly HealthCheck[];
  readonly outbox: Pick<OutboxStore, 'count'>;
  readonly flows: Pick<FlowStore, 'count'>;
  readonly ledger: Pick<EventLedger, 'count' | 'listDue'>;
  readonly countDeliveries: WebhooksAdmin['countDeliveries'];
  readonly hashing: () => { readonly running: number; readonly queued: number };
}

const WATCHED_STATES = ['pending', 'waiting', 'dead'] as const;

const sampleOutbox = async (outbox: Sampled['outbox']) => {
  const counts = await outbox.count();
  const sum = (entries: typeof counts) => entries.reduce((total, { count }) => total + count, 0);
  const dead = counts.filter(({ state }) => state === 'dead');
  const living = counts.filter(({ state }) => state !== 'dead');
  const times = living.map(({ oldestAt }) => oldestAt);
  const oldest = times.length === 0 ? undefined : Math.min(...times);
  return { waiting: sum(living), dead: sum(dead), oldest };
};

/**
 * Gauges that are set when the metrics are read. All gauges share one sample, and so do concurrent reads. A value that the store
 * cannot read now keeps its last state. Nothing is sampled before a call of the returned function, which takes the sources.
 */
export const makeSamples = (metrics: MetricsIn, clock: Clock): ((sampled: Sampled) => void) => {
  let sampleAll: () => Promise<unknown> = async () => undefined;
  let sampling: Promise<unknown> | undefined;
  const collect = async (): Promise<void> => {
    sampling ??= sampleAll().finally(() => {
      sampling = undefined;
    });
    await sampling;
  };
  const gauge = <const Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
    // Joins the values of the workers: all read the same store, but each has its own breakers and hashes.
    aggregator: 'max' | 'min' | 'sum' = 'max',
  ) => metrics.gauge<Label>({ name, help, labelNames, aggregator, collect });

  const up = gauge(
    'gatehouse_dependency_up',
    '1 while it works, as far as this process can tell; over the network: by the calls of the last minute',
    ['dependency'],
    'min',
  );
  const mails = gauge('gatehouse_outbox_mails', 'Mails in the outbox', ['state']);
  const oldestMail = gauge('gatehouse_outbox_oldest_seconds', 'Age of the oldest mail that is not sent');
  const events = gauge('gatehouse_webhook_events', 'Deliveries of the payment provider not applied', [
    'standing',
  ]);
  const oldestEvent = gauge('gatehouse_webhook_oldest_due_seconds', 'Age of the delivery that is due first');
  const deliveries = gauge('gatehouse_event_deliveries', 'Events on their way to WEBHOOK_URLS', ['state']);
  const oldestDelivery = gauge(
    'gatehouse_event_deliveries_oldest_seconds',
    'Age of the oldest event that is not delivered and not given up',
  );
  const flowCount = gauge(
    'gatehouse_flows',
    'Sign-in flows and spent challenges in the store, including expired ones not yet deleted',
  );
  const running = gauge('gatehouse_hash_running', 'Passwords that are being hashed', [], 'sum');
  const queued = gauge('gatehouse_hash_queue_length', 'Passwords that wait to be hashed', [], 'sum');

  const age = (since: number | undefined): number =>
    since === undefined ? 0 : Math.max(0, (clock.now() - since) / 1_000);

  const takeSample = async ({
    checks,
    outbox,
    flows,
    ledger,
    countDeliveries,
    hashing,
  }: Sampled): Promise<void> => {
    const hashQueue = hashing();
    running.set(hashQueue.running);
    queued.set(hashQueue.queued);
    await Promise.allSettled([
      ...checks.map(async ({ name, check }) => up.set({ dependency: name }, (await check()) ? 1 : 0)),
      sampleOutbox(outbox).then(({ waiting, dead, oldest }) => {
        mails.set({ state: 'waiting' }, waiting);
        mails.set({ state: 'dead' }, dead);
        oldestMail.set(age(oldest));
      }),
      flows.count().then((count) => flowCount.set(count)),
      countDeliveries().then(({ oldestAt, ...counts }) => {
        for (const [state, count] of Object.entries(counts)) deliveries.set({ state }, count);
        oldestDelivery.set(age(oldestAt ?? undefined));
      }),
      // No delivery is due later than `MAX_SAFE_INTEGER`, so this lists only what is due by now.
      ledger
        .listDue(clock.now(), 1, Number.MAX_SAFE_INTEGER)
        .then(([event]) => oldestEvent.set(age(event?.receivedAt))),
      ...WATCHED_STATES.map(async (state) => events.set({ standing: state }, await ledger.count(state))),
    ]);
  };

  return (sampled) => {
    sampleAll = () => takeSample(sampled);
  };
};
