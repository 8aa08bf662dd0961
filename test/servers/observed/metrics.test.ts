import { expect } from 'chai';
import { version } from '../../../adapters/version.ts';
import { compositionSettings } from '../../support/composition.ts';
import { scrape, scrapeSamples, sumOf } from '../../support/metrics.ts';
import { ask, openTestService, useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { makePasskeyCalls, PASSKEYS_ON } from '../accounts/passkeys/passkey-calls.ts';
import { makeClient } from '../metadata/client.ts';

describe('The metrics', () => {
  const service = useService({
    ...PASSKEYS_ON,
    METRICS_PORT: '0',
    RATE_LIMIT_HEALTH: '2',
    HASH_WORKERS: '1',
  });
  const samples = () => scrapeSamples(service().metricsUrl);
  const requests = 'gatehouse_http_request_duration_seconds_count';

  it('count requests by service, method, route template and status', async () => {
    const { metadataUrl, request } = service();
    await request('GET', '/.well-known/jwks.json');
    await request('GET', '/.well-known/jwks.json');
    await request('GET', '/nowhere/at-all');
    await ask(metadataUrl, 'GET', '/api/v1/meta/0190a0b0-0000-7000-8000-00000000abcd');
    await until(async () => sumOf(await samples(), requests, 'service="metadata"') === 1);
    const metrics = await samples();
    expect(
      sumOf(metrics, requests, 'service="accounts"', 'route="/.well-known/jwks.json"', 'status="200"'),
    ).to.equal(2);
    expect(sumOf(metrics, requests, 'method="GET"', 'route="-"', 'status="404"')).to.equal(1);
    expect(sumOf(metrics, requests, 'route="/api/v1/meta/{fileId}"', 'status="404"')).to.equal(1);
    expect(sumOf(metrics, 'gatehouse_http_requests_in_flight')).to.equal(0);
  });

  it('measure hashing, store calls, sent mails and rate-limit refusals', async () => {
    await service().signUp({ email: 'measured@example.com' });
    for (let call = 0; call < 3; call += 1) await service().request('GET', '/health');
    await until(async () => sumOf(await samples(), 'gatehouse_rate_limit_refusals_total') === 1);
    const metrics = await samples();
    expect(sumOf(metrics, 'gatehouse_hash_duration_seconds_count')).to.be.at.least(1);
    expect(sumOf(metrics, 'gatehouse_hash_wait_seconds_count')).to.be.at.least(1);
    expect(sumOf(metrics, 'gatehouse_hash_queue_length')).to.equal(0);
    expect(sumOf(metrics, 'gatehouse_rate_limit_refusals_total', 'bucket="client:health"')).to.equal(1);
    const sent = ['dependency="mail"', 'method="send"', 'outcome="sent"'];
    expect(sumOf(metrics, 'gatehouse_dependency_call_duration_seconds_count', ...sent)).to.be.at.least(1);
    const stored = ['store="accounts"', 'outcome="ok"'];
    expect(sumOf(metrics, 'gatehouse_store_call_duration_seconds_count', ...stored)).to.be.at.least(2);
  });

  it('count sign-ins and proofs by first factor and outcome', async () => {
    const email = 'counted@example.com';
    const { token, password } = await service().signUp({ email });
    for (const attempt of [password, 'a wrong password'])
      await service().request('POST', '/api/auth/login', { body: { email, password: attempt } });
    for (const attempt of [password, 'a wrong password'])
      await service().request('POST', '/api/auth/reauthenticate', { token, body: { password: attempt } });
    const metrics = await samples();
    for (const outcome of ['succeeded', 'failed'])
      for (const name of ['gatehouse_sign_ins_total', 'gatehouse_proofs_total'])
        expect(sumOf(metrics, name, 'method="password"', `outcome="${outcome}"`), name).to.equal(1);
  });

  it('count hits and misses of the cache', async () => {
    const { metadataUrl } = service();
    const created = await makeClient(metadataUrl).create();
    const before = await samples();
    const path = `/api/v1/meta/${String(created.body.id)}`;
    const increaseOf = async (result: string) => {
      const reads = ['gatehouse_cache_reads_total', `result="${result}"`] as const;
      return sumOf(await samples(), ...reads) - sumOf(before, ...reads);
    };
    await ask(metadataUrl, 'GET', path);
    expect([await increaseOf('miss'), await increaseOf('hit')]).to.deep.equal([1, 0]);
    // A file is cached after the response to its read.
    await until(async () => {
      await ask(metadataUrl, 'GET', path);
      return (await increaseOf('hit')) >= 1;
    });
    expect(await increaseOf('failure')).to.equal(0);
  });

  it('report the lease, interval and outcomes of background tasks', async () => {
    await until(
      async () =>
        sumOf(
          await samples(),
          'gatehouse_background_duration_seconds_count',
          'task="relay"',
          'outcome="ok"',
        ) > 0,
    );
    const metrics = await samples();
    expect(sumOf(metrics, 'gatehouse_lease_held', 'task="relay"')).to.equal(1);
    expect(sumOf(metrics, 'gatehouse_background_interval_seconds', 'task="tidy"')).to.equal(60);
    expect(
      sumOf(metrics, 'gatehouse_background_duration_seconds_count', 'task="mail"', 'outcome="ok"'),
    ).to.be.at.least(1);
    expect(sumOf(metrics, 'gatehouse_dependency_up', 'dependency="store"')).to.equal(1);
  });

  it('name the store and the version', async () => {
    const { POSTGRES_URL, MONGODB_URL } = compositionSettings(service().folder);
    const stores = { postgresql: POSTGRES_URL, mongodb: MONGODB_URL, sqlite: service().folder };
    const [store] = Object.entries(stores).find(([, place]) => place !== undefined) ?? [];
    const labels = [`store="${store}"`, `version="${version}"`];
    expect(sumOf(await samples(), 'gatehouse_build_info', ...labels)).to.equal(1);
  });

  it('count stored flows and spent challenges', async () => {
    expect(sumOf(await samples(), 'gatehouse_flows')).to.equal(0);
    const { add, logIn } = makePasskeyCalls(service);
    const { credential } = await add(await service().signUp());
    expect((await logIn(credential)).status).to.equal(200);
    // The challenge of the registration and that of the login.
    expect(sumOf(await samples(), 'gatehouse_flows')).to.equal(2);
  });

  it('report the age of mail that the provider does not accept, and count dead mail', async () => {
    const { mail, clock, post } = service();
    mail.delivery = { outcome: 'again', after: null, failure: 'unreachable' };
    await post('/api/auth/register', { email: 'waiting@example.com', password: 'correct horse battery' });
    await until(async () => sumOf(await samples(), 'gatehouse_outbox_mails', 'state="waiting"') === 1);
    clock.advance(600_000);
    expect(sumOf(await samples(), 'gatehouse_outbox_oldest_seconds')).to.be.within(600, 660);
    await until(
      async () =>
        sumOf(await samples(), 'gatehouse_dependency_call_duration_seconds_count', 'outcome="again"') >= 1,
    );
    mail.delivery = { outcome: 'refused', failure: 'no such mailbox' };
    clock.advance(3_600_000);
    await until(async () => sumOf(await samples(), 'gatehouse_outbox_mails', 'state="dead"') === 1);
    mail.delivery = { outcome: 'sent' };
    expect(sumOf(await samples(), 'gatehouse_outbox_oldest_seconds')).to.equal(0);
    expect(sumOf(await samples(), 'gatehouse_log_lines_total', 'event="mail.given_up"')).to.be.at.least(1);
  });

  it('contain no id, address, token or secret', async () => {
    const user = await service().signUp({ email: 'quiet@example.com' });
    await service().request('GET', '/api/auth/me?token=abcdef', { token: user.token });
    const text = await scrape(service().metricsUrl);
    const { internalSecrets } = service().composition;
    for (const secret of [
      user.id,
      user.token,
      user.refreshToken,
      'example.com',
      'abcdef',
      ...internalSecrets,
    ]) {
      expect(text.includes(secret), secret.slice(0, 4)).to.equal(false);
    }
    expect(text).to.not.match(/[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it('include the metrics of the process and of Node.js, each with its help text', async () => {
    const text = await scrape(service().metricsUrl);
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(text).to.match(new RegExp(`^# HELP ${name} .+\n# TYPE ${name} `, 'm'));
    }
  });

  it('are the only resource of their port', async () => {
    const { metricsUrl } = service();
    expect((await ask(metricsUrl, 'GET', '/')).status).to.equal(404);
    expect((await ask(metricsUrl, 'POST', '/metrics')).status).to.equal(405);
    expect((await fetch(`${metricsUrl}/metrics`)).headers.get('content-type')).to.match(
      /^text\/plain; version=0\.0\.4/,
    );
  });
});

describe('A service without METRICS_PORT', () => {
  it('measures nothing and serves no metrics', async () => {
    const service = await openTestService();
    try {
      expect(service.metricsUrl).to.equal('');
      expect(service.composition.scrape).to.equal(undefined);
      expect(service.composition.watch('accounts')).to.equal(undefined);
    } finally {
      await service.close();
    }
  });
});
