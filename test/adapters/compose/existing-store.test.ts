import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { NoStoreHere, requireStore } from '../../../adapters/compose/tools.ts';
import { readConfig } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('A command that works on the store', () => {
  const folder = useTempFolder();
  const config = () => readConfig({}, folder());
  const dataDir = () => config().dataDir;

  it('is refused where there is no store, with the folder it looked in', () => {
    expect(() => requireStore(config())).to.throw(NoStoreHere, dataDir());
    mkdirSync(dataDir());
    expect(() => requireStore(config())).to.throw(NoStoreHere, dataDir());
  });

  it('is refused in a folder of another system user', () => {
    mkdirSync(dataDir());
    writeFileSync(join(dataDir(), 'gatehouse.db'), '');
    const own = process.getuid?.() ?? 0;
    expect(() => requireStore(config(), own)).not.to.throw();
    expect(() => requireStore(config(), own + 1)).to.throw(NoStoreHere, `system user ${own}`);
  });
});
