import { expect } from 'chai';
import sinon from 'sinon';
import { ConfigError, readConfig } from '../../../adapters/config.ts';
import { loadTracingPackages } from '../../../adapters/telemetry/tracing.ts';
import { type OtlpReceiver, openOtlpReceiver } from '../../support/servers/otlp-receiver.ts';
import { openStrictVault, type StrictVault, VAULT_TOKEN } from '../../support/servers/strict-vault.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { makeClient } from '../metadata/client.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const SERVER = 2;
const CLIENT = 3;

describe('Traces', () => {
  let receiver: OtlpReceiver;
  let vault: StrictVault;
  let service: TestService;
  let delay: string | undefined;
  before(async () => {
    delay = process.env.OTEL_BSP_SCHEDULE_DELAY;
    process.env.OTEL_BSP_SCHEDULE_DELAY = '20';
    [receiver, vault] = await Promise.all([openOtlpReceiver(), openStrictVault()]);
    vault.addKey('drop');
    service = await openTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=blue%20one',
      KMS: 'vault',
      VAULT_ADDR: vault.url,
      VAULT_TOKEN,
      VAULT_TRANSIT_KEY: 'drop',
    });
  });
  after(async () => {
    if (delay === undefined) delete process.env.OTEL_BSP_SCHEDULE_DELAY;
    else process.env.OTEL_BSP_SCHEDULE_DELAY = delay;
    await service.close();
    await Promise.all([receiver.close(), vault.close()]);
  });

  it('have a span for each request, with its route, status and request id', async () => {
    await service.request('GET', '/.well-known/jwks.json?secret=abc', {
      headers: { 'X-Request-Id': 'request-1' },
    });
    const span = await receiver.span('GET /.well-known/jwks.json');
    expect(span.kind).to.equal(SERVER);
    expect(span.parentSpanId ?? '').to.equal('');
    expect(span.attributes).to.deep.include({
      'http.route': '/.well-known/jwks.json',
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'gatehouse.request_id': 'request-1',
      'gatehouse.service': 'accounts',
    });
    expect(receiver.resources()[0]).to.include({ 'service.name': 'gatehouse' });
    expect(receiver.server.requests[0]?.headers['x-team']).to.equal('blue one');
  });

  it('continue the trace of the caller, and are propagated to the key service', async () => {
    const client = makeClient(service.metadataUrl, {
      traceparent: `00-${TRACE}-${SPAN}-01`,
      tracestate: 'vendor=1',
    });
    const { status } = await client.post('/api/v1/dek/wrap', { dek: 'k'.repeat(32) });
    expect(status).to.equal(200);
    const request = await receiver.span('POST /api/v1/dek/wrap');
    const call = await receiver.span('kms.seal');
    expect([request.traceId, request.parentSpanId]).to.deep.equal([TRACE, SPAN]);
    expect([call.traceId, call.parentSpanId, call.kind]).to.deep.equal([TRACE, request.spanId, CLIENT]);
    const sent = vault.requests.find(({ path }) => path.includes('/encrypt/'));
    expect(sent?.headers.traceparent).to.equal(`00-${TRACE}-${call.spanId}-01`);
    expect(sent?.headers.tracestate).to.equal('vendor=1');
  });

  it('mark failed requests and calls, without the error message', async () => {
    vault.fault = (response) => response.writeHead(403).end('{"errors":["secret words"]}');
    const client = makeClient(service.metadataUrl);
    await client.post('/api/v1/dek/wrap/batch', { items: [{ dek: 'k'.repeat(32) }] });
    vault.fault = undefined;
    const request = await receiver.span('POST /api/v1/dek/wrap/batch');
    expect(request.status.code).to.equal(2);
    expect(request.attributes).to.include({
      'http.response.status_code': 503,
      'gatehouse.code': 'kms_unavailable',
    });
    const failed = receiver.spans().filter(({ name, status }) => name === 'kms.seal' && status.code === 2);
    expect(failed.map(({ attributes }) => attributes['gatehouse.outcome'])).to.deep.equal(['unavailable']);
    expect(receiver.server.requests.map(({ body }) => body).join()).to.not.include('secret words');
  });

  it('have background calls in separate traces, and no data of the account', async () => {
    const user = await service.signUp({ email: 'traced@example.com' });
    const mail = await receiver.span('mail.send');
    expect(mail.attributes['gatehouse.outcome']).to.equal('sent');
    expect(mail.parentSpanId ?? '').to.equal('');
    const text = receiver.server.requests.map(({ body }) => body).join();
    for (const secret of [user.id, user.token, 'traced@example.com', 'abc'])
      expect(text).to.not.include(`"${secret}"`);
  });

  it('are logged as lost every ten minutes while the collector refuses them, and do not block requests', async () => {
    let refusals = 0;
    receiver.server.fault = (response) => {
      refusals += 1;
      response.writeHead(400).end();
    };
    const countOf = (name: string) => service.log.lines.filter(({ event }) => event === name).length;
    const requestUntil = async (holds: () => boolean) => {
      while (!holds()) expect((await service.request('GET', '/health')).status).to.equal(200);
    };
    const clock = sinon.useFakeTimers({ toFake: ['performance'] });
    try {
      await requestUntil(() => countOf('traces.lost') > 0);
      clock.tick(599_999);
      const refusalsBefore = refusals;
      await requestUntil(() => refusals > refusalsBefore + 1);
      expect(countOf('traces.lost')).to.equal(1);
      clock.tick(1);
      await requestUntil(() => countOf('traces.lost') > 1);
    } finally {
      clock.restore();
      receiver.server.fault = undefined;
    }
    await requestUntil(() => countOf('traces.sent') > 0);
    expect(countOf('traces.lost')).to.equal(2);
  });
});

describe('loadTracingPackages', () => {
  const without = (name: string) => () => {
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  };

  it('throws a ConfigError with the install command if a package is missing', () => {
    expect(() => loadTracingPackages('OTEL_TRACES_EXPORTER', without('@opentelemetry/api')))
      .to.throw(ConfigError)
      .with.property('message')
      .that.matches(/^OTEL_TRACES_EXPORTER: .*npm install --save-prod @opentelemetry\/api /);
    const broken = () => {
      throw new Error('broken');
    };
    expect(() => loadTracingPackages('OTEL_TRACES_EXPORTER', broken)).to.throw('broken');
  });
});

describe('The settings for traces', () => {
  const tracing = (settings: Record<string, string>) => readConfig(settings, '/nowhere').tracing;

  it('disable traces unless a setting names an exporter or endpoint', () => {
    expect(tracing({})).to.equal(null);
    expect(tracing({ OTEL_SERVICE_NAME: 'x' })).to.equal(null);
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' })).to.equal(
      null,
    );
  });

  it('append the path to a base URL, and use a full URL unchanged', () => {
    expect(tracing({ OTEL_TRACES_EXPORTER: 'otlp' })?.url).to.equal('http://localhost:4318/v1/traces');
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' })?.url).to.equal(
      'http://c:4318/v1/traces',
    );
    expect(tracing({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/x' })?.url).to.equal('http://c/x');
  });

  it('accept headers in the format of OpenTelemetry', () => {
    const settings = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_HEADERS: 'a=1%202, b = c' };
    expect(tracing(settings)?.headers).to.deep.equal({ a: '1 2', b: 'c' });
    for (const wrong of ['a', '=x', 'a=%', 'a=%0a', 'a=b,']) {
      expect(() => tracing({ ...settings, OTEL_EXPORTER_OTLP_HEADERS: wrong }), wrong).to.throw(
        'OTEL_EXPORTER_OTLP_HEADERS must',
      );
    }
  });
});
