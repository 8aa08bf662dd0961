import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { inRounds } from '../../contracts/race.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { openStores } from './stores.ts';

const email = 'someone@example.com';
const password = 'correct horse battery';

describe('A second process on the same data folder', () => {
  const processes = useServerProcesses();
  const folder = useTempFolder();
  const start = () =>
    processes.start('accounts', folder(), {
      DATA_DIR: folder(),
      LOG_LEVEL: 'warn',
    });
  const post = (url: string, path: string, body: unknown, token?: string) =>
    ask(url, 'POST', path, { body, ...(token === undefined ? {} : { token }) });
  const signUp = async (url: string): Promise<string> => {
    const mails = makeMailFolder(join(folder(), 'mail'));
    const mailCount = mails.mailsTo(email).length;
    await post(url, '/api/auth/register', { email, password });
    await until(() => mails.mailsTo(email).length > mailCount);
    const code = await mails.codeFor(email);
    const { status, body } = await post(url, '/api/auth/verify-email', { email, code, password });
    expect(status).to.equal(200);
    return String(body.token);
  };

  it('refuses the tokens of a session within a second after its end in the first', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const token = await signUp(first.url);
    const statusAtSecond = async () => (await ask(second.url, 'GET', '/api/auth/me', { token })).status;
    expect(await statusAtSecond()).to.equal(200);

    await post(first.url, '/api/auth/logout', undefined, token);
    await until(async () => (await statusAtSecond()) === 401);
  });

  // Each round waits six seconds, until the lease of the killed process expires.
  it('completes the deletion of an account if the first was killed, or finds it unchanged', () =>
    inRounds(async () => {
      const first = await start();
      const token = await signUp(first.url);
      const answer = post(first.url, '/api/auth/delete-account', { password }, token).then(
        ({ status }) => status,
        () => undefined,
      );
      await pause(randomInt(30));
      first.signal('SIGKILL');
      await first.ended;

      const second = await start();
      const stores = openStores(folder());
      const account = await stores.accounts.findByEmail(email);
      if (account !== undefined) {
        expect(await answer).to.equal(undefined, 'a confirmed deletion is final');
        const login = await post(second.url, '/api/auth/login', { email, password });
        expect(login.status).to.equal(200);
        const body = { password };
        const deletion = await post(second.url, '/api/auth/delete-account', body, String(login.body.token));
        expect(deletion.status).to.equal(200);
      }
      await stores.settled();
      expect(await stores.outbox.listFor(email)).to.deep.equal([]);
      expect((await post(second.url, '/api/auth/login', { email, password })).status).to.equal(401);
      const mails = makeMailFolder(join(folder(), 'mail')).mailsTo(email);
      expect(mails.at(-1)?.headers.subject).to.equal('Your Gatehouse account was deleted');
      await stores.close();
      second.signal('SIGTERM');
      await second.ended;
    })).timeout(600_000);
});
