import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError, readConfig } from '../../../adapters/config.ts';
import { makeTarWriter, readTar } from '../../../adapters/files/tar.ts';
import { backupStore, migrateStore, NoStoreHere, restoreStore } from '../../../adapters/installation.ts';
import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import { makeSqlCacheGeneration } from '../../../adapters/sql/cache-generation.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { StoreUnusable } from '../../../adapters/store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { sampleAccount } from '../../contracts/samples.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

describe('A backup of the embedded store', () => {
  const folder = useTempFolder();
  const configOf = (name: string) => readConfig({ DATA_DIR: name }, folder());
  const here = () => configOf('data');
  const there = () => configOf('there');
  const file = () => join(folder(), 'backup.tar');

  const OBJECT = 'objects/0199a0a0-0000-7000-8000-000000000000/avatar_1.png';
  const withStore = async <T>(
    dataDir: string,
    use: (store: ReturnType<typeof makeSqlAccountStore>) => Promise<T>,
  ) => {
    const database = openDatabase({ folder: dataDir });
    try {
      return await use(makeSqlAccountStore(database));
    } finally {
      await database.close();
    }
  };
  const putFile = (name: string, text: string) => {
    const path = join(here().dataDir, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  };

  beforeEach(async () => {
    await withStore(here().dataDir, (store) => store.add(sampleAccount('a')));
    putFile(OBJECT, 'a picture');
    putFile(`${OBJECT}.0123456789ab.tmp`, 'a draft');
    putFile('keys/hash-key', 'secret');
    putFile('mail/1.eml', 'mail');
  });

  it('is one archive of store and objects for its owner alone, without keys and mail, which it names', async () => {
    const report = await backupStore(here(), file());
    expect(report).to.deep.include({ file: file(), objects: 1 });
    expect(report.bytes).to.equal(statSync(file()).size);
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(report.leftOut.keyFiles).to.include(join(here().dataDir, 'keys/hash-key'));
    expect(report.leftOut.mail).to.equal(join(here().dataDir, 'mail'));
    const names = spawnSync('tar', ['tf', file()], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(names).to.deep.equal(['BACKUP.json', OBJECT, 'gatehouse.db', 'SHA256SUMS']);
    expect(readdirSync(folder()).sort()).to.deep.equal(['backup.tar', 'data']);
  });

  it('names the files of all secrets that the settings name, and those given as values', async () => {
    const values = {
      HASH_KEY: 'Zk3-vR8_pQ2xT7mN5bW9cY4dF6gH1jL0',
      INTERNAL_SECRET: 'qW7-eR2_tY5uI8oP1aS4dF6gH9jK0lZ3',
      METADATA_SECRET: 'mN4-bV7_cX1zL9kJ2hG5fD8sA3pO6iU0',
      SMTP_URL: 'smtps://user:word@smtp.example.com',
      REDIS_URL: 'redis://127.0.0.1:6379/0',
    };
    const byFile = ['HASH_KEY', 'METADATA_SECRET', 'SMTP_URL'] as const;
    for (const name of byFile) writeFileSync(join(folder(), name), values[name]);
    const { INTERNAL_SECRET, REDIS_URL } = values;
    const files = Object.fromEntries(byFile.map((name) => [`${name}_FILE`, name]));
    const settings = { DATA_DIR: 'data', MAIL_FROM: 'a@b.dev', INTERNAL_SECRET, REDIS_URL, ...files };
    const { leftOut } = await backupStore(readConfig(settings, folder()), file());
    const keyFiles = ['signing.json', 'master.json', 'webhook-secret'].map((name) => `data/keys/${name}`);
    expect(leftOut.keyFiles).to.have.members([...keyFiles, ...byFile].map((name) => join(folder(), name)));
    expect(leftOut.secretSettings).to.have.members(['REDIS_URL', 'INTERNAL_SECRET']);
    expect(leftOut.mail).to.equal(null);
    expect(JSON.stringify(leftOut)).not.to.include(INTERNAL_SECRET);
  });

  it('is refused where the store is on MongoDB or PostgreSQL, as is a restoration, and neither leaves anything', async () => {
    await backupStore(here(), file());
    for (const [setting, scheme] of [
      ['MONGODB_URL', 'mongodb'],
      ['POSTGRES_URL', 'postgres'],
    ] as const) {
      const settings = { DATA_DIR: 'elsewhere', [setting]: `${scheme}://127.0.0.1:9/gatehouse` };
      const config = readConfig(settings, folder());
      for (const work of [
        () => backupStore(config, join(folder(), 'other.tar')),
        () => restoreStore(config, file()),
      ]) {
        const refusal = await rejectionOf(work);
        expect(refusal).to.be.instanceOf(NoStoreHere);
        expect(String(refusal)).to.include(setting).and.to.include('store export');
      }
    }
    expect(readdirSync(folder()).sort()).to.deep.equal(['backup.tar', 'data']);
  });

  it('makes what was cached since a miss where it is put back, since the store knows nothing of it', async () => {
    const epochIn = async (dataDir: string) => {
      const database = openDatabase({ folder: dataDir });
      try {
        return await makeSqlCacheGeneration(database).read();
      } finally {
        await database.close();
      }
    };
    await backupStore(here(), file());
    await restoreStore(there(), file());
    expect(await epochIn(there().dataDir)).to.be.greaterThan(await epochIn(here().dataDir));
  });

  it('can be unpacked and checked with the system’s own tools', async () => {
    await backupStore(here(), file());
    expect(spawnSync('tar', ['xf', file()], { cwd: folder() }).status).to.equal(0);
    expect(spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder() }).status).to.equal(0);
  });

  it('is refused for a store that cannot be opened, and says what to look at', async () => {
    const store = join(here().dataDir, 'gatehouse.db');
    const disk = `opening it failed (SQLITE_CANTOPEN): the disk of ${store} may be full or read-only`;
    const damage = 'gatehouse.db is damaged or no database (SQLITE_NOTADB): restore a backup';
    const refusals = async (reason: string) => {
      for (const call of [() => backupStore(here(), file()), () => migrateStore(here())]) {
        const failure = await rejectionOf(call);
        expect(failure).to.be.instanceOf(StoreUnusable);
        expect(failure).to.have.property('message', `The store cannot be used: ${reason}.`);
      }
    };
    for (const suffix of ['', '-wal', '-shm']) rmSync(store + suffix, { force: true });
    mkdirSync(store);
    await refusals(disk);
    rmdirSync(store);
    writeFileSync(store, 'something else entirely '.repeat(100));
    await refusals(damage);
  });

  it('is put in place in an empty folder', async () => {
    await backupStore(here(), file());
    const report = await restoreStore(there(), file());
    expect(report).to.deep.include({ dataDir: there().dataDir, objects: 1 });
    expect(report.leftOut.keyFiles).to.include(join(there().dataDir, 'keys/hash-key'));
    expect(readFileSync(join(there().dataDir, OBJECT), 'utf8')).to.equal('a picture');
    expect(statSync(there().dataDir).mode & 0o777).to.equal(0o700);
    expect(statSync(join(there().dataDir, 'gatehouse.db')).mode & 0o777).to.equal(0o600);
    expect(readdirSync(there().dataDir).sort()).to.deep.equal(['gatehouse.db', 'objects']);
    const account = await withStore(there().dataDir, (store) => store.find('a'));
    expect(account).to.deep.equal(sampleAccount('a'));
  });

  it('is a store as it was at one moment, while others write', async () => {
    let writing = true;
    const written = withStore(here().dataDir, async (store) => {
      let count = 0;
      for (; writing; count += 1) {
        // Two that belong together by order: the second never without the first.
        await store.add(sampleAccount(`w${count}`));
      }
      return count;
    });
    await backupStore(here(), file());
    writing = false;
    const count = await written;
    await restoreStore(there(), file());
    const there_ = await withStore(there().dataDir, async (store) => {
      const records = await Promise.all(Array.from({ length: count }, (_, place) => store.find(`w${place}`)));
      return records.map((account) => account !== undefined);
    });
    expect(there_, 'all up to a moment, none after it').to.deep.equal(
      there_.toSorted((a, b) => Number(b) - Number(a)),
    );
  });

  it('never replaces a file', async () => {
    writeFileSync(file(), 'mine');
    expect(await rejectionOf(() => backupStore(here(), file()))).to.have.property('name', 'FileExists');
    expect(readFileSync(file(), 'utf8')).to.equal('mine');
  });

  it('is restored into no folder that holds anything', async () => {
    await backupStore(here(), file());
    mkdirSync(there().dataDir);
    writeFileSync(join(there().dataDir, 'x'), 'mine');
    expect(await rejectionOf(() => restoreStore(there(), file()))).to.have.property('name', 'FolderNotEmpty');
    expect(readdirSync(there().dataDir)).to.deep.equal(['x']);
  });

  const broken = {
    'is cut off': (bytes: Buffer) => bytes.subarray(0, bytes.length - 2_048),
    'has a byte changed in the store': (bytes: Buffer) => {
      const at = bytes.indexOf('SQLite format 3') + 3_000;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    },
    'has a byte changed in an object': (bytes: Buffer) => {
      bytes.write('b', bytes.indexOf('a picture'));
      return bytes;
    },
    'is something else': () => Buffer.alloc(4_096, 'x'),
  };
  for (const [what, spoil] of Object.entries(broken)) {
    it(`is refused, and leaves nothing behind, when it ${what}`, async () => {
      await backupStore(here(), file());
      writeFileSync(file(), spoil(readFileSync(file())));
      const refusal = await rejectionOf(() => restoreStore(there(), file()));
      expect(refusal).to.have.property('name', 'BrokenArchive');
      expect(existsSync(there().dataDir) ? readdirSync(there().dataDir) : []).to.deep.equal([]);
    });
  }

  /** The archive's members, written anew as `change` orders or replaces them. */
  const repack = async (change: (members: ReadonlyMap<string, Buffer>) => Iterable<[string, Buffer]>) => {
    await backupStore(here(), file());
    const members = new Map<string, Buffer>();
    for await (const { name, content } of readTar(file())) {
      const parts: Uint8Array[] = [];
      for await (const part of content) parts.push(part);
      members.set(name, Buffer.concat(parts));
    }
    const archive = await open(file(), 'w');
    const tar = makeTarWriter(archive);
    for (const [name, bytes] of change(members)) await tar.add(name, bytes.length, [bytes]);
    await tar.end();
    await archive.close();
  };

  it('is restored into no place that cannot be a folder, and the setting is named', async () => {
    await backupStore(here(), file());
    for (const place of ['backup.tar', 'backup.tar/below']) {
      const failure = await rejectionOf(() => restoreStore(configOf(place), file()));
      expect(failure).to.be.instanceOf(ConfigError);
      expect(failure).to.have.property('message', 'DATA_DIR: must be a folder that can be written');
    }
  });

  it('is restored whatever the order of its files', async () => {
    await repack((members) => [...members].reverse());
    expect(await restoreStore(there(), file())).to.include({ objects: 1 });
    expect(readFileSync(join(there().dataDir, OBJECT), 'utf8')).to.equal('a picture');
  });

  const incomplete: Record<string, (members: ReadonlyMap<string, Buffer>) => Iterable<[string, Buffer]>> = {
    'an object': (members) => [...members].filter(([name]) => name !== OBJECT),
    'the store': (members) => [...members].filter(([name]) => name !== 'gatehouse.db'),
    'its checksums': (members) => [...members].filter(([name]) => name !== 'SHA256SUMS'),
    'a checksum': (members) => {
      const lines = String(members.get('SHA256SUMS')).split('\n');
      const list = Buffer.from(lines.filter((line) => !line.includes(OBJECT)).join('\n'));
      return new Map(members).set('SHA256SUMS', list);
    },
    'line breaks in its checksums': (members) =>
      new Map(members).set('SHA256SUMS', Buffer.alloc(2 ** 20, 'x')),
  };
  for (const [what, change] of Object.entries(incomplete)) {
    it(`is refused, and leaves nothing behind, when it lacks ${what}`, async () => {
      await repack(change);
      expect(await rejectionOf(() => restoreStore(there(), file()))).to.have.property(
        'name',
        'BrokenArchive',
      );
      expect(readdirSync(there().dataDir)).to.deep.equal([]);
    });
  }

  for (const name of ['gatehouse.db', 'SHA256SUMS', OBJECT]) {
    it(`is refused, and leaves nothing behind, when it has ${name} twice`, async () => {
      await repack((members) => [...members, [name, members.get(name) ?? Buffer.alloc(0)]]);
      const refusal = await rejectionOf(() => restoreStore(there(), file()));
      expect(refusal).to.have.property('name', 'BrokenArchive');
      expect(readdirSync(there().dataDir)).to.deep.equal([]);
    });
  }

  it('is refused when it would write beside the folder', async () => {
    const evil = join(folder(), 'evil.tar');
    writeFileSync(join(folder(), 'outside'), 'x');
    mkdirSync(join(folder(), 'in'));
    spawnSync('tar', ['cPf', evil, '--format=ustar', '../outside'], { cwd: join(folder(), 'in') });
    const refusal = await rejectionOf(() => restoreStore(there(), evil));
    expect(refusal).to.have.property('name', 'BrokenArchive');
  });

  it('leaves nothing behind on a disk that is too small for it, and says so in one line', async () => {
    putFile(OBJECT, 'a picture'.repeat(2_000_000));
    await backupStore(here(), file());
    const restore = [join(root, 'dist/cli/main-joined.js'), 'store', 'restore', file()];
    // In blocks of 512 or of 1024 bytes: less than the object needs.
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 2000; "$0" "$@"', process.execPath, ...restore],
      {
        cwd: folder(),
        env: { PATH: process.env.PATH, DATA_DIR: 'there' },
        encoding: 'utf8',
      },
    );
    expect([status, stderr]).to.deep.equal([1, 'EFBIG: file too large, write\n']);
    expect(readdirSync(there().dataDir)).to.deep.equal([]);
  });
});
