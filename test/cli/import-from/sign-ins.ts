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

const OWN_HASH = /^\$scrypt\$ln=8,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/;

/**
 * Imports the users of an export, signs them in with their former password, and again after the hash was replaced by
 * one of Gatehouse. `importedHash` matches Ada's hash before.
 */
export const testSignIns = (
  storeName: string,
  name: string,
  importedHash: RegExp,
  settings: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
): void => {
  describe(`Users imported from ${name} into ${storeName}`, () => {
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

    const importUsers = async (dryRun: boolean) => {
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
    const readHash = async (): Promise<string> => {
      return String((await store.accounts.findByEmail('ada@example.com'))?.passwordHash);
    };

    it('are added once, and not by a dry run', async () => {
      expect(await importUsers(true)).to.include({ added: 2, skipped: 0, bad: 0 });
      expect(await importUsers(false)).to.include({ added: 2, skipped: 0, bad: 0 });
      expect(await importUsers(false)).to.include({ added: 0, skipped: 2, bad: 0 });
      expect(await readHash()).to.match(importedHash);
    });

    it('sign in with their former password', async () => {
      expect((await logIn('ada@example.com', 'another password')).status).to.equal(401);
      expect(await readHash()).to.match(importedHash);
      const { status, body } = await logIn('ada@example.com', PASSWORD);
      expect(status).to.equal(200);
      const me = await service.request('GET', '/api/auth/me', { token: String(body.token) });
      expect(me.body.user ?? me.body).to.deep.include({
        email: 'ada@example.com',
        displayName: 'Ada Lovelace',
      });
    });

    it('have a hash with the service’s own parameters after the sign-in, and sign in again', async () => {
      await until(async () => OWN_HASH.test(await readHash()));
      expect((await logIn('ada@example.com', PASSWORD)).status).to.equal(200);
      expect((await logIn('ada@example.com', 'another password')).status).to.equal(401);
    });

    it('stay banned or disabled, and cannot sign in', async () => {
      const bob = await service.composition.accounts.operate.showUser('bob@example.com');
      expect(bob.banned ?? bob.disabled).to.deep.include({ inForce: true });
      expect((await logIn('bob@example.com', PASSWORD)).status).to.equal(401);
    });
  });
};
