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
  const source = () => configOf('data');
  const target = () => configOf('there');
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
    const path = join(source().dataDir, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  };

  beforeEach(async () => {
    await withStore(source().dataDir, (store) => store.add(sampleAccount('a')));
    putFile(OBJECT, 'a picture');
    putFile(`${OBJECT}.0123456789ab.tmp`, 'a draft');
    putFile('keys/hash-key', 'secret');
    putFile('mail/1.eml', 'mail');
  });

  it('is an archive of store and objects for its owner only, without keys and mail', async () => {
    const report = await backupStore(source(), file());
    expect(report).to.deep.include({ file: file(), objects: 1 });
    expect(report.bytes).to.equal(statSync(file()).size);
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(report.leftOut.keyFiles).to.include(join(source().dataDir, 'keys/hash-key'));
    expect(report.leftOut.mail).to.equal(join(source().dataDir, 'mail'));
    expect(report.leftOut.sandbox).to.equal(join(source().dataDir, 'sandbox-billing'));
    const names = spawnSync('tar', ['tf', file()], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(names).to.deep.equal(['BACKUP.json', OBJECT, 'gatehouse.db', 'SHA256SUMS']);
    expect(readdirSync(folder()).sort()).to.deep.equal(['backup.tar', 'data']);
  });

  it('reports the files of all secrets, and the settings that contain secrets', async () => {
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

  it('is refused on MongoDB and PostgreSQL, as is a restore, and leaves no files', async () => {
    await backupStore(source(), file());
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

  it('has a higher cache generation after a restore', async () => {
    const generationIn = async (dataDir: string) => {
      const database = openDatabase({ folder: dataDir });
      try {
        return await makeSqlCacheGeneration(database).read();
      } finally {
        await database.close();
      }
    };
    await backupStore(source(), file());
    await restoreStore(target(), file());
    expect(await generationIn(target().dataDir)).to.be.greaterThan(await generationIn(source().dataDir));
  });

  it('can be unpacked and verified with tar and sha256sum', async () => {
    await backupStore(source(), file());
    expect(spawnSync('tar', ['xf', file()], { cwd: folder() }).status).to.equal(0);
    expect(spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder() }).status).to.equal(0);
  });

  it('is refused with the cause if the store cannot be opened', async () => {
    const store = join(source().dataDir, 'gatehouse.db');
    const disk = `opening it failed (SQLITE_CANTOPEN): the disk of ${store} may be full or read-only`;
    const damage = 'gatehouse.db is damaged or no database (SQLITE_NOTADB): restore a backup';
    const refusals = async (reason: string) => {
      for (const call of [() => backupStore(source(), file()), () => migrateStore(source())]) {
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

  it('can be restored into an empty folder', async () => {
    await backupStore(source(), file());
    const report = await restoreStore(target(), file());
    expect(report).to.deep.include({ dataDir: target().dataDir, objects: 1 });
    expect(report.leftOut.keyFiles).to.include(join(target().dataDir, 'keys/hash-key'));
    expect(readFileSync(join(target().dataDir, OBJECT), 'utf8')).to.equal('a picture');
    expect(statSync(target().dataDir).mode & 0o777).to.equal(0o700);
    expect(statSync(join(target().dataDir, 'gatehouse.db')).mode & 0o777).to.equal(0o600);
    expect(readdirSync(target().dataDir).sort()).to.deep.equal(['gatehouse.db', 'objects']);
    const account = await withStore(target().dataDir, (store) => store.find('a'));
    expect(account).to.deep.equal(sampleAccount('a'));
  });

  it('is a consistent snapshot during concurrent writes', async () => {
    let writing = true;
    const written = withStore(source().dataDir, async (store) => {
      let count = 0;
      for (; writing; count += 1) {
        // The writes are ordered: a snapshot must not contain an account without all earlier ones.
        await store.add(sampleAccount(`w${count}`));
      }
      return count;
    });
    await backupStore(source(), file());
    writing = false;
    const count = await written;
    await restoreStore(target(), file());
    const isRestored = await withStore(target().dataDir, async (store) => {
      const records = await Promise.all(Array.from({ length: count }, (_, place) => store.find(`w${place}`)));
      return records.map((account) => account !== undefined);
    });
    expect(isRestored, 'a prefix of the writes').to.deep.equal(
      isRestored.toSorted((a, b) => Number(b) - Number(a)),
    );
  });

  it('never overwrites a file', async () => {
    writeFileSync(file(), 'mine');
    expect(await rejectionOf(() => backupStore(source(), file()))).to.have.property('name', 'FileExists');
    expect(readFileSync(file(), 'utf8')).to.equal('mine');
  });

  it('cannot be restored into a folder that is not empty', async () => {
    await backupStore(source(), file());
    mkdirSync(target().dataDir);
    writeFileSync(join(target().dataDir, 'x'), 'mine');
    expect(await rejectionOf(() => restoreStore(target(), file()))).to.have.property(
      'name',
      'FolderNotEmpty',
    );
    expect(readdirSync(target().dataDir)).to.deep.equal(['x']);
  });

  const broken = {
    'is truncated': (bytes: Buffer) => bytes.subarray(0, bytes.length - 2_048),
    'has a byte changed in the store': (bytes: Buffer) => {
      const at = bytes.indexOf('SQLite format 3') + 3_000;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    },
    'has a byte changed in an object': (bytes: Buffer) => {
      bytes.write('b', bytes.indexOf('a picture'));
      return bytes;
    },
    'is not an archive': () => Buffer.alloc(4_096, 'x'),
  };
  for (const [label, spoil] of Object.entries(broken)) {
    it(`is refused and leaves no files if it ${label}`, async () => {
      await backupStore(source(), file());
      writeFileSync(file(), spoil(readFileSync(file())));
      const refusal = await rejectionOf(() => restoreStore(target(), file()));
      expect(refusal).to.have.property('name', 'BrokenArchive');
      expect(existsSync(target().dataDir) ? readdirSync(target().dataDir) : []).to.deep.equal([]);
    });
  }

  /** Rewrites the archive with the members that `change` returns. */
  const repack = async (change: (members: ReadonlyMap<string, Buffer>) => Iterable<[string, Buffer]>) => {
    await backupStore(source(), file());
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

  it('is refused with the name of the setting if the target cannot be a folder', async () => {
    await backupStore(source(), file());
    for (const place of ['backup.tar', 'backup.tar/below']) {
      const failure = await rejectionOf(() => restoreStore(configOf(place), file()));
      expect(failure).to.be.instanceOf(ConfigError);
      expect(failure).to.have.property(
        'message',
        'DATA_DIR: must be a folder that can be written and whose files can be read',
      );
    }
  });

  it('can be restored with its files in any order', async () => {
    await repack((members) => [...members].reverse());
    expect(await restoreStore(target(), file())).to.include({ objects: 1 });
    expect(readFileSync(join(target().dataDir, OBJECT), 'utf8')).to.equal('a picture');
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
  for (const [label, change] of Object.entries(incomplete)) {
    it(`is refused and leaves no files if it lacks ${label}`, async () => {
      await repack(change);
      expect(await rejectionOf(() => restoreStore(target(), file()))).to.have.property(
        'name',
        'BrokenArchive',
      );
      expect(readdirSync(target().dataDir)).to.deep.equal([]);
    });
  }

  for (const name of ['gatehouse.db', 'SHA256SUMS', OBJECT]) {
    it(`is refused and leaves no files if it has ${name} twice`, async () => {
      await repack((members) => [...members, [name, members.get(name) ?? Buffer.alloc(0)]]);
      const refusal = await rejectionOf(() => restoreStore(target(), file()));
      expect(refusal).to.have.property('name', 'BrokenArchive');
      expect(readdirSync(target().dataDir)).to.deep.equal([]);
    });
  }

  it('is refused if it would write outside the folder', async () => {
    const evil = join(folder(), 'evil.tar');
    writeFileSync(join(folder(), 'outside'), 'x');
    mkdirSync(join(folder(), 'in'));
    spawnSync('tar', ['cPf', evil, '--format=ustar', '../outside'], { cwd: join(folder(), 'in') });
    const refusal = await rejectionOf(() => restoreStore(target(), evil));
    expect(refusal).to.have.property('name', 'BrokenArchive');
  });

  it('leaves no files on a full disk, and the restore prints one line', async () => {
    putFile(OBJECT, 'a picture'.repeat(2_000_000));
    await backupStore(source(), file());
    const restore = [join(root, 'dist/cli/main-joined.js'), 'store', 'restore', file()];
    // The blocks have 512 or 1024 bytes; both limits are smaller than the object.
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
    expect(readdirSync(target().dataDir)).to.deep.equal([]);
  });
});
