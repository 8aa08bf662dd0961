import { expect } from 'chai';
import { openTestService } from '../../support/service.ts';

describe('A collector that is not there', () => {
  it('holds up neither a request nor the end, and fails neither', async () => {
    const service = await openTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    expect((await service.request('GET', '/health')).status).to.equal(200);
    await service.close();
  });
});
