import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { type Client, makeClient } from './client.ts';

const SECRET = 'Vq3t-canary-of-the-metadata-secret-0123';
const newKey = () => randomBytes(32).toString('hex');

/** Goes through everything the service does, right and wrong; gives what was secret, in the clear and wrapped. */
const useEverything = async (client: Client, stranger: Client) => {
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
  await post('/api/v1/dek/wrap', { dek }, stranger);
  await post('/api/v1/dek/unwrap', { dekEnc, context });
  await post('/api/v1/dek/unwrap', { dekEnc, context: 'another' });
  await post('/api/v1/dek/unwrap', { dekEnc: `${dekEnc}x`, context });
  await post('/api/v1/dek/wrap/batch', { items: [{ dek, context }, { dek: `${dek}x` }, dek] });
  await post('/api/v1/dek/unwrap/batch', { items: [{ dekEnc, context }, { dekEnc: unused }] });

  const record = { filenameEnc, size: 1, user: 'somebody', mimeType: 'image/png', dekEnc, thumb: true };
  const { id } = await post('/api/v1/meta', record);
  await post('/api/v1/meta', { ...record, size: -1 });
  await post('/api/v1/meta', { ...record, filenameEnc: filenameEnc.repeat(99) });
  await post('/api/v1/meta', record, stranger);
  const queries = [`&cursor=${filenameEnc}`, `&limit=${filenameEnc}`, `&x=${filenameEnc}`];
  for (const query of ['', ...queries]) statuses.add((await client.list('somebody', query)).status);
  for (const one of [String(id), filenameEnc]) statuses.add((await client.read(one)).status);
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

  it('are in no log line of any level, and data keys nowhere on the disk', async () => {
    const server = await start('metadata', folder(), {
      LOG_LEVEL: 'trace',
      META_AUTH: 'secret',
      METADATA_SECRET: SECRET,
    });
    const client = makeClient(server.metadataUrl, { 'x-internal-secret': SECRET });
    const { statuses, keys, wrapped } = await useEverything(client, makeClient(server.metadataUrl));
    expect([...statuses].toSorted()).to.deep.equal([200, 400, 401, 404]);
    server.signal('SIGTERM');
    expect(await server.ended).to.include({ code: 0 });

    const said = server.stdout() + server.stderr();
    expect(server.logged().filter(({ event }) => event === 'request').length).to.be.greaterThan(25);
    for (const secret of [...keys, ...wrapped, SECRET]) {
      expect(said).not.to.include(secret);
      expect(said).not.to.include(secret.slice(0, 30));
    }
    expect(said).not.to.include('canary');

    const data = join(folder(), 'data');
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' })
      .map((name) => join(data, name))
      .filter((path) => statSync(path).isFile());
    expect(files.length).to.be.greaterThan(3);
    for (const path of files) {
      const held = readFileSync(path);
      for (const key of keys) expect(held.includes(key), path).to.equal(false);
      expect(held.includes(Buffer.from(keys[0] ?? '', 'hex')), path).to.equal(false);
    }
  });
});

describe('A metadata process that is to ask for no secret', () => {
  const { launch } = useServerProcesses();
  const folder = useTempFolder();

  it('does not start where others could reach it', async () => {
    const server = launch('metadata', folder(), { META_AUTH: 'none', HOST: '0.0.0.0' });
    expect(await server.ended).to.include({ code: 78 });
    expect(server.stderr()).to.match(/^META_AUTH must be secret/m);
  });
});
