import { expect } from 'chai';
import { openTestService } from '../../support/service.ts';

describe('An unreachable collector of traces', () => {
  it('fails neither a request nor the closing of a service', async () => {
    const service = await openTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    expect((await service.request('GET', '/health')).status).to.equal(200);
    await service.close();
  });
});
