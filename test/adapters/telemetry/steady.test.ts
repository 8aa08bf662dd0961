import { expect } from 'chai';
import { makeSteady } from '../../../adapters/telemetry/metrics.ts';
import { readSamples } from '../../support/metrics.ts';

const textOf = (count: number, gauge: number, bucket = count) => `# HELP calls_total Calls
# TYPE calls_total counter
calls_total{route="/a b"} ${count}

# HELP lag_seconds Lag
# TYPE lag_seconds histogram
lag_seconds_bucket{le="+Inf"} ${bucket}
# HELP waiting Waiting
# TYPE waiting gauge
waiting ${gauge}
`;

describe('The metrics of several workers', () => {
  it('contain counters that do not fall when a worker ends, and continue to grow', () => {
    const steady = makeSteady();
    const counts = [10, 40, 30, 31, 0, 5].map((count) => {
      const samples = readSamples(steady(textOf(count, count)));
      return [samples.get('calls_total{route="/a b"}'), samples.get('lag_seconds_bucket{le="+Inf"}')];
    });
    expect(counts).to.deep.equal([10, 40, 40, 41, 41, 46].map((count) => [count, count]));
  });

  it('contain gauges and comments unchanged', () => {
    const steady = makeSteady();
    steady(textOf(1, 9));
    expect(steady(textOf(1, 2))).to.equal(textOf(1, 2));
  });
});
