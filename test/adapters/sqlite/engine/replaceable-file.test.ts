import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectRaw } from '../../../../adapters/sqlite/engine/connection.ts';
import { makeReplaceableFile } from '../../../../adapters/sqlite/engine/replaceable-file.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';

describe('A replaceable SQLite file', () => {
  const folder = useTempFolder();
  const path = () => join(folder(), 'lost.db');
  const inode = () => statSync(path()).ino;

  /** A file, and the events that it reported. */
  const open = (isWanted = true) => {
    const events: string[] = [];
    const file = makeReplaceableFile({
      file: path(),
      patience: 100,
      isWanted: (connection) => connection.get('SELECT * FROM t', []) === undefined && isWanted,
      open: () => {
        const connection = connectRaw(path());
        connection.exec('CREATE TABLE IF NOT EXISTS t (x)');
        events.push('opened');
        return {
          close: () => {
            connection.close();
            events.push('closed');
          },
        };
      },
      onFailure: (reason) => events.push(`failure ${reason}`),
      onRecovery: () => events.push('recovery'),
      onDeleted: (reason) => events.push(`deleted ${reason}`),
      onReplaced: () => events.push('replaced'),
    });
    return { file, events };
  };

  it('is created at its first use, and leaves no lock file', async () => {
    const { file, events } = open();
    expect(existsSync(path())).to.equal(false);
    expect(file.current()?.isInPlace()).to.equal(true);
    expect(readdirSync(folder())).to.deep.equal(['lost.db']);
    expect(file.current()).to.equal(file.current());
    await file.close();
    expect(file.current()).to.equal(undefined);
    expect(events).to.deep.equal(['opened', 'closed']);
  });

  it('is deleted if it is not a database, has another schema, or is outdated', async () => {
    writeFileSync(path(), 'no database '.repeat(1_000));
    const first = open();
    first.file.current();
    await first.file.close();
    expect(first.events).to.deep.equal(['deleted SQLITE_NOTADB', 'opened', 'closed']);
    const writer = connectRaw(path());
    writer.exec('DROP TABLE t');
    writer.close();
    const second = open();
    second.file.current();
    await second.file.close();
    expect(second.events[0]).to.equal('deleted SQLITE_ERROR');
    const third = open(false);
    third.file.current();
    await third.file.close();
    expect(third.events[0]).to.equal('deleted outdated');
  });

  it('is recreated after damage, but not after other failures', async () => {
    const { file, events } = open();
    file.current();
    const before = inode();
    file.failed('SQLITE_FULL');
    expect(file.current()?.isInPlace()).to.equal(true);
    expect([inode(), file.isFailing()]).to.deep.equal([before, true]);
    file.failed('SQLITE_CORRUPT');
    file.release();
    expect(file.current()?.isInPlace()).to.equal(true);
    expect(inode()).to.not.equal(before);
    file.worked();
    expect(file.isFailing()).to.equal(false);
    await file.close();
    expect(events).to.deep.equal([
      ...['opened', 'failure SQLITE_FULL', 'deleted damaged', 'opened', 'closed', 'replaced', 'recovery'],
      'closed',
    ]);
  });

  it('switches to a file that replaced it', async () => {
    const [first, second] = [open(), open()];
    first.file.current();
    rmSync(path());
    second.file.current();
    const [before] = [first.file.current()];
    expect(before?.isInPlace()).to.equal(false);
    expect(first.file.follow()?.isInPlace()).to.equal(true);
    expect(first.events).to.deep.equal(['opened', 'opened', 'closed', 'replaced']);
    await Promise.all([first.file.close(), second.file.close()]);
  });

  it('is not reopened at once after its release or a failed attempt to open it', async () => {
    const { file, events } = open();
    file.current();
    file.release();
    expect(file.current()).to.equal(undefined);
    expect(file.follow()).to.equal(undefined);
    const locker = connectRaw(`${path()}.lock`);
    locker.exec('BEGIN EXCLUSIVE');
    const second = open();
    expect(second.file.current()).to.equal(undefined);
    locker.close();
    expect(second.file.current()).to.equal(undefined);
    expect(second.events).to.deep.equal(['failure StoreUnusable']);
    await Promise.all([file.close(), second.file.close()]);
    expect(events).to.deep.equal(['opened', 'closed']);
  });
});
