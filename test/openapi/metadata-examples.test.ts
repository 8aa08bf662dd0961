import { expect } from 'chai';
import { useService } from '../support/service.ts';
import { makeExamples } from './examples.ts';

describe('The examples of the metadata service', () => {
  const service = useService();
  const { send, left } = makeExamples('metadata', () => service().metadataUrl);
  let fileId = '';

  it('record, list and read a file', async () => {
    const { body } = await send('POST /api/v1/meta');
    fileId = String(body.id);
    await send('GET /api/v1/meta/{fileId}', { path: { fileId } });
    await send('GET /api/v1/meta', { query: { userId: String(body.user) } });
  });

  it('cache the records of a user, and drop them', async () => {
    await send('POST /api/v1/e/meta/sync');
    await send('POST /api/v1/e/meta/prefetch');
    await send('POST /api/v1/e/meta/invalidate');
    await send('DELETE /api/v1/meta/{fileId}', { path: { fileId } });
  });

  it('wrap and unwrap data keys, singly and in batches', async () => {
    const { body } = await send('POST /api/v1/dek/wrap');
    await send('POST /api/v1/dek/unwrap', { body });
    await send('POST /api/v1/dek/wrap/batch');
    await send('POST /api/v1/dek/unwrap/batch', { body: { items: [body, { dekEnc: 'of somebody else' }] } });
  });

  it('read the health of the service', async () => {
    await send('GET /health');
    await send('GET /api/health');
    await send('GET /health/ready');
    await send('GET /openapi.json');
    await send('GET /docs');
    await send('GET /docs/{file}');
  });

  it('are sent for every operation', () => {
    expect(left()).to.deep.equal([]);
  });
});
