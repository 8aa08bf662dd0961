import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectRaw } from '../../../../adapters/sqlite/engine/connection.ts';
import { makeReplaceableFile } from '../../../../adapters/sqlite/engine/replaceable-file.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';

describe('A file that may be lost', () => {
  const folder = useTempFolder();
  const path = () => join(folder(), 'lost.db');
  const inode = () => statSync(path()).ino;

  /** A file that is opened as it is wanted, and what was told of it. */
  const open = (isWanted = true) => {
    const told: string[] = [];
    const file = makeReplaceableFile({
      file: path(),
      patience: 100,
      isWanted: (connection) => connection.get('SELECT * FROM t', []) === undefined && isWanted,
      open: () => {
        const connection = connectRaw(path());
        connection.exec('CREATE TABLE IF NOT EXISTS t (x)');
        told.push('opened');
        return {
          close: () => {
            connection.close();
            told.push('closed');
          },
        };
      },
      onFailure: (reason) => told.push(`failure ${reason}`),
      onRecovery: () => told.push('recovery'),
      onDeleted: (reason) => told.push(`deleted ${reason}`),
      onReplaced: () => told.push('replaced'),
    });
    return { file, told };
  };

  it('is made with the first use, and no lock is left beside it', async () => {
    const { file, told } = open();
    expect(existsSync(path())).to.equal(false);
    expect(file.current()?.isInPlace()).to.equal(true);
    expect(readdirSync(folder())).to.deep.equal(['lost.db']);
    expect(file.current()).to.equal(file.current());
    await file.close();
    expect(file.current()).to.equal(undefined);
    expect(told).to.deep.equal(['opened', 'closed']);
  });

  it('is deleted where it is no database, of another form, or no longer wanted', async () => {
    writeFileSync(path(), 'no database '.repeat(1_000));
    const first = open();
    first.file.current();
    await first.file.close();
    expect(first.told).to.deep.equal(['deleted SQLITE_NOTADB', 'opened', 'closed']);
    const writer = connectRaw(path());
    writer.exec('DROP TABLE t');
    writer.close();
    const second = open();
    second.file.current();
    await second.file.close();
    expect(second.told[0]).to.equal('deleted SQLITE_ERROR');
    const third = open(false);
    third.file.current();
    await third.file.close();
    expect(third.told[0]).to.equal('deleted outdated');
  });

  it('is made anew after damage, with the old one open until then', async () => {
    const { file, told } = open();
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
    expect(told).to.deep.equal([
      ...['opened', 'failure SQLITE_FULL', 'deleted damaged', 'opened', 'closed', 'replaced', 'recovery'],
      'closed',
    ]);
  });

  it('follows the file that was put in its place', async () => {
    const [first, second] = [open(), open()];
    first.file.current();
    rmSync(path());
    second.file.current();
    const [before] = [first.file.current()];
    expect(before?.isInPlace()).to.equal(false);
    expect(first.file.follow()?.isInPlace()).to.equal(true);
    expect(first.told).to.deep.equal(['opened', 'opened', 'closed', 'replaced']);
    await Promise.all([first.file.close(), second.file.close()]);
  });

  it('is not open for some seconds after it was let go of, or could not be opened', async () => {
    const { file, told } = open();
    file.current();
    file.release();
    expect(file.current()).to.equal(undefined);
    expect(file.follow()).to.equal(undefined);
    const stuck = connectRaw(`${path()}.lock`);
    stuck.exec('BEGIN EXCLUSIVE');
    const second = open();
    expect(second.file.current()).to.equal(undefined);
    stuck.close();
    expect(second.file.current()).to.equal(undefined);
    expect(second.told).to.deep.equal(['failure StoreUnusable']);
    await Promise.all([file.close(), second.file.close()]);
    expect(told).to.deep.equal(['opened', 'closed']);
  });
});
