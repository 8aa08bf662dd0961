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

describe('The nightly unit', () => {
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

  /** A line of the unit with the folders of a test, read as systemd does: words, quotes and its escapes. */
  const wordsOf = (line: string): readonly string[] => {
    const placed = line
      .replaceAll('/opt/gatehouse/', root)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/var/backups/gatehouse', backups());
    const words = [...placed.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
    return words.map((word) => word.replaceAll('%%', '%').replaceAll('$$', '$'));
  };
  /** What `date` says to the unit. */
  const timeIs = (time: string) =>
    writeFileSync(join(folder(), 'bin/date'), `#!/bin/sh\necho ${time}\n`, { mode: 0o755 });
  const run = (line: string) => {
    const [program = '', ...args] = wordsOf(line);
    const PATH = `${join(folder(), 'bin')}:${process.env.PATH}`;
    const env = { PATH, ...easySettings, DATA_DIR: join(folder(), 'data') };
    return spawnSync(program, args, { cwd: folder(), env, encoding: 'utf8' });
  };
  /** Runs it as systemd does: one after the other until one fails, and in any case what comes afterwards. */
  const runUnit = () => {
    const ran = [];
    for (const line of linesOf('ExecStart')) {
      ran.push(run(line));
      if (ran.at(-1)?.status !== 0) break;
    }
    const started = ran.map(({ status }) => status);
    const verified = linesOf('ExecStopPost').map(run);
    const said = [...ran, ...verified].map(({ stderr }) => stderr).join('');
    return { started, verified: verified.map(({ status }) => status), said };
  };

  it('runs twice a day, and each time makes a backup that can be restored', async () => {
    for (const count of [1, 2]) {
      timeIs(`2026-01-20T${count}33000Z`);
      const { started, verified, said } = runUnit();
      expect([started, verified], said).to.deep.equal([[0, 0, 0], [0]]);
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

  /** Archives of the days of a month, and others that are none of its. */
  const putArchives = () => {
    const days = Array.from({ length: 20 }, (_, day) => `2026-01-${String(day + 1).padStart(2, '0')}`);
    const dated = days.map((day, place) => (place < 3 ? `${day}.tar` : `${day}T033000Z.tar`));
    const others = ['before-0.2.0.tar', 'drill-2026-01-01T000000.tar', 'house.jsonl'];
    for (const name of [...dated, ...others]) writeFileSync(join(backups(), name), '');
    return { dated, others };
  };

  it('keeps the newest 14 backups, and everything that is none, but what killed ones have left', () => {
    const { dated, others } = putArchives();
    const [old, young] = ['.gatehouse-backup-old', '.gatehouse-backup-young'].map((name) =>
      join(backups(), name),
    );
    for (const left of [old, young]) mkdirSync(left ?? '');
    writeFileSync(join(old ?? '', 'part'), 'half');
    utimesSync(old ?? '', 1, 1);
    const { started, said } = runUnit();
    expect(started, said).to.deep.equal([0, 0, 0]);
    const [made = ''] = archives().filter((name) => OWN.test(name) && !dated.includes(name));
    const kept = [...dated.slice(-13), made, ...others, '.gatehouse-backup-young'];
    expect(archives()).to.deep.equal(kept.sort());
  });

  it('removes nothing when the backup fails, and verifies the audit log all the same', () => {
    const { dated, others } = putArchives();
    // A name that is taken.
    timeIs('2026-01-20T033000Z');
    const { started, verified, said } = runUnit();
    expect([started, verified], said).to.deep.equal([[1], [0]]);
    expect(archives()).to.deep.equal([...dated, ...others].sort());
  });

  it('has a backup of a store whose audit log somebody altered, and fails', () => {
    const store = new Libsql(join(folder(), 'data/gatehouse.db'), { timeout: 30_000 });
    const alter = store.prepare("UPDATE audit SET actor = 'nobody' WHERE number = 1");
    expect(alter.run().changes).to.equal(1);
    store.close();
    const { started, verified, said } = runUnit();
    expect([started, verified], said).to.deep.equal([[0, 0, 0], [1]]);
    expect(archives()).to.have.length(1);
  });

  it('tells somebody when it fails, by a unit that is there', () => {
    const [told = ''] = linesOf('OnFailure');
    expect(told).to.equal('gatehouse-failed@%n.service');
    expect(existsSync(join(samples, 'gatehouse-failed@.service'))).to.equal(true);
  });
});
