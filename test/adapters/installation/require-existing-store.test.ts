import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { compose, makeKeyFile } from '../../../adapters/compose.ts';
import { ConfigError, readConfig } from '../../../adapters/config.ts';
import { NoStoreHere, requireKeys, requireStore } from '../../../adapters/installation.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('A command that works on the store', () => {
  const folder = useTempFolder();
  const config = () => readConfig({}, folder());
  const dataDir = () => config().dataDir;

  it('is refused with the data folder if no store exists', () => {
    expect(() => requireStore(config())).to.throw(NoStoreHere, dataDir());
    mkdirSync(dataDir());
    expect(() => requireStore(config())).to.throw(NoStoreHere, dataDir());
  });

  it('is refused if DATA_DIR is a file or below a file', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    for (const DATA_DIR of [file, join(file, 'below')])
      expect(() => requireStore(readConfig({ DATA_DIR }, folder()))).to.throw(NoStoreHere, DATA_DIR);
  });

  it('is refused on a store of another system user', () => {
    mkdirSync(dataDir());
    const ownUid = process.getuid?.() ?? 0;
    writeFileSync(join(dataDir(), 'gatehouse.db'), '');
    expect(() => requireStore(config(), ownUid)).not.to.throw();
    expect(() => requireStore(config(), ownUid + 1)).to.throw(NoStoreHere, `system user ${ownUid}`);
  });

  it('is accepted on a remote store, whoever owns the data folder', () => {
    mkdirSync(dataDir());
    const remote = readConfig({ POSTGRES_URL: 'postgres://127.0.0.1/gatehouse' }, folder());
    expect(() => requireStore(remote, (process.getuid?.() ?? 0) + 1)).not.to.throw();
  });
});

describe('A store with missing key files', () => {
  const folder = useTempFolder();
  const config = (settings: Readonly<Record<string, string>> = {}) =>
    readConfig({ LOG_LEVEL: 'silent', ...settings }, folder());
  const keys = () => join(config().dataDir, 'keys');
  const start = async (settings?: Readonly<Record<string, string>>) => {
    const composition = await compose(config(settings));
    await composition.close();
  };

  const KEY_FILES = {
    'hash-key': { setting: 'HASH_KEY', kind: 'hash' },
    'signing.json': { setting: 'SIGNING_KEYS_FILE', kind: 'signing' },
    'master.json': { setting: 'MASTER_KEYS_FILE', kind: 'master' },
  } as const;

  for (const [file, { setting, kind }] of Object.entries(KEY_FILES)) {
    it(`receives no new ${file}, and a start and a command are refused with setting and file`, async () => {
      await start();
      const before = readFileSync(join(keys(), file), 'utf8');
      renameSync(join(keys(), file), join(folder(), 'kept'));
      for (const call of [() => start(), async () => requireKeys(config(), true)]) {
        const refusal = await rejectionOf(call);
        expect(refusal).to.be.instanceOf(ConfigError);
        const { lines } = refusal as ConfigError;
        expect(lines).to.have.length(1);
        expect(lines[0]).to.match(new RegExp(`^${setting}: `));
        expect(lines[0]).to.include(`keys init --kind ${kind} ${join(keys(), file)} (`);
        expect(existsSync(join(keys(), file))).to.equal(false);
      }
      renameSync(join(folder(), 'kept'), join(keys(), file));
      await start();
      expect(readFileSync(join(keys(), file), 'utf8')).to.equal(before);
    });

    it(`can be used again with a new ${file} that makeKeyFile created`, async () => {
      await start();
      rmSync(join(keys(), file));
      expect(await makeKeyFile(kind, join(keys(), file))).to.equal(true);
      await start();
    });
  }

  it('has all missing files reported at once', async () => {
    await start();
    rmSync(keys(), { recursive: true });
    const refusal = (await rejectionOf(() => start())) as ConfigError;
    expect(refusal.lines.map((line) => line.split(':')[0])).to.deep.equal([
      'HASH_KEY',
      'SIGNING_KEYS_FILE',
      'MASTER_KEYS_FILE',
    ]);
    expect(existsSync(keys())).to.equal(false);
  });

  it('needs no key file in the data folder if the settings name another', async () => {
    await start();
    for (const [file, { setting }] of Object.entries(KEY_FILES)) {
      renameSync(join(keys(), file), join(folder(), file));
      const settings =
        setting === 'HASH_KEY'
          ? { HASH_KEY_FILE: join(folder(), file) }
          : { [setting]: join(folder(), file) };
      await start(settings);
      expect(existsSync(join(keys(), file)), file).to.equal(false);
      renameSync(join(folder(), file), join(keys(), file));
    }
  });

  it('receives a new internal secret', async () => {
    await start();
    const file = join(config().dataDir, 'internal-secret');
    const before = readFileSync(file, 'utf8');
    rmSync(file);
    await start();
    expect(readFileSync(file, 'utf8')).not.to.equal(before);
  });

  it('is not assumed after a first start that died before it created the database', async () => {
    await start();
    const { dataDir } = config();
    for (const name of readdirSync(dataDir)) if (name.startsWith('gatehouse.db')) rmSync(join(dataDir, name));
    rmSync(join(keys(), 'master.json'));
    await start();
    expect(existsSync(join(keys(), 'master.json'))).to.equal(true);
  });

  it('is not assumed by any of several concurrent first starts', async () => {
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => start()));
    expect(starts.filter(({ status }) => status === 'rejected')).to.deep.equal([]);
  });
});

