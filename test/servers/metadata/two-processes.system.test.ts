import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { documentsOf, runCommand } from '../../cli/run-command.ts';
import { inRounds } from '../../contracts/race.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { makeClient } from './client.ts';
import { seedFiles } from './seed.ts';

const password = 'correct horse battery';
/** More than one page of a deletion. */
const MANY = 1_200;

describe('The account and metadata services in two processes on one data folder', function () {
  this.timeout(600_000);
  const processes = useServerProcesses('suite');
  const folder = useTempFolder('suite');
  const settings = () => ({ DATA_DIR: folder(), LOG_LEVEL: 'warn' });
  const startBoth = () =>
    Promise.all([
      processes.start('accounts', folder(), settings()),
      processes.start('metadata', folder(), settings()),
    ]);
  let services: Awaited<ReturnType<typeof startBoth>>;
  before(async () => {
    services = await startBoth();
  });
  const clientOf = ({ metadataUrl }: RunningServer) => makeClient(metadataUrl);
  const post = (url: string, path: string, body: unknown, token = '') =>
    ask(url, 'POST', `/api/auth/${path}`, { body, ...(token !== '' && { token }) });
  /** A new email for each user, because the mail about a deletion may arrive at any time. */
  let email = '';
  let userCount = 0;
  const signUp = async ({ url }: RunningServer) => {
    userCount += 1;
    email = `someone${userCount}@example.com`;
    await post(url, 'register', { email, password });
    const code = await makeMailFolder(join(folder(), 'mail')).codeFor(email);
    const { body } = await post(url, 'verify-email', { email, password, code });
    return { id: String(body.user?.id), token: String(body.token) };
  };
  const run = (...args: readonly string[]) =>
    runCommand(folder(), [...args, '--json'], { env: { DATA_DIR: folder() } });

  it('have no file of an account after the response to its deletion, and refuse new files', async () => {
    const [accounts, metadata] = services;
    const client = clientOf(metadata);
    const user = await signUp(accounts);
    const ids = await client.createSome(user.id, 3);
    const others = await client.createSome('somebody else', 2);
    for (const id of [...ids, ...others]) await client.read(id);
    const synced = await client.post('/api/v1/e/meta/sync', { user: user.id, type: 'allOne' });
    expect(synced.body).to.include({ synced: 3 });

    const deletion = await post(accounts.url, 'delete-account', { password }, user.token);
    expect(deletion.status).to.equal(200);
    for (const id of ids) expect((await client.read(id)).status).to.equal(404);
    expect((await client.list(user.id)).body).to.deep.equal({ files: [] });
    const refused = [
      await client.create({ user: user.id }),
      await client.post('/api/v1/e/meta/sync', { user: user.id, type: 'allOne' }),
      await client.post('/api/v1/e/meta/prefetch', { user: user.id, limit: 1 }),
      await client.post('/api/v1/e/meta/invalidate', { user: user.id, type: 'OUT' }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error]).to.deep.equal([404, 'user_not_found']);
    }
    for (const id of others) expect((await client.read(id)).status).to.equal(200);
  });

  it('keep no file of a deleted account, even if files are created during the deletion', () =>
    inRounds(async () => {
      const [accounts, metadata] = services;
      const client = clientOf(metadata);
      const { id: user, token } = await signUp(accounts);
      let deleted = false;
      const statuses: number[] = [];
      const uploading = Array.from({ length: 6 }, async () => {
        do statuses.push((await client.create({ user })).status);
        while (!deleted);
      });
      await until(() => statuses.length > 20);
      expect((await post(accounts.url, 'delete-account', { password }, token)).status).to.equal(200);
      deleted = true;
      await Promise.all(uploading);
      expect(statuses).to.include(200);
      expect((await client.list(user)).body).to.deep.equal({ files: [] });
    }));

  it('export the files of a user, and count the files in the receipt of the deletion', async () => {
    const [accounts, metadata] = services;
    const client = clientOf(metadata);
    const user = await signUp(accounts);
    await client.createSome(user.id, 3);
    const { body } = await client.list(user.id);
    const [exported] = documentsOf(await run('users', 'export', email));
    expect(exported?.files).to.deep.equal(body.files);
    expect(JSON.stringify(exported)).not.to.include('dekEnc');

    const [receipt] = documentsOf(await run('users', 'delete', email, '--yes'));
    expect(receipt?.removed).to.deep.include({ what: 'file records', where: 'files and cache', count: 3 });
    expect(receipt?.outstanding).to.deep.equal([]);
    expect((await client.list(user.id)).body).to.deep.equal({ files: [] });
  });

  // The lease of a killed process expires after six seconds, in each round.
  it('delete the files in the next process if the process that deletes the account is killed', () =>
    inRounds(async () => {
      const [first, metadata] = services;
      const client = clientOf(metadata);
      const { id: user, token } = await signUp(first);
      await seedFiles(folder(), user, MANY);
      await client.post('/api/v1/e/meta/sync', { user, type: 'allOne' });
      const [some = ''] = ((await client.list(user)).body.files as unknown as { id: string }[]).map(
        ({ id }) => id,
      );

      const answer = post(first.url, 'delete-account', { password }, token).then(
        ({ status }) => status,
        () => undefined,
      );
      await pause(randomInt(60));
      first.signal('SIGKILL');
      await first.ended;
      const second = await processes.start('accounts', folder(), settings());
      services = [second, metadata];
      const login = await post(second.url, 'login', { email, password });
      if (login.status === 200) {
        expect(await answer).to.equal(undefined, 'an acknowledged deletion is permanent');
        expect(((await client.list(user)).body.files as unknown as object[]).length).to.equal(MANY);
        await post(second.url, 'delete-account', { password }, String(login.body.token));
      }
      await until(async () => (await client.list(user)).body.files?.length === (0 as unknown));
      expect((await client.read(some)).status).to.equal(404);
      expect((await client.create({ user })).status).to.equal(404);
    }));
});
