import { expect } from 'chai';
import { makeShowHealth } from '../../core/installation-health.ts';

const NOW = Date.UTC(2026, 10, 21, 18);

describe('The health of an installation', () => {
  it('lists services, jobs with holder and last success, and the backlog', async () => {
    const service = { service: 'drop-metadata', status: 'degraded', down: ['store'], up: [] } as const;
    const heldBy = 'web-1:4711:q0KxTw';
    const show = makeShowHealth({
      clock: { now: () => NOW },
      outbox: { count: async () => [] },
      ledger: { count: async () => 2 },
      leases: {
        list: async () => [
          { name: 'relay', heldBy, lastSuccessAt: NOW - 60_000 },
          { name: 'sweep', heldBy: null, lastSuccessAt: null },
          { name: 'of no job', heldBy, lastSuccessAt: NOW },
        ],
      },
      jobs: [
        { name: 'relay', every: 1_000 },
        { name: 'sweep', every: 3_600_000 },
        { name: 'never taken', every: 500 },
      ],
      askServices: async () => [service],
    });
    const idle = { lastSuccessAt: null, heldBy: null };
    expect(await show()).to.deep.equal({
      at: '2026-11-21T18:00:00.000Z',
      services: [service],
      jobs: [
        { task: 'relay', everySeconds: 1, lastSuccessAt: '2026-11-21T17:59:00.000Z', heldBy },
        { task: 'sweep', everySeconds: 3_600, ...idle },
        { task: 'never taken', everySeconds: 0.5, ...idle },
      ],
      backlog: { mailWaiting: 0, mailDead: 0, mailOldestSeconds: 0, deliveriesPending: 2, deliveriesDead: 2 },
    });
  });
});
