import { expect } from 'chai';
import prom from 'prom-client';
import { openRegistry } from '../../../adapters/telemetry/prom-client.ts';
import { readSamples } from '../../support/metrics.ts';

describe('The metrics of two workers', () => {
  /** What the primary reports if the workers report 1 and 3. */
  const aggregate = async (name: string): Promise<number | undefined> => {
    const registry = openRegistry(false) as prom.Registry;
    const metrics = await registry.getMetricsAsJSON();
    const metric = metrics.find((candidate) => candidate.name === name);
    const workers = [1, 3].map((value) => [{ ...metric, values: [{ value, labels: {} }] }]);
    return readSamples(await prom.AggregatorRegistry.aggregate(workers).metrics()).get(name);
  };

  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
    it(`contain the larger ${name}, since the limit of its alert is that of a process`, async () => {
      expect(await aggregate(name)).to.equal(3);
    });

  it('contain the sum of other sizes', async () => {
    expect(await aggregate('nodejs_heap_size_used_bytes')).to.equal(4);
  });
});
