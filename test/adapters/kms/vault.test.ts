import { expect } from 'chai';
import { openVaultKms } from '../../../adapters/kms/vault.ts';
import { UnusableKey } from '../../../core/errors.ts';
import { expectInvalidSealed, testKms } from '../../contracts/kms.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { openStrictVault, type StrictVault, VAULT_TOKEN } from '../../support/servers/strict-vault.ts';
import { sameBytes } from '../../support/spellings.ts';
import { testKmsFaults } from './faults.ts';

const SECRET = new TextEncoder().encode('secret');
const KEY = 'drop.totp-1';

const openOn = (vault: StrictVault, more: Partial<Parameters<typeof openVaultKms>[0]> = {}) =>
  openVaultKms({ address: vault.url, token: VAULT_TOKEN, transitKey: KEY, log: makeRecordingLog(), ...more });

const startVault = async () => {
  const vault = await openStrictVault();
  vault.addKey(KEY);
  return vault;
};

describe('Vault', () => {
  const time = useFakeTime();
  let vault: StrictVault;
  beforeEach(async () => {
    vault = await startVault();
  });
  afterEach(() => vault.close());

  testKms('vault', async () => openOn(vault));

  it('seals in a format that contains key and version', async () => {
    const kms = openOn(vault);
    const sealed = await kms.seal(SECRET, 'c');
    const name = Buffer.from(KEY).toString('base64url');
    expect(sealed).to.match(new RegExp(`^vk1\\.${name}\\.v1\\.[A-Za-z0-9_-]+$`));
    expect(kms.keyOf(sealed)).to.equal(`${KEY}:v1`);
  });

  it('opens only one spelling of a sealed text', async () => {
    const kms = openOn(vault);
    const [form, name = '', version, body = ''] = (await kms.seal(SECRET, 'c')).split('.');
    const variants = [
      ...sameBytes(body).map((text) => [form, name, version, text]),
      ...sameBytes(name).map((text) => [form, text, version, body]),
      ...['v0', 'v01', '1', 'v', 'V1', 'v1 '].map((text) => [form, name, text, body]),
      ['vk2', name, version, body],
    ];
    for (const parts of variants) {
      await expectInvalidSealed(kms.open(parts.join('.'), 'c'));
      expect(kms.keyOf(parts.join('.'))).to.equal(undefined);
    }
    expect(vault.requests).to.have.length(1);
  });

  it('refuses a text whose key name would change the request path', async () => {
    const kms = openOn(vault);
    const [form, , version, body] = (await kms.seal(SECRET, 'c')).split('.');
    for (const name of ['..', '.', '../../sys/seal', 'a/b', 'a%2Fb', 'a?b', 'a#b', '-a', 'a\n', '']) {
      const text = [form, Buffer.from(name).toString('base64url'), version, body].join('.');
      await expectInvalidSealed(kms.open(text, 'c'));
    }
    expect(vault.requests).to.have.length(1);
  });

  it('seals with the new version after a rotation, and opens a text of the old version', async () => {
    const kms = openOn(vault);
    const before = await kms.seal(SECRET, 'c');
    expect(await kms.current()).to.equal(`${KEY}:v1`);
    expect(await kms.rotate()).to.equal(`${KEY}:v2`);
    expect(await kms.current()).to.equal(`${KEY}:v2`);
    const after = await kms.seal(SECRET, 'c');
    expect([kms.keyOf(before), kms.keyOf(after)]).to.deep.equal([`${KEY}:v1`, `${KEY}:v2`]);
    for (const sealed of [before, after]) expect(await kms.open(sealed, 'c')).to.deep.equal(SECRET);
  });

  it('does not retry a rotation, even if its answer is an error or empty', async () => {
    const kms = openOn(vault);
    vault.faults.push((response) => response.writeHead(500).end('{}'));
    expect(await kms.rotate().catch((error: unknown) => error)).to.include({ code: 'kms_unavailable' });
    expect(vault.requests).to.have.length(1);
    vault.faults.push((response) => response.writeHead(204).end());
    expect(await kms.rotate()).to.equal(`${KEY}:v1`);
  });

  it('reads the latest version again after 10 seconds, and updates it when sealing', async () => {
    const kms = openOn(vault);
    const secondKms = openOn(vault);
    await kms.current();
    await secondKms.rotate();
    time.advance(9_999);
    expect(await kms.current()).to.equal(`${KEY}:v1`);
    time.advance(1);
    expect(await kms.current()).to.equal(`${KEY}:v2`);
    await secondKms.rotate();
    await kms.seal(SECRET, 'c');
    expect(await kms.current()).to.equal(`${KEY}:v3`);
  });

  it('ignores an older version from a stale node', async () => {
    const kms = openOn(vault);
    await kms.rotate();
    time.advance(10_000);
    vault.faults.push((response) => response.end('{"data":{"latest_version":1}}'));
    expect(await kms.current()).to.equal(`${KEY}:v2`);
  });

  it('refuses a text of a version that Vault has retired', async () => {
    const kms = openOn(vault);
    const sealed = await kms.seal(SECRET, 'c');
    await kms.rotate();
    Object.assign(vault.keys.get(KEY) ?? {}, { minDecryptionVersion: 2 });
    await expectInvalidSealed(kms.open(sealed, 'c'));
  });

  it('opens a text of the previously configured key while the token is allowed to', async () => {
    const sealed = await openOn(vault).seal(SECRET, 'c');
    vault.addKey('next');
    const kms = openOn(vault, { transitKey: 'next' });
    expect(await kms.open(sealed, 'c')).to.deep.equal(SECRET);
    Object.assign(vault.keys.get(KEY) ?? {}, { allowed: false });
    for (let count = 0; count < 10; count += 1) {
      const refusal = await rejectionOf(() => kms.open(sealed, 'c'));
      expect(refusal).to.be.instanceOf(UnusableKey).and.include({ code: 'kms_unavailable' });
    }
    expect(kms.isUp(), 'a key that only the text names does not mark the service as down').to.equal(true);
  });

  it('is down if the token loses its right to the configured key', async () => {
    const kms = openOn(vault);
    const sealed = await kms.seal(SECRET, 'c');
    Object.assign(vault.keys.get(KEY) ?? {}, { allowed: false });
    for (let count = 0; count < 5; count += 1) {
      expect(await kms.open(sealed, 'c').catch((error: unknown) => error)).to.include({
        code: 'kms_unavailable',
      });
    }
    expect(kms.isUp()).to.equal(false);
  });

  it('binds the context even if Vault does not support associated data', async () => {
    vault.knowsAssociatedData = false;
    const kms = openOn(vault);
    const sealed = await kms.seal(SECRET, 'totp:1');
    expect(await kms.open(sealed, 'totp:1')).to.deep.equal(SECRET);
    await expectInvalidSealed(kms.open(sealed, 'totp:2'));
  });

  for (const [trouble, cause, reason] of [
    ['the token is invalid', { token: 'hvs.other' }, 'denied'],
    ['the key is missing', { transitKey: 'missing' }, 'rejected'],
  ] as const) {
    it(`is unavailable at once and logs the reason if ${trouble}`, async () => {
      const log = makeRecordingLog();
      const kms = openOn(vault, { ...cause, log });
      expect(await kms.seal(SECRET, 'c').catch((error: unknown) => error)).to.include({
        code: 'kms_unavailable',
      });
      expect(vault.requests).to.have.length(1);
      expect(log.lines).to.deep.equal([{ level: 'warn', event: 'kms.failed', fields: { reason } }]);
    });
  }

  it('is unavailable for the id of the current key while Vault is sealed', async () => {
    const kms = openOn(vault);
    vault.sealed = true;
    expect(await kms.current().catch((error: unknown) => error)).to.include({ code: 'kms_unavailable' });
    vault.sealed = false;
    expect(await kms.current()).to.equal(`${KEY}:v1`);
  });

  it('is unavailable if an answer never ends', async () => {
    const kms = openOn(vault);
    vault.fault = (response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 32)));
      };
      response.writeHead(200).on('drain', more);
      more();
    };
    expect(await kms.seal(SECRET, 'c').catch((error: unknown) => error)).to.include({
      code: 'kms_unavailable',
    });
  });
});

testKmsFaults('vault', async () => {
  const server = await startVault();
  return {
    server,
    open: async (log) => openOn(server, { log }),
    secrets: [VAULT_TOKEN],
  };
});
