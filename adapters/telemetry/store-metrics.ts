import type { EventLedger, StoredEvent } from '../../core/billing/ports.ts';
import { FORMER_PORT_NAMES } from '../../core/former-port-names.ts';
import type { Clock, Lease, Leases } from '../../core/ports.ts';
import { withMethods } from '../calls/around-methods.ts';
import type { StorePorts } from '../store.ts';
import type { MetricsIn } from './prom-client.ts';
import { timed } from './timed.ts';

/** Deliveries whose time of receipt is remembered until they are applied or ignored. Above this number all are forgotten. */
const MOST_REMEMBERED = 10_000;

/** Measures the calls of the ports of a store; of leases only whether this process holds them. */
export const makeStoreMetrics = ({ gauge, histogram }: MetricsIn, clock: Clock) => {
  const calls = histogram({
    name: 'gatehouse_store_call_duration_seconds',
    help: 'Time of calls to the store, by port',
    labelNames: ['store', 'method', 'outcome'],
    buckets: [0.0005, 0.0025, 0.01, 0.05, 0.25, 1, 5],
  });
  const webhookLag = histogram({
    name: 'gatehouse_webhook_lag_seconds',
    help: 'Time from the receipt of a delivery of the payment provider until it was applied',
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 3_600, 86_400],
  });
  const leaseGauge = gauge({
    name: 'gatehouse_lease_held',
    help: '1 where this process holds the lease on a background job',
    labelNames: ['task'],
  });

  const measuredLedger = (ledger: EventLedger): EventLedger => {
    const receivedAt = new Map<string, number>();
    const remember = (events: readonly StoredEvent[]) => {
      if (receivedAt.size > MOST_REMEMBERED) receivedAt.clear();
      for (const event of events) receivedAt.set(event.id, event.receivedAt);
    };
    return withMethods(ledger, {
      listDue: async (now, limit, latest) => {
        const dueEvents = await ledger.listDue(now, limit, latest);
        remember(dueEvents);
        return dueEvents;
      },
      move: async (id, to) => {
        await ledger.move(id, to);
        if (to.state !== 'applied' && to.state !== 'ignored') return;
        const since = receivedAt.get(id);
        receivedAt.delete(id);
        if (to.state === 'applied' && since !== undefined) webhookLag.observe((clock.now() - since) / 1_000);
      },
    });
  };

  const measuredLeases = (leases: Leases): Leases => ({
    noteSuccess: (name) => leases.noteSuccess(name),
    list: () => leases.list(),
    take: async (name, holder, milliseconds) => {
      let lease: Lease | undefined;
      try {
        lease = await leases.take(name, holder, milliseconds);
        return lease;
      } finally {
        leaseGauge.set({ task: name }, lease === undefined ? 0 : 1);
      }
    },
    release: (name, holder) => leases.release(name, holder).finally(() => leaseGauge.set({ task: name }, 0)),
  });

  const timedEach = <Ports extends Record<keyof Ports, object>>(ports: Ports): Ports => {
    const measured = { ...ports };
    for (const name in ports) {
      // Dashboards rely on the former names of ports.
      const label = Object.hasOwn(FORMER_PORT_NAMES, name) ? Reflect.get(FORMER_PORT_NAMES, name) : name;
      measured[name] = timed(ports[name], (method, outcome, took) =>
        calls.labels(label, method, outcome).observe(took),
      );
    }
    return measured;
  };

  return ({ leases, ...stores }: StorePorts): StorePorts => {
    const measured = timedEach(stores);
    return { ...measured, ledger: measuredLedger(measured.ledger), leases: measuredLeases(leases) };
  };
};
