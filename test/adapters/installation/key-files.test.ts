import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { openKeyFiles } from '../../../adapters/installation.ts';
import { makeSigningKeySet, parseSigningKeySet } from '../../../adapters/jwt/signing-keys.ts';
import { makeKeyRing } from '../../../adapters/kms/key-ring.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('The key files of an installation', () => {
  const folder = useTempFolder();
  const config = () => readConfig({}, folder());
  const path = () => config().signingKeys.path;
  const open = () => openKeyFiles(config());

  beforeEach(() => {
    mkdirSync(join(path(), '..'), { recursive: true });
    writeFileSync(path(), JSON.stringify(makeSigningKeySet(Date.now())));
    writeFileSync(join(path(), '../master.json'), JSON.stringify(makeKeyRing(Date.now())));
  });

  const states = async () => (await open().list()).map(({ kind, state }) => `${kind} ${state}`);
  const idOf = async (state: string) => (await open().list()).find((line) => line.state === state)?.id ?? '';

  it('are listed with the state of each key', async () => {
    expect(await states()).to.deep.equal(['signing current', 'master current']);
    const id = await open().rotateSigning({ atOnce: false });
    expect(await states()).to.deep.equal(['signing current', 'signing next', 'master current']);
    expect(await idOf('next')).to.equal(id);
    for (const { createdAt } of await open().list())
      expect(Date.parse(createdAt ?? '')).to.be.closeTo(Date.now(), 5_000);
  });

  it('receive a key that signs at once if requested', async () => {
    const id = await open().rotateSigning({ atOnce: true });
    expect(await states()).to.deep.equal(['signing old', 'signing current', 'master current']);
    expect(await idOf('current')).to.equal(id);
  });

  it('allow only old and next keys to be retired', async () => {
    const current = await idOf('current');
    expect(await rejectionOf(() => open().retireSigning(current))).to.include({ code: 'current_key' });
    expect(await rejectionOf(() => open().retireSigning('nothing'))).to.include({ code: 'unknown_key' });
    const master = (await open().list()).find(({ kind }) => kind === 'master')?.id ?? '';
    expect(await rejectionOf(() => open().retireSigning(master))).to.include({ code: 'unknown_key' });
    expect(await rejectionOf(() => open().retireMaster(master))).to.include({ code: 'current_key' });
    expect(await rejectionOf(() => open().retireMaster(current))).to.include({ code: 'unknown_key' });
    const next = await open().rotateSigning({ atOnce: false });
    await open().retireSigning(next);
    await open().rotateSigning({ atOnce: true });
    await open().retireSigning(current);
    expect(await states()).to.deep.equal(['signing current', 'master current']);
    expect(parseSigningKeySet(readFileSync(path(), 'utf8')).keys).to.have.length(1);
  });

  it('are refused with the name of their setting if invalid', async () => {
    writeFileSync(path(), '{"keys":"none"}');
    for (const call of [() => open().list(), () => open().rotateSigning({ atOnce: true })]) {
      const refusal = await rejectionOf(call);
      expect(refusal).to.have.property('name', 'ConfigError');
      expect(refusal).to.have.property('message').that.includes('SIGNING_KEYS_FILE');
    }
  });

  for (const [setting, name] of [
    ['SIGNING_KEYS_FILE', 'signing.json'],
    ['MASTER_KEYS_FILE', 'master.json'],
  ] as const) {
    it(`are refused with ${setting} if missing or unreadable`, async () => {
      const file = join(path(), '..', name);
      const change = () =>
        name === 'master.json' ? open().retireMaster('any') : open().rotateSigning({ atOnce: true });
      const refusals = async () => [await rejectionOf(() => open().list()), await rejectionOf(change)];
      rmSync(file);
      for (const refusal of await refusals())
        expect(refusal).to.deep.include({ lines: [`${setting}: the file cannot be read (ENOENT)`] });
      mkdirSync(file);
      for (const refusal of await refusals())
        expect(refusal).to.deep.include({ lines: [`${setting}: the file cannot be read (EISDIR)`] });
    });
  }
});
