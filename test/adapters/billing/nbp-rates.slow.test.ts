import { expect } from 'chai';
import { makeNbpRateSource } from '../../../adapters/billing/nbp-rates.ts';
import { type Fault, openStrictServer, type StrictServer } from '../../support/servers/strict-server.ts';

const tableOf = (...rates: readonly object[]) =>
  JSON.stringify({ table: 'A', currency: 'dolar amerykański', code: 'USD', rates });
const rateOf = (mid: unknown, effectiveDate: unknown = '2026-01-02') => ({
  no: '1/A/NBP/2026',
  effectiveDate,
  mid,
});

describe('The rates of the National Bank of Poland', () => {
  let bank: StrictServer;
  let says = tableOf(rateOf(3.6521));
  beforeEach(async () => {
    says = tableOf(rateOf(3.6521));
    bank = await openStrictServer(({ method, path, headers }) =>
      method === 'GET' &&
      path === '/api/exchangerates/rates/a/usd/?format=json' &&
      headers.accept === 'application/json'
        ? { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: says }
        : { status: 400 },
    );
  });
  afterEach(() => bank.close());

  const latest = (url = bank.url) => makeNbpRateSource({ url }).latest();
  const refused = async (why: string) => {
    const error = await latest().then(
      (rate) => expect.fail(`${why}: ${JSON.stringify(rate)}`),
      (thrown: unknown) => thrown,
    );
    expect(error, why).to.include({ kind: 'unavailable', code: 'rate_unavailable' });
    expect(JSON.stringify(Object.values(error as Error))).not.to.include('private');
  };

  it('are the mid rate of its newest table, digit by digit', async () => {
    for (const mid of ['3.6521', '4', '4.0000', '0.5', '3.65210000', '9999.12345678']) {
      says = tableOf(rateOf(0)).replace('"mid":0', `"mid":${mid}`);
      expect(await latest(), mid).to.deep.equal({ mid, effectiveDate: '2026-01-02' });
    }
    expect(await latest(`${bank.url}/`)).to.include({ effectiveDate: '2026-01-02' });
  });

  it('are none where an answer holds no positive number, or more than one', async () => {
    const mids = [
      '0',
      '-3.65',
      '"3.65"',
      'null',
      'true',
      '[]',
      '{}',
      '1e400',
      '3.65e0',
      '0.365E+1',
      '100000',
      '1e-9',
      '3.123456789',
    ];
    for (const mid of mids) {
      says = tableOf(rateOf(0)).replace('"mid":0', `"mid":${mid}`);
      await refused(mid);
    }
    for (const mid of ['NaN', 'Infinity', '03.65', '3,65', '3.', '.5', '']) {
      says = tableOf(rateOf(0)).replace('"mid":0', `"mid":${mid}`);
      await refused(mid);
    }
    says = tableOf(rateOf(3.65, '2026-01-01'), rateOf(3.66));
    await refused('several rates');
    says = tableOf();
    await refused('no rate');
    says = tableOf(rateOf(3.65)).replace('"code":"USD"', '"mid":1.01,"code":"USD"');
    await refused('another mid before it');
  });

  it('are of a day', async () => {
    for (const day of [
      '',
      'today',
      '2026-1-2',
      '2026-01-02T00:00:00',
      '20260102',
      '2026-13-01',
      '2026-00-10',
      '2026-02-29',
      '2026-02-31',
      '2026-04-31',
      20_260_102,
      null,
    ]) {
      says = tableOf(rateOf(3.65, day));
      await refused(String(day));
    }
  });

  it('are none where the answer is garbage', async () => {
    for (const body of [
      '',
      'null',
      '[]',
      '7',
      '{}',
      '{"rates":7}',
      '{"rates":[null]}',
      '{"rates":[7]}',
      '<html>private</html>',
      `${tableOf(rateOf(3.65))}x`,
    ]) {
      says = body;
      await refused(body);
    }
    says = `${' '.repeat(70_000)}${tableOf(rateOf(3.65))}`;
    await refused('too long');
  });

  it('are none where the bank answers anything but 200, or elsewhere', async () => {
    const table = tableOf(rateOf(3.65));
    for (const status of [404, 400, 429, 500, 503]) {
      bank.faults.push((response) => response.writeHead(status).end(table));
      await refused(String(status));
    }
    const faults: Readonly<Record<string, Fault>> = {
      redirect: (response) =>
        response.writeHead(302, { Location: `${bank.url}/api/exchangerates/rates/a/usd/?format=json` }).end(),
      gone: (response) => response.destroy(),
      'cut off': (response) => {
        response.writeHead(200, { 'Content-Length': '1000' });
        response.write(table, () => response.destroy());
      },
    };
    for (const [name, fault] of Object.entries(faults)) {
      bank.faults.push(fault);
      await refused(name);
    }
    await bank.close();
    await refused('nothing listens');
  });

  it('are waited for no longer than five seconds, be it head or body that is slow', async () => {
    bank.faults.push(
      () => undefined,
      (response) => void response.writeHead(200).write(tableOf(rateOf(3.65)).slice(0, -1)),
    );
    const began = performance.now();
    await Promise.all([refused('slow head'), refused('slow body')]);
    expect(performance.now() - began).to.be.within(4_500, 20_000);
  });
});
