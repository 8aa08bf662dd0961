import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { compose, makeKeyFile } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

describe('A start with the master keys of another installation', () => {
  const folder = useTempFolder();

  it('logs each missing key with the number of data keys it sealed at the last count', async () => {
    const config = readConfig({ LOG_LEVEL: 'silent' }, folder());
    const log = makeRecordingLog();
    const first = await compose(config, { log });
    const { files, accounts } = first;
    const { dekEnc } = await files.wrapKey({ dek: Buffer.alloc(32).toString('base64') });
    await files.create({
      ...{ user: 'ada', filenameEnc: 'YQ==', size: 1, mimeType: 'text/plain', thumb: false, dekEnc },
    });
    for await (const _ of accounts.background.takeStatistics());
    const id = await files.operate.masterKey();
    await first.close();

    const master = join(config.dataDir, 'keys', 'master.json');
    rmSync(master);
    await makeKeyFile('master', master);
    const second = await compose(config, { log });
    second.start({ accounts: true });
    const errors = () => log.lines.filter(({ event }) => event === 'master_key.unknown');
    await until(() => errors().length > 0);
    await second.close();
    expect(errors()).to.deep.equal([
      { level: 'error', event: 'master_key.unknown', fields: { id, count: 1 } },
    ]);
  });
});
