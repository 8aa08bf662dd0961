import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createMetadataClient } from '../../../servers/client/index.ts';
import { useService } from '../../support/service.ts';
import { SAMPLE } from '../metadata/client.ts';

describe('The client of the metadata service', () => {
  const secret = randomBytes(32).toString('hex');
  const service = useService({ META_AUTH: 'secret', METADATA_SECRET: secret });
  const open = (value = secret) => createMetadataClient({ baseUrl: service().metadataUrl, secret: value });

  it('creates, reads, lists and deletes file records', async () => {
    const client = open();
    const { data: created } = await client.POST('/api/v1/meta', { body: SAMPLE });
    const fileId = created?.id ?? '';
    const { data: read } = await client.GET('/api/v1/meta/{fileId}', { params: { path: { fileId } } });
    expect(read?.thumbs.mobile).to.equal(true);
    const { data: list } = await client.GET('/api/v1/meta', { params: { query: { userId: SAMPLE.user } } });
    expect(list?.files.map(({ id }) => id)).to.deep.equal([fileId]);
    await client.DELETE('/api/v1/meta/{fileId}', { params: { path: { fileId } } });
    const { error } = await client.GET('/api/v1/meta/{fileId}', { params: { path: { fileId } } });
    expect(error?.error).to.equal('not_found');
  });

  it('wraps and unwraps data keys', async () => {
    const client = open();
    const dek = randomBytes(32).toString('base64');
    const { data: wrapped } = await client.POST('/api/v1/dek/wrap', { body: { dek, context: 'file-1' } });
    const { data } = await client.POST('/api/v1/dek/unwrap', {
      body: { dekEnc: wrapped?.dekEnc ?? '', context: 'file-1' },
    });
    expect(data?.dek).to.equal(dek);
  });

  it('returns `invalid_secret` for a wrong secret', async () => {
    const { error, response } = await open(randomBytes(32).toString('hex')).POST('/api/v1/meta', {
      body: SAMPLE,
    });
    expect([response.status, error?.error]).to.deep.equal([401, 'invalid_secret']);
  });
});
