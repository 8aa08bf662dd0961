import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { easySettings, openTestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

const samples = join(root, 'docs/samples');
const unit = readFileSync(join(samples, 'gatehouse-nightly.service'), 'utf8');
const linesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, line = '']) => line);

describe('The nightly systemd unit', () => {
  const folder = useTempFolder();
  const backups = () => join(folder(), 'backups');
  const archives = () => readdirSync(backups()).sort();
  const OWN = /^\d{4}-\d\d-\d\dT\d{6}Z\.tar$/;

  beforeEach(async () => {
    for (const name of ['data', 'backups', 'bin']) mkdirSync(join(folder(), name));
    const service = await openTestService({}, join(folder(), 'data'));
    await service.signUp();
    await service.close();
  });

  /** Splits a line of the unit as systemd does, with the folders of the test: words, quotes and escapes. */
  const wordsOf = (line: string): readonly string[] => {
    const adapted = line
      .replaceAll('/opt/gatehouse/', root)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/var/backups/gatehouse', backups());
    const words = [...adapted.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
    return words.map((word) => word.replaceAll('%%', '%').replaceAll('$$', '$'));
  };
  /** Sets the output of `date` for the unit. */
  const setTime = (time: string) =>
    writeFileSync(join(folder(), 'bin/date'), `#!/bin/sh\necho ${time}\n`, { mode: 0o755 });
  const run = (line: string) => {
    const [program = '', ...args] = wordsOf(line);
    const PATH = `${join(folder(), 'bin')}:${process.env.PATH}`;
    const env = { PATH, ...easySettings, DATA_DIR: join(folder(), 'data') };
    return spawnSync(program, args, { cwd: folder(), env, encoding: 'utf8' });
  };
  /** Runs the unit as systemd does: ExecStart until a command fails, then ExecStopPost in any case. */
  const runUnit = () => {
    const results = [];
    for (const line of linesOf('ExecStart')) {
      results.push(run(line));
      if (results.at(-1)?.status !== 0) break;
    }
    const started = results.map(({ status }) => status);
    const verified = linesOf('ExecStopPost').map(run);
    const stderr = [...results, ...verified].map(({ stderr }) => stderr).join('');
    return { started, verified: verified.map(({ status }) => status), stderr };
  };

  it('makes a restorable backup at each run, also twice a day', async () => {
    for (const count of [1, 2]) {
      setTime(`2026-01-20T${count}33000Z`);
      const { started, verified, stderr } = runUnit();
      expect([started, verified], stderr).to.deep.equal([[0, 0, 0], [0]]);
      expect(archives()).to.have.length(count);
      for (const name of archives()) expect(name).to.match(OWN);
    }
    const env = { PATH: process.env.PATH, DATA_DIR: join(folder(), 'there') };
    const restore = [
      join(root, 'cli/gatehouse.mjs'),
      'store',
      'restore',
      join(backups(), archives()[1] ?? ''),
    ];
    const { status, stderr } = spawnSync(process.execPath, restore, { cwd: folder(), env, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });

  /** Writes daily archives, and other files that the unit must keep. */
  const writeArchives = () => {
    const days = Array.from({ length: 20 }, (_, day) => `2026-01-${String(day + 1).padStart(2, '0')}`);
    const dated = days.map((day, place) => (place < 3 ? `${day}.tar` : `${day}T033000Z.tar`));
    const others = ['before-0.2.0.tar', 'drill-2026-01-01T000000.tar', 'house.jsonl'];
    for (const name of [...dated, ...others]) writeFileSync(join(backups(), name), '');
    return { dated, others };
  };

  it('keeps the newest 14 backups and other files, and deletes old remains of killed backups', () => {
    const { dated, others } = writeArchives();
    const [old, young] = ['.gatehouse-backup-old', '.gatehouse-backup-young'].map((name) =>
      join(backups(), name),
    );
    for (const partial of [old, young]) mkdirSync(partial ?? '');
    writeFileSync(join(old ?? '', 'part'), 'half');
    utimesSync(old ?? '', 1, 1);
    const { started, stderr } = runUnit();
    expect(started, stderr).to.deep.equal([0, 0, 0]);
    const [newest = ''] = archives().filter((name) => OWN.test(name) && !dated.includes(name));
    const remaining = [...dated.slice(-13), newest, ...others, '.gatehouse-backup-young'];
    expect(archives()).to.deep.equal(remaining.sort());
  });

  it('deletes nothing if the backup fails, and still verifies the audit log', () => {
    const { dated, others } = writeArchives();
    // A file of this name exists.
    setTime('2026-01-20T033000Z');
    const { started, verified, stderr } = runUnit();
    expect([started, verified], stderr).to.deep.equal([[1], [0]]);
    expect(archives()).to.deep.equal([...dated, ...others].sort());
  });

  it('backs up a store with an altered audit log, and fails', () => {
    const store = new Libsql(join(folder(), 'data/gatehouse.db'), { timeout: 30_000 });
    const alter = store.prepare("UPDATE audit SET actor = 'nobody' WHERE number = 1");
    expect(alter.run().changes).to.equal(1);
    store.close();
    const { started, verified, stderr } = runUnit();
    expect([started, verified], stderr).to.deep.equal([[0, 0, 0], [1]]);
    expect(archives()).to.have.length(1);
  });

  it('starts an existing unit if it fails', () => {
    const [failureUnit = ''] = linesOf('OnFailure');
    expect(failureUnit).to.equal('gatehouse-failed@%n.service');
    expect(existsSync(join(samples, 'gatehouse-failed@.service'))).to.equal(true);
  });
});
