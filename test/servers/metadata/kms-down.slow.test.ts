import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStrictVault, type StrictVault, VAULT_TOKEN } from '../../support/servers/strict-vault.ts';
import { ask, openTestService, type TestService, useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { type Client, makeClient, useClient } from './client.ts';

const newKey = () => randomBytes(32).toString('hex');

describe('Data keys while the key service is down', () => {
  let vault: StrictVault;
  let service: TestService;
  let client: Client;
  before(async () => {
    vault = await openStrictVault();
    vault.addKey('drop');
    service = await openTestService({
      KMS: 'vault',
      VAULT_ADDR: vault.url,
      VAULT_TOKEN,
      VAULT_TRANSIT_KEY: 'drop',
    });
    client = makeClient(service.metadataUrl);
  });
  after(async () => {
    await service.close();
    await vault.close();
  });
  afterEach(() => {
    vault.fault = undefined;
  });
  const wrap = (dek: string) => client.post('/api/v1/dek/wrap', { dek });
  /** Waits until the service calls the key service again after a fault. */
  const untilUp = () => until(async () => (await wrap(newKey())).status === 200);

  it('are neither wrapped nor unwrapped, nor returned in plain text', async () => {
    await untilUp();
    const dek = newKey();
    const dekEnc = String((await wrap(dek)).body.dekEnc);
    vault.fault = (response) => response.writeHead(500).end('{}');
    for (const [path, body] of [
      ['wrap', { dek }],
      ['unwrap', { dekEnc }],
      ['wrap/batch', { items: [{ dek }, { dek: 'short' }] }],
      ['unwrap/batch', { items: [{ dekEnc }, { dekEnc: 'x' }] }],
    ] as const) {
      const reply = await client.post(`/api/v1/dek/${path}`, body);
      expect([reply.status, reply.body.error], path).to.deep.equal([503, 'kms_unavailable']);
      expect(reply.body).to.have.all.keys('error', 'message');
      expect(Number(reply.headers.get('retry-after'))).to.be.at.least(1);
      expect(JSON.stringify(reply.body)).not.to.include(dek);
    }
    vault.fault = undefined;
    await untilUp();
    expect((await client.post('/api/v1/dek/unwrap', { dekEnc })).body).to.deep.equal({ dek });
  });

  it('are still refused if they are malformed', async () => {
    vault.fault = (response) => response.writeHead(500).end('{}');
    const wrong = await wrap('short');
    expect([wrong.status, wrong.body.error]).to.deep.equal([400, 'invalid_dek']);
    const foreign = await client.post('/api/v1/dek/unwrap', { dekEnc: 'x' });
    expect([foreign.status, foreign.body.error]).to.deep.equal([400, 'invalid_enc_dek']);
  });

  it('do not prevent calls for file records, and the health route names the key service', async () => {
    vault.fault = (response) => response.writeHead(500).end('{}');
    for (let call = 0; call < 3; call += 1) expect((await wrap(newKey())).status).to.equal(503);
    const { status, body } = await client.create({ user: 'down' });
    expect(status).to.equal(200);
    expect((await client.read(String(body.id))).status).to.equal(200);
    expect((await client.list('down')).status).to.equal(200);
    expect((await client.remove(String(body.id))).status).to.equal(200);
    const health = await ask(service.metadataUrl, 'GET', '/health');
    expect([health.status, health.body]).to.deep.equal([
      200,
      { service: 'drop-metadata', version: service.composition.version, status: 'degraded', down: ['kms'] },
    ]);
    expect((await ask(service.metadataUrl, 'GET', '/health/ready')).status).to.equal(200);
  });
});

describe('Data keys under a key ring in a file', () => {
  const service = useService();
  const client = useClient(service);

  it('are still wrapped and unwrapped while the file is malformed or missing', async () => {
    const file = join(service().folder, 'keys', 'master.json');
    const dek = newKey();
    const wrapKey = async () => String((await client().post('/api/v1/dek/wrap', { dek })).body.dekEnc);
    const texts = [await wrapKey()];
    await writeFile(file, '{');
    const countRefused = () => service().log.lines.filter(({ event }) => event === 'key_file.refused').length;
    await until(() => countRefused() === 1);
    texts.push(await wrapKey());
    await rm(file);
    await until(() => countRefused() === 2);
    texts.push(await wrapKey());
    for (const dekEnc of texts) {
      expect((await client().post('/api/v1/dek/unwrap', { dekEnc })).body).to.deep.equal({ dek });
    }
  });
});
