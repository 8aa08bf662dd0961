import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { findEmbeddedStore } from '../../../adapters/choose-store.ts';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { backupStore, restoreStore } from '../../../adapters/installation.ts';
import { takeCreationLock, takeRestoreLock } from '../../../adapters/sqlite/restore-lock.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const OBJECT = 'objects/0199a0a0-0000-7000-8000-000000000000/avatar_1.png';

describe('A folder that a backup is restored into', () => {
  const folder = useTempFolder();
  const configOf = (name: string) => readConfig({ DATA_DIR: name, LOG_LEVEL: 'silent' }, folder());
  const there = () => configOf('there');
  const inThere = (...names: readonly string[]) => join(there().dataDir, ...names);
  const file = () => join(folder(), 'backup.tar');
  const restore = () => restoreStore(there(), file());
  const start = async () => (await compose(there())).close();
  const put = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  };
  const expectRestored = () => {
    expect(readdirSync(there().dataDir).sort()).to.deep.equal(['gatehouse.db', 'objects']);
    expect(readFileSync(inThere(OBJECT), 'utf8')).to.equal('a picture');
  };

  beforeEach(async () => {
    await (await compose(configOf('here'))).close();
    put(join(configOf('here').dataDir, OBJECT), 'a picture');
    await backupStore(configOf('here'), file());
  });

  it('lets no server start meanwhile, which makes nothing there, and no import', async () => {
    mkdirSync(there().dataDir);
    const hold = takeRestoreLock(there().dataDir);
    const begin = async () =>
      findEmbeddedStore(there().dataDir, {
        clock: { now: Date.now },
        log: makeRecordingLog(),
        upgrades: false,
      });
    for (const work of [start, begin]) {
      const refusal = await rejectionOf(work);
      expect(refusal).to.have.property('name', 'StoreUnusable');
      expect(String(refusal)).to.include(
        `a restore into it is under way and holds ${inThere('gatehouse.db.lock')}`,
      );
    }
    expect(readdirSync(there().dataDir)).to.deep.equal(['gatehouse.db.lock']);
    hold.release();
    await restore();
    expectRestored();
  });

  it('is left alone while a server is being started on it, or another restore is under way', async () => {
    mkdirSync(there().dataDir);
    for (const take of [takeCreationLock, takeRestoreLock]) {
      const hold = take(there().dataDir);
      expect(await rejectionOf(restore)).to.have.property('name', 'FolderTaken');
      expect(readdirSync(there().dataDir)).to.deep.equal(['gatehouse.db.lock']);
      hold.release();
    }
    await restore();
    expectRestored();
  });

  it('may be one in which a start has made nothing yet', async () => {
    mkdirSync(there().dataDir);
    takeCreationLock(there().dataDir).release();
    await restore();
    expectRestored();
  });

  /** What a restore that was killed leaves, by when it was. */
  const killed = {
    'while it unpacked': () => {
      put(inThere('restoring', 'gatehouse.db'), 'half of it');
      put(inThere('restoring', OBJECT), 'half');
    },
    'while it took back what it had unpacked': () => put(inThere('restoring', 'gatehouse.db'), 'the store'),
    'before it unpacked': () => mkdirSync(inThere('restoring'), { recursive: true }),
    'between objects and store': () => {
      put(inThere('restoring', 'gatehouse.db'), 'the store');
      put(inThere(OBJECT), 'of another backup');
      put(inThere(OBJECT.replace('avatar_1', 'avatar_2')), 'of another backup');
    },
  };
  for (const [when, leave] of Object.entries(killed)) {
    it(`is taken by no server when a restore was killed ${when}, and can be restored into again`, async () => {
      leave();
      const before = readdirSync(there().dataDir).sort();
      const refusal = await rejectionOf(start);
      expect(refusal).to.have.property('name', 'StoreUnusable');
      expect(String(refusal))
        .to.include('run store restore again')
        .and.to.include(`remove ${inThere('restoring')}`);
      expect(readdirSync(there().dataDir).filter((name) => !name.endsWith('.lock'))).to.deep.equal(before);
      await restore();
      expectRestored();
      expect(readdirSync(inThere(OBJECT, '..'))).to.deep.equal(['avatar_1.png']);
    });
  }

  it('is whole when a restore was killed after it had put the store in place, and says so', async () => {
    await restore();
    mkdirSync(inThere('restoring'));
    linkSync(inThere('gatehouse.db'), inThere('restoring', 'gatehouse.db'));
    const refusal = await rejectionOf(restore);
    expect(refusal).to.have.property('name', 'FolderNotEmpty');
    expect(String(refusal)).to.include(`An earlier restore has completed: remove ${inThere('restoring')}`);
    rmSync(inThere('restoring'), { recursive: true });
    expectRestored();
  });

  it('keeps what others put there while a restore fails', async () => {
    const bytes = readFileSync(file());
    writeFileSync(file(), bytes.subarray(0, bytes.length - 2_048));
    const failing = rejectionOf(restore);
    while (!existsSync(inThere('restoring'))) await new Promise(setImmediate);
    put(inThere('keys', 'hash-key'), 'mine');
    expect(await failing).to.have.property('name', 'BrokenArchive');
    expect(readdirSync(there().dataDir)).to.deep.equal(['keys']);
    expect(readFileSync(inThere('keys', 'hash-key'), 'utf8')).to.equal('mine');
  });

  it('keeps the store that a server of a version without holds made meanwhile, and is told', async () => {
    await restore();
    renameSync(inThere('gatehouse.db'), join(folder(), 'other.db'));
    rmSync(there().dataDir, { recursive: true });
    const restoring = rejectionOf(restore);
    while (!existsSync(inThere('restoring'))) await new Promise(setImmediate);
    renameSync(join(folder(), 'other.db'), inThere('gatehouse.db'));
    const before = readFileSync(inThere('gatehouse.db'));
    expect(await restoring).to.have.property('name', 'FolderNotEmpty');
    expect(readdirSync(there().dataDir)).to.deep.equal(['gatehouse.db']);
    expect(readFileSync(inThere('gatehouse.db')).equals(before)).to.equal(true);
  });
});