describe('A secret file without a valid secret', () => {
  const folder = useTempFolder();
  const start = async () => {
    const composition = await compose(readConfig({ LOG_LEVEL: 'silent' }, folder()));
    await composition.close();
  };

  for (const [file, setting] of [
    ['internal-secret', 'INTERNAL_SECRET'],
    ['keys/hash-key', 'HASH_KEY'],
    ['keys/webhook-secret', 'WEBHOOK_SECRETS'],
  ] as const) {
    for (const [name, text] of [
      ['empty', ''],
      ['a line break', '\n'],
      ['too short', 'abc\n'],
      ['a repeated pattern', `${'ab'.repeat(32)}\n`],
      ['a secret and an empty one', 'Zk3-vR8_pQ2xT7mN5bW9cY4dF6gH1jL0,\n'],
    ] as const) {
      it(`stops the start with ${setting} and the path, but not the text: ${name}`, async () => {
        await start();
        const path = join(readConfig({}, folder()).dataDir, file);
        writeFileSync(path, text);
        const refusal = await rejectionOf(start);
        expect(refusal).to.be.instanceOf(ConfigError);
        const { lines } = refusal as ConfigError;
        expect(lines).to.have.length(1);
        expect(lines[0])
          .to.match(new RegExp(`^${setting}: `))
          .and.to.include(path);
        if (text.trim() !== '') expect(lines[0]).not.to.include(text.trim());
        expect(readFileSync(path, 'utf8')).to.equal(text);
      });
    }
  }

  for (const [file, setting, most] of [
    ['internal-secret', 'INTERNAL_SECRET', 2],
    ['keys/hash-key', 'HASH_KEY', 2],
    ['keys/webhook-secret', 'WEBHOOK_SECRETS', 10],
  ] as const)
    it(`may contain up to ${most} secrets, as ${setting}`, async () => {
      const secrets = Array.from(
        { length: most + 1 },
        (_, place) => `Zk3-vR8_pQ2xT7mN5bW9cY4dF6gH1jL${place}`,
      );
      const path = join(readConfig({}, folder()).dataDir, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, secrets.join(','), { mode: 0o600 });
      expect(await rejectionOf(start))
        .to.be.instanceOf(ConfigError)
        .with.property('lines')
        .that.deep.equals([
          `${setting}: ${path} must hold 1 to ${most} secrets of at least ${file === 'keys/webhook-secret' ? 24 : 32} bytes`,
        ]);
      expect(() => readConfig({ [setting]: secrets.join(',') }, folder())).to.throw(ConfigError);
      writeFileSync(path, secrets.slice(1).join(','));
      await start();
      expect(() => readConfig({ [setting]: secrets.slice(1).join(',') }, folder())).not.to.throw();
    });
});
