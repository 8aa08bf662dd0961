import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { type Client, makeClient } from './client.ts';

const SECRET = 'Vq3t-canary-of-the-metadata-secret-0123';
const newKey = () => randomBytes(32).toString('hex');

/** Calls all routes with valid and invalid input. Returns the secrets of the requests, in plain text and wrapped. */
const callAllRoutes = async (client: Client, clientWithoutSecret: Client) => {
  const [dek, unused, context] = [newKey(), newKey(), `canary-${newKey()}`];
  const filenameEnc = `canary-${newKey()}`;
  const statuses = new Set<number>();
  const post = async (path: string, body: unknown, as = client) => {
    const reply = await as.post(path, body);
    statuses.add(reply.status);
    return reply.body;
  };

  const { dekEnc } = await post('/api/v1/dek/wrap', { dek, context });
  await post('/api/v1/dek/wrap', { dek: `${dek}x`, context });
  await post('/api/v1/dek/wrap', { dek: [dek] });
  await post('/api/v1/dek/wrap', `{"dek":"${dek}"`);
  await post('/api/v1/dek/wrap', { dek, context: context.repeat(9) });
  await post('/api/v1/dek/wrap', { dek }, clientWithoutSecret);
  await post('/api/v1/dek/unwrap', { dekEnc, context });
  await post('/api/v1/dek/unwrap', { dekEnc, context: 'another' });
  await post('/api/v1/dek/unwrap', { dekEnc: `${dekEnc}x`, context });
  await post('/api/v1/dek/wrap/batch', { items: [{ dek, context }, { dek: `${dek}x` }, dek] });
  await post('/api/v1/dek/unwrap/batch', { items: [{ dekEnc, context }, { dekEnc: unused }] });

  const record = { filenameEnc, size: 1, user: 'somebody', mimeType: 'image/png', dekEnc, thumb: true };
  const { id } = await post('/api/v1/meta', record);
  await post('/api/v1/meta', { ...record, size: -1 });
  await post('/api/v1/meta', { ...record, filenameEnc: filenameEnc.repeat(99) });
  await post('/api/v1/meta', record, clientWithoutSecret);
  const queries = [`&cursor=${filenameEnc}`, `&limit=${filenameEnc}`, `&x=${filenameEnc}`];
  for (const query of ['', ...queries]) statuses.add((await client.list('somebody', query)).status);
  for (const fileId of [String(id), filenameEnc]) statuses.add((await client.read(fileId)).status);
  for (const type of ['allOne', 'mostTwo', filenameEnc]) {
    await post('/api/v1/e/meta/sync', { user: 'somebody', type });
  }
  await post('/api/v1/e/meta/prefetch', { user: 'somebody', limit: 5 });
  statuses.add((await client.remove(String(id))).status);
  statuses.add((await client.remove(filenameEnc)).status);
  await post('/api/v1/meta', record);
  await post('/api/v1/e/meta/invalidate', { user: 'somebody', type: 'DEL' });
  return { statuses, keys: [dek, context], wrapped: [String(dekEnc), filenameEnc, unused] };
};

describe('Secrets of files', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  it('appear in no log line of any level, and data keys in no file on disk', async () => {
    const server = await start('metadata', folder(), {
      LOG_LEVEL: 'trace',
      META_AUTH: 'secret',
      METADATA_SECRET: SECRET,
    });
    const client = makeClient(server.metadataUrl, { 'x-internal-secret': SECRET });
    const { statuses, keys, wrapped } = await callAllRoutes(client, makeClient(server.metadataUrl));
    expect([...statuses].toSorted()).to.deep.equal([200, 400, 401, 404]);
    server.signal('SIGTERM');
    expect(await server.ended).to.include({ code: 0 });

    const output = server.stdout() + server.stderr();
    expect(server.logged().filter(({ event }) => event === 'request').length).to.be.greaterThan(25);
    for (const secret of [...keys, ...wrapped, SECRET]) {
      expect(output).not.to.include(secret);
      expect(output).not.to.include(secret.slice(0, 30));
    }
    expect(output).not.to.include('canary');

    const data = join(folder(), 'data');
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' })
      .map((name) => join(data, name))
      .filter((path) => statSync(path).isFile());
    expect(files.length).to.be.greaterThan(3);
    for (const path of files) {
      const bytes = readFileSync(path);
      for (const key of keys) expect(bytes.includes(key), path).to.equal(false);
      expect(bytes.includes(Buffer.from(keys[0] ?? '', 'hex')), path).to.equal(false);
    }
  });
});

describe('A metadata process with META_AUTH=none', () => {
  const { launch } = useServerProcesses();
  const folder = useTempFolder();

  it('does not start on an address that other machines can reach', async () => {
    const server = launch('metadata', folder(), { META_AUTH: 'none', HOST: '0.0.0.0' });
    expect(await server.ended).to.include({ code: 78 });
    expect(server.stderr()).to.match(/^META_AUTH must be secret/m);
  });
});
