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

describe('The rate source of the National Bank of Poland', () => {
  let bank: StrictServer;
  let responseBody = tableOf(rateOf(3.6521));
  beforeEach(async () => {
    responseBody = tableOf(rateOf(3.6521));
    bank = await openStrictServer(({ method, path, headers }) =>
      method === 'GET' &&
      path === '/api/exchangerates/rates/a/usd/?format=json' &&
      headers.accept === 'application/json'
        ? { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: responseBody }
        : { status: 400 },
    );
  });
  afterEach(() => bank.close());

  const latest = (url = bank.url) => makeNbpRateSource({ url }).latest();
  const expectRefusal = async (label: string) => {
    const error = await latest().then(
      (rate) => expect.fail(`${label}: ${JSON.stringify(rate)}`),
      (thrown: unknown) => thrown,
    );
    expect(error, label).to.include({ kind: 'unavailable', code: 'rate_unavailable' });
    expect(JSON.stringify(Object.values(error as Error))).not.to.include('private');
  };

  it('returns the mid rate of the newest table, digit by digit', async () => {
    for (const mid of ['3.6521', '4', '4.0000', '0.5', '3.65210000', '9999.12345678']) {
      responseBody = tableOf(rateOf(0)).replace('"mid":0', `"mid":${mid}`);
      expect(await latest(), mid).to.deep.equal({ mid, effectiveDate: '2026-01-02' });
    }
    expect(await latest(`${bank.url}/`)).to.include({ effectiveDate: '2026-01-02' });
  });

  it('rejects an answer without exactly one valid positive rate', async () => {
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
      responseBody = tableOf(rateOf(0)).replace('"mid":0', `"mid":${mid}`);
      await expectRefusal(mid);
    }
    for (const mid of ['NaN', 'Infinity', '03.65', '3,65', '3.', '.5', '']) {
      responseBody = tableOf(rateOf(0)).replace('"mid":0', `"mid":${mid}`);
      await expectRefusal(mid);
    }
    responseBody = tableOf(rateOf(3.65, '2026-01-01'), rateOf(3.66));
    await expectRefusal('several rates');
    responseBody = tableOf();
    await expectRefusal('no rate');
    responseBody = tableOf(rateOf(3.65)).replace('"code":"USD"', '"mid":1.01,"code":"USD"');
    await expectRefusal('another mid before it');
  });

  it('rejects an answer without a valid date', async () => {
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
      responseBody = tableOf(rateOf(3.65, day));
      await expectRefusal(String(day));
    }
  });

  it('rejects a malformed or oversized answer', async () => {
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
      responseBody = body;
      await expectRefusal(body);
    }
    responseBody = `${' '.repeat(70_000)}${tableOf(rateOf(3.65))}`;
    await expectRefusal('too long');
  });

  it('fails if the bank answers anything but 200, redirects or drops the connection', async () => {
    const table = tableOf(rateOf(3.65));
    for (const status of [404, 400, 429, 500, 503]) {
      bank.faults.push((response) => response.writeHead(status).end(table));
      await expectRefusal(String(status));
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
      await expectRefusal(name);
    }
    await bank.close();
    await expectRefusal('nothing listens');
  });

  it('times out after five seconds for slow headers or a slow body', async () => {
    bank.faults.push(
      () => undefined,
      (response) => void response.writeHead(200).write(tableOf(rateOf(3.65)).slice(0, -1)),
    );
    const startedAt = performance.now();
    await Promise.all([expectRefusal('slow head'), expectRefusal('slow body')]);
    expect(performance.now() - startedAt).to.be.within(4_500, 20_000);
  });
});
