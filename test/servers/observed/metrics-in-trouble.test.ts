import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { CannotListen } from '../../../servers/http/listen/bind-port.ts';
import { openServices } from '../../../servers/services.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { deliverEvent, polarSettings } from '../../support/deliver-event.ts';
import { scrapeSamples, sumOf } from '../../support/metrics.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { easySettings, useService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { makeClient } from '../metadata/client.ts';

/** An address without a server. */
const NOWHERE = 'http://127.0.0.1:9';

describe('The metrics of failing dependencies', () => {
  const service = useService({
    ...polarSettings(NOWHERE),
    METRICS_PORT: '0',
    KMS: 'vault',
    VAULT_ADDR: NOWHERE,
    VAULT_TOKEN: 'a-token',
    VAULT_TRANSIT_KEY: 'drop',
  });
  const samples = () => scrapeSamples(service().metricsUrl);

  it('count failed calls of the key service with their durations, and report the service as down', async () => {
    const { post } = makeClient(service().metadataUrl);
    const dek = randomBytes(32).toString('hex');
    const replies = await Promise.all([1, 2].map(() => post('/api/v1/dek/wrap', { dek })));
    expect(replies.map(({ status }) => status)).to.deep.equal([503, 503]);
    const metrics = await samples();
    const calls = 'gatehouse_dependency_call_duration_seconds';
    const failed = ['dependency="kms"', 'method="seal"', 'outcome="unavailable"'];
    expect(sumOf(metrics, `${calls}_count`, ...failed)).to.equal(2);
    expect(sumOf(metrics, `${calls}_sum`, ...failed)).to.be.greaterThan(0);
    expect(sumOf(metrics, 'gatehouse_dependency_up', 'dependency="kms"')).to.equal(0);
    expect(sumOf(metrics, 'gatehouse_log_lines_total', 'level="error"', 'event="kms.down"')).to.equal(1);
  });

  it('measure the lag of an applied delivery, and count deliveries that cannot be applied', async () => {
    const user = await service().signUp();
    const subscription = newSubscription({ userId: user.id, customerId: randomUUID() }, Date.now());
    await deliverEvent(service().url, subscriptionEvent('active', subscription, Date.now()));
    await until(async () => sumOf(await samples(), 'gatehouse_webhook_lag_seconds_count') === 1);
    expect(sumOf(await samples(), 'gatehouse_webhook_lag_seconds_sum')).to.be.within(0, 60);
    const stray = { ...subscription, id: randomUUID(), productId: 'a-product-of-nobody' };
    await deliverEvent(service().url, subscriptionEvent('active', stray, Date.now() + 1));
    await until(async () => sumOf(await samples(), 'gatehouse_webhook_events', 'standing="dead"') === 1);
    const metrics = await samples();
    expect(sumOf(metrics, 'gatehouse_webhook_events', 'standing="pending"')).to.equal(0);
    expect(sumOf(metrics, 'gatehouse_webhook_oldest_due_seconds')).to.equal(0);
  });
});

describe('A METRICS_HOST of another machine', () => {
  const folder = useTempFolder();

  it('prevents the start with an error that names the setting', async () => {
    const settings = { ...easySettings, DATA_DIR: folder(), METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' };
    const error = await rejectionOf(() => openServices(readConfig(settings, folder()), ['accounts']));
    expect(error).to.be.instanceOf(CannotListen);
    expect(String(error)).to.include('METRICS_HOST: not an address of this machine');
  });
});
