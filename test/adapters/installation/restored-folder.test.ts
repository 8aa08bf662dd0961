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

describe('The target folder of a restore', () => {
  const folder = useTempFolder();
  const configOf = (name: string) => readConfig({ DATA_DIR: name, LOG_LEVEL: 'silent' }, folder());
  const target = () => configOf('there');
  const inTarget = (...names: readonly string[]) => join(target().dataDir, ...names);
  const file = () => join(folder(), 'backup.tar');
  const restore = () => restoreStore(target(), file());
  const start = async () => (await compose(target())).close();
  const put = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  };
  const expectRestored = () => {
    expect(readdirSync(target().dataDir).sort()).to.deep.equal(['gatehouse.db', 'objects']);
    expect(readFileSync(inTarget(OBJECT), 'utf8')).to.equal('a picture');
  };

  beforeEach(async () => {
    await (await compose(configOf('here'))).close();
    put(join(configOf('here').dataDir, OBJECT), 'a picture');
    await backupStore(configOf('here'), file());
  });

  it('refuses the start of a server and an import during the restore', async () => {
    mkdirSync(target().dataDir);
    const hold = takeRestoreLock(target().dataDir);
    const begin = async () =>
      findEmbeddedStore(target().dataDir, {
        clock: { now: Date.now },
        log: makeRecordingLog(),
        isServer: false,
      });
    for (const work of [start, begin]) {
      const refusal = await rejectionOf(work);
      expect(refusal).to.have.property('name', 'StoreUnusable');
      expect(String(refusal)).to.include(
        `a restore into it is under way and holds ${inTarget('gatehouse.db.lock')}`,
      );
    }
    expect(readdirSync(target().dataDir)).to.deep.equal(['gatehouse.db.lock']);
    hold.release();
    await restore();
    expectRestored();
  });

  it('refuses a restore while a server starts in it or another restore runs', async () => {
    mkdirSync(target().dataDir);
    for (const take of [takeCreationLock, takeRestoreLock]) {
      const hold = take(target().dataDir);
      expect(await rejectionOf(restore)).to.have.property('name', 'FolderTaken');
      expect(readdirSync(target().dataDir)).to.deep.equal(['gatehouse.db.lock']);
      hold.release();
    }
    await restore();
    expectRestored();
  });

  it('accepts a restore after a start that created no store', async () => {
    mkdirSync(target().dataDir);
    takeCreationLock(target().dataDir).release();
    await restore();
    expectRestored();
  });

  /** The leftovers of a killed restore, by the moment of the kill. */
  const killed = {
    'while it unpacked': () => {
      put(inTarget('restoring', 'gatehouse.db'), 'half of it');
      put(inTarget('restoring', OBJECT), 'half');
    },
    'while it removed unpacked files': () => put(inTarget('restoring', 'gatehouse.db'), 'the store'),
    'before it unpacked': () => mkdirSync(inTarget('restoring'), { recursive: true }),
    'between objects and store': () => {
      put(inTarget('restoring', 'gatehouse.db'), 'the store');
      put(inTarget(OBJECT), 'of another backup');
      put(inTarget(OBJECT.replace('avatar_1', 'avatar_2')), 'of another backup');
    },
  };
  for (const [when, leave] of Object.entries(killed)) {
    it(`is refused by a server after a restore was killed ${when}, and accepts another restore`, async () => {
      leave();
      const before = readdirSync(target().dataDir).sort();
      const refusal = await rejectionOf(start);
      expect(refusal).to.have.property('name', 'StoreUnusable');
      expect(String(refusal))
        .to.include('run store restore again')
        .and.to.include(`remove ${inTarget('restoring')}`);
      expect(readdirSync(target().dataDir).filter((name) => !name.endsWith('.lock'))).to.deep.equal(before);
      await restore();
      expectRestored();
      expect(readdirSync(inTarget(OBJECT, '..'))).to.deep.equal(['avatar_1.png']);
    });
  }

  it('is complete if a restore was killed after it placed the store, as the next one reports', async () => {
    await restore();
    mkdirSync(inTarget('restoring'));
    linkSync(inTarget('gatehouse.db'), inTarget('restoring', 'gatehouse.db'));
    const refusal = await rejectionOf(restore);
    expect(refusal).to.have.property('name', 'FolderNotEmpty');
    expect(String(refusal)).to.include(`An earlier restore has completed: remove ${inTarget('restoring')}`);
    rmSync(inTarget('restoring'), { recursive: true });
    expectRestored();
  });

  it('keeps files that others added during a failed restore', async () => {
    const bytes = readFileSync(file());
    writeFileSync(file(), bytes.subarray(0, bytes.length - 2_048));
    const failing = rejectionOf(restore);
    while (!existsSync(inTarget('restoring'))) await new Promise(setImmediate);
    put(inTarget('keys', 'hash-key'), 'mine');
    expect(await failing).to.have.property('name', 'BrokenArchive');
    expect(readdirSync(target().dataDir)).to.deep.equal(['keys']);
    expect(readFileSync(inTarget('keys', 'hash-key'), 'utf8')).to.equal('mine');
  });

  it('keeps a store that an older server created during a restore, which then fails', async () => {
    await restore();
    renameSync(inTarget('gatehouse.db'), join(folder(), 'other.db'));
    rmSync(target().dataDir, { recursive: true });
    const restoring = rejectionOf(restore);
    while (!existsSync(inTarget('restoring'))) await new Promise(setImmediate);
    renameSync(join(folder(), 'other.db'), inTarget('gatehouse.db'));
    const before = readFileSync(inTarget('gatehouse.db'));
    expect(await restoring).to.have.property('name', 'FolderNotEmpty');
    expect(readdirSync(target().dataDir)).to.deep.equal(['gatehouse.db']);
    expect(readFileSync(inTarget('gatehouse.db')).equals(before)).to.equal(true);
  });
});
