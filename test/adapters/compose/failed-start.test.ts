import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { compose } from '../../../adapters/compose.ts';
import { ConfigError, readConfig } from '../../../adapters/config.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('A start with a damaged key file', () => {
  const folder = useTempFolder();
  afterEach(() => sinon.restore());

  for (const damaged of ['signing.json', 'master.json']) {
    it(`leaves no file watched if ${damaged} is damaged`, async () => {
      const config = readConfig({ LOG_LEVEL: 'silent' }, folder());
      await (await compose(config)).close();
      const keys = join(config.dataDir, 'keys');
      writeFileSync(join(keys, damaged), readFileSync(join(keys, damaged), 'utf8').slice(1));
      const clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      expect(await rejectionOf(() => compose(config))).to.be.instanceOf(ConfigError);
      // The other key file may be read after the error.
      for (const name of ['signing.json', 'master.json']) await readFile(join(keys, name));
      await setImmediate();
      expect(clock.countTimers()).to.equal(0);
    });
  }
});
