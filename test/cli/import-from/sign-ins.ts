import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { compositionSettings } from '../../support/composition.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { openStorePorts } from '../../support/store-ports.ts';
import { until } from '../../support/until.ts';
import { openSample } from './read-export.ts';
import { EXPORTS, PASSWORD } from './samples.ts';

const OURS = /^\$scrypt\$ln=8,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/;

/**
 * The people of an export come, log in with the password that they had, and once more with the hash that is ours then.
 * `form` is that of Ada's hash before.
 */
export const testLogIns = (
  storeName: string,
  name: string,
  form: RegExp,
  settings: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
): void => {
  describe(`Users of ${name}, on ${storeName}`, () => {
    let folder: string;
    let service: TestService;
    let store: ReturnType<typeof openStorePorts>;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'gatehouse-coming-'));
      const config = await settings();
      service = await openTestService(config, folder);
      store = openStorePorts(folder, { ...compositionSettings(folder), ...config });
    });
    after(async () => {
      await store.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const take = async (dryRun: boolean) => {
      const source = await openSample(folder, name, EXPORTS[name] ?? '');
      const bad: unknown[] = [];
      const options = {
        dryRun,
        onBad: (...args: unknown[]) => bad.push(args),
        onProgress: () => undefined,
      };
      const { operate } = service.composition.accounts;
      const counts = await operate.importUsers(
        source.lines(() => undefined),
        options,
        { actor: 'test' },
      );
      source.close();
      expect(bad).to.deep.equal([]);
      return counts;
    };
    const logIn = (email: string, password: string) => service.post('/api/auth/login', { email, password });
    const hashNow = async (): Promise<string> => {
      return String((await store.accounts.findByEmail('ada@example.com'))?.passwordHash);
    };

    it('come once, after a dry run that adds nobody', async () => {
      expect(await take(true)).to.include({ added: 2, skipped: 0, bad: 0 });
      expect(await take(false)).to.include({ added: 2, skipped: 0, bad: 0 });
      expect(await take(false)).to.include({ added: 0, skipped: 2, bad: 0 });
      expect(await hashNow()).to.match(form);
    });

    it('log in with the password that they have', async () => {
      expect((await logIn('ada@example.com', 'another password')).status).to.equal(401);
      expect(await hashNow()).to.match(form);
      const { status, body } = await logIn('ada@example.com', PASSWORD);
      expect(status).to.equal(200);
      const me = await service.request('GET', '/api/auth/me', { token: String(body.token) });
      expect(me.body.user ?? me.body).to.deep.include({
        email: 'ada@example.com',
        displayName: 'Ada Lovelace',
      });
    });

    it('have a hash of ours from then on, and log in again', async () => {
      await until(async () => OURS.test(await hashNow()));
      expect((await logIn('ada@example.com', PASSWORD)).status).to.equal(200);
      expect((await logIn('ada@example.com', 'another password')).status).to.equal(401);
    });

    it('are shut out here where they were shut out there', async () => {
      const bob = await service.composition.accounts.operate.showUser('bob@example.com');
      expect(bob.banned ?? bob.disabled).to.deep.include({ inForce: true });
      expect((await logIn('bob@example.com', PASSWORD)).status).to.equal(401);
    });
  });
};
