import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { CannotListen } from '../../../servers/http/listen/bind-port.ts';
import { openServices } from '../../../servers/services.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { drop, polarSettings } from '../../support/drop.ts';
import { scrapeSamples, sumOf } from '../../support/metrics.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { easySettings, useService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { makeClient } from '../metadata/client.ts';

/** Where nobody listens. */
const NOWHERE = 'http://127.0.0.1:9';

describe('The metrics in trouble', () => {
  const service = useService({
    ...polarSettings(NOWHERE),
    METRICS_PORT: '0',
    KMS: 'vault',
    VAULT_ADDR: NOWHERE,
    VAULT_TOKEN: 'a-token',
    VAULT_TRANSIT_KEY: 'drop',
  });
  const samples = () => scrapeSamples(service().metricsUrl);

  it('show a key service that fails, how long it was waited for, and that it is left alone', async () => {
    const { post } = makeClient(service().metadataUrl);
    const dek = randomBytes(32).toString('hex');
    const replies = await Promise.all([1, 2].map(() => post('/api/v1/dek/wrap', { dek })));
    expect(replies.map(({ status }) => status)).to.deep.equal([503, 503]);
    const found = await samples();
    const calls = 'gatehouse_dependency_call_duration_seconds';
    const failed = ['dependency="kms"', 'method="seal"', 'outcome="unavailable"'];
    expect(sumOf(found, `${calls}_count`, ...failed)).to.equal(2);
    expect(sumOf(found, `${calls}_sum`, ...failed)).to.be.greaterThan(0);
    expect(sumOf(found, 'gatehouse_dependency_up', 'dependency="kms"')).to.equal(0);
    expect(sumOf(found, 'gatehouse_log_lines_total', 'level="error"', 'event="kms.down"')).to.equal(1);
  });

  it('show how long a delivery waited until it was applied, and those that cannot be', async () => {
    const user = await service().signUp();
    const one = newSubscription({ userId: user.id, customerId: randomUUID() }, Date.now());
    await drop(service().url, subscriptionEvent('active', one, Date.now()));
    await until(async () => sumOf(await samples(), 'gatehouse_webhook_lag_seconds_count') === 1);
    expect(sumOf(await samples(), 'gatehouse_webhook_lag_seconds_sum')).to.be.within(0, 60);
    const stray = { ...one, id: randomUUID(), productId: 'a-product-of-nobody' };
    await drop(service().url, subscriptionEvent('active', stray, Date.now() + 1));
    await until(async () => sumOf(await samples(), 'gatehouse_webhook_events', 'standing="dead"') === 1);
    const found = await samples();
    expect(sumOf(found, 'gatehouse_webhook_events', 'standing="pending"')).to.equal(0);
    expect(sumOf(found, 'gatehouse_webhook_oldest_due_seconds')).to.equal(0);
  });
});

describe('A host for the metrics that is none of this machine', () => {
  const folder = useTempFolder();

  it('stops the start with the name of its setting', async () => {
    const settings = { ...easySettings, DATA_DIR: folder(), METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' };
    const error = await rejectionOf(() => openServices(readConfig(settings, folder()), ['accounts']));
    expect(error).to.be.instanceOf(CannotListen);
    expect(String(error)).to.include('METRICS_HOST: not an address of this machine');
  });
});
