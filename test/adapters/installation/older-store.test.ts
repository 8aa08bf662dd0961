import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import {
  backupStore,
  exportInstallation,
  importInstallation,
  migrateStore,
  restoreStore,
} from '../../../adapters/installation.ts';
import { connect, connectRaw } from '../../../adapters/sqlite/engine/connection.ts';
import { migrations } from '../../../adapters/sqlite/migrations.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const NEWEST = migrations.length;
const UPGRADED = 'store.upgraded';

describe('An embedded store of an older version', () => {
  const folder = useTempFolder();
  const config = () => readConfig({ LOG_LEVEL: 'silent' }, folder());
  const file = () => join(config().dataDir, 'gatehouse.db');
  const tools = () => ({ clock: { now: () => Date.now() }, log: makeRecordingLog() });
  const start = async () => {
    const log = makeRecordingLog();
    await (await compose(config(), { log })).close();
    return log.lines.filter(({ event }) => event === UPGRADED);
  };
  const readSchema = () => {
    const connection = connectRaw(file());
    try {
      return {
        version: Number(connection.get('PRAGMA user_version', [])?.user_version),
        schema: connection.all('SELECT sql FROM sqlite_schema ORDER BY name', []),
      };
    } finally {
      connection.close();
    }
  };

  /** Replaces the store by one of the first schema, and keeps its keys. */
  beforeEach(async () => {
    expect(await start(), 'a new store needs no upgrade').to.deep.equal([]);
    for (const suffix of ['', '-wal', '-shm']) rmSync(file() + suffix, { force: true });
    const connection = connect(file());
    connection.exec(`${migrations[0]}; PRAGMA user_version = 1`);
    connection.close();
  });

  const commands = {
    'a command': async () =>
      (await compose(config(), { log: makeRecordingLog(), onlyExisting: true })).close(),
    'an export': () => exportInstallation(config(), tools(), join(folder(), 'house.jsonl'), () => undefined),
  };
  for (const [label, run] of Object.entries(commands)) {
    it(`is refused by ${label} with a hint at store migrate, and stays unchanged`, async () => {
      const before = readSchema();
      const refusal = await rejectionOf(run);
      expect(refusal).to.have.property('name', 'StoreUnusable');
      expect(String(refusal)).to.include(
        `it is of an older version (schema 1, this one works with ${NEWEST}): run gatehouse store migrate`,
      );
      expect(readSchema()).to.deep.equal(before);
    });
  }

  it('is refused by an import and stays unchanged', async () => {
    const otherConfig = readConfig({ DATA_DIR: 'other', LOG_LEVEL: 'silent' }, folder());
    await (await compose(otherConfig)).close();
    const exportFile = join(folder(), 'house.jsonl');
    await exportInstallation(otherConfig, tools(), exportFile, () => undefined);
    const before = readSchema();
    expect(
      await rejectionOf(() => importInstallation(config(), tools(), exportFile, () => undefined)),
    ).to.have.property('name', 'StoreUnusable');
    expect(readSchema()).to.deep.equal(before);
  });

  it('is upgraded at the start of a server, which logs that once', async () => {
    const [line, ...more] = await start();
    expect(line).to.include({ level: 'info' });
    expect(line?.fields).to.deep.equal({ reason: `from schema 1 to schema ${NEWEST}` });
    expect(more).to.deep.equal([]);
    expect(readSchema().version).to.equal(NEWEST);
    expect(await start()).to.deep.equal([]);
  });

  it('is upgraded by store migrate', async () => {
    expect(await migrateStore(config())).to.deep.equal({ before: 1, now: NEWEST });
    await commands['a command']();
  });

  it('is backed up unchanged, and the report contains its version', async () => {
    const before = readSchema();
    const archive = join(folder(), 'backup.tar');
    expect(await backupStore(config(), archive)).to.include({ schema: 1, isOlder: true });
    expect(readSchema()).to.deep.equal(before);
    rmSync(file());
    rmSync(config().dataDir, { recursive: true });
    await restoreStore(config(), archive);
    expect(readSchema().version).to.equal(1);
  });
});
