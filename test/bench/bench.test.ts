import { expect } from 'chai';
import { tableOf } from './print.ts';
import { median, quantile } from './statistics.ts';
import { atLeast, atMost, atMostMore, atMostTimes } from './verdict.ts';
import { readWrk } from './wrk.ts';
import { scriptOf } from './wrk-script.ts';

const PRINTED = `Running 2s test @ http://127.0.0.1:4000/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     6.58ms    1.20ms  31.20ms   88.12%
    Req/Sec     9.81k   812.55    11.02k    75.00%
  Latency Distribution
     50%    6.31ms
     75%    6.90ms
     90%    7.80ms
     99%    1.02s
  19535 requests in 2.00s, 6.02MB read
Requests/sec:   9748.25
Transfer/sec:      3.01MB
`;

describe('The benchmark', () => {
  it('reads the rate and the 99th percentile from the output of wrk', () => {
    expect(readWrk(PRINTED)).to.deep.equal({ perSecond: 9748.25, p99: 1_020 });
    expect(readWrk(PRINTED.replace('1.02s', '850.00us')).p99).to.be.closeTo(0.85, 1e-9);
  });

  it('refuses a run of wrk with refused requests or socket errors', () => {
    expect(() => readWrk(`${PRINTED}  Non-2xx or 3xx responses: 3\n`)).to.throw('responses: 3');
    expect(() => readWrk(`${PRINTED}  Socket errors: connect 0, read 7, write 0, timeout 0\n`)).to.throw(
      'read 7',
    );
    expect(() => readWrk('unable to connect to 127.0.0.1:4000\n')).to.throw('unable to connect');
  });

  it('makes wrk send each request in turn, with its exact body', () => {
    const script = scriptOf([
      { method: 'GET', path: '/files/1' },
      { method: 'POST', path: '/files', body: '{"name":"a\\"b"}' },
    ]);
    expect(script).to.include('{ "GET", "/files/1", "" }');
    expect(script).to.include(String.raw`{ "POST", "/files", "{\"name\":\"a\\\"b\"}" }`);
  });

  it('calculates the median of odd and even numbers of values', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([9, 1, 5, 3])).to.equal(4);
    expect(median([7])).to.equal(7);
  });

  it('calculates a quantile', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect(quantile(values, 0.99)).to.equal(198);
  });

  it('marks a row as met exactly up to its goal', () => {
    const against = { row: 'row', unit: '/s', reference: 100, against: 'x' } as const;
    const met = [
      atLeast(0.5, { ...against, product: 50 }),
      atMostTimes(3, { ...against, product: 300 }),
      atMostMore(8, { ...against, product: 108 }),
      atMost(300, { row: 'row', unit: 'ms', product: 300 }),
    ];
    const missed = [
      atLeast(0.5, { ...against, product: 49 }),
      atMostTimes(3, { ...against, product: 301 }),
      atMostMore(8, { ...against, product: 109 }),
      atMost(300, { row: 'row', unit: 'ms', product: 301 }),
    ];
    expect(met.map((row) => row.met)).to.deep.equal([true, true, true, true]);
    expect(missed.map((row) => row.met)).to.deep.equal([false, false, false, false]);
  });

  it('marks a row without a measured value as missed', () => {
    const unmeasured = { row: 'row', unit: 'ms', product: Number.NaN } as const;
    expect(atLeast(0.5, { ...unmeasured, reference: 1, against: 'x' }).met).to.equal(false);
    expect(atMost(300, unmeasured).met).to.equal(false);
  });

  it('compares a given ratio of the rounds with the goal', () => {
    const row = { row: 'row', unit: '/s', product: 140, reference: 100, against: 'x', ratio: 1.5 } as const;
    expect(atLeast(1.5, row)).to.include({ ratio: 1.5, met: true });
    expect(atLeast(1.5, { ...row, product: 160, ratio: 1.4 })).to.include({ ratio: 1.4, met: false });
  });

  it('prints product, reference, ratio, goal and verdict of each row', () => {
    const rows = [
      atLeast(0.4, {
        row: 'read',
        unit: '/s',
        product: 5_000.4,
        reference: 10_000,
        against: 'Koa',
        note: 'fine',
      }),
      atMost(105, { row: 'memory', unit: 'MB', product: 120 }),
    ];
    const [heading = '', read = '', memory = '', , note] = tableOf(rows).split('\n');
    expect(heading.split(/\s{2,}/)).to.deep.equal([
      'Row',
      'Product',
      'Reference',
      'Ratio',
      'Goal',
      'Verdict',
    ]);
    expect(read.split(/\s{2,}/)).to.deep.equal(['read', '5000/s', '10000/s', '0.50', '>= 0.4 x Koa', 'met']);
    expect(memory.split(/\s{2,}/)).to.deep.equal(['memory', '120.0 MB', '-', '-', '<= 105 MB', 'MISSED']);
    expect(note).to.equal('read: fine');

    const calls = atMost(3, { row: 'login', unit: 'calls', product: 4 });
    expect(
      tableOf([calls])
        .split('\n')[1]
        ?.split(/\s{2,}/),
    ).to.deep.equal(['login', '4 calls', '-', '-', '<= 3 calls', 'MISSED']);
    expect(tableOf([{ ...calls, measurable: false }])).to.match(/not measurable$/);
  });
});
