import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { changeSecretFile } from '../../../adapters/files/create-or-replace-secret-file.ts';
import { makeKeyRing, parseKeyRing, retireKey, rotateKeyRing } from '../../../adapters/kms/key-ring.ts';
import { makeLocalKms, openLocalKms } from '../../../adapters/kms/local.ts';
import { expectInvalidSealed, testKms } from '../../contracts/kms.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { sameBytes, withEachBitFlipped } from '../../support/spellings.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const SECRET = new TextEncoder().encode('secret');

const ringOf = (ring: ReturnType<typeof makeKeyRing>) => ({ current: () => ring, refresh: async () => {} });

testKms('local', async () => makeLocalKms(ringOf(makeKeyRing(0))));

describe('The local KMS', () => {
  const folder = useTempFolder();
  const ringFile = async () => {
    const file = join(folder(), 'master-keys.json');
    await writeFile(file, JSON.stringify(makeKeyRing(Date.now())));
    return file;
  };
  const open = (file: string) => openLocalKms({ file, log: makeRecordingLog() });
  const rotate = (file: string) =>
    changeSecretFile(file, (text) => JSON.stringify(rotateKeyRing(parseKeyRing(text), Date.now())));

  it('opens a text sealed by another implementation', async () => {
    const key = Buffer.alloc(32, 9).toString('base64');
    const ring = { current: 'old', keys: [{ id: 'old', key, createdAt: '2026-01-01T00:00:00.000Z' }] };
    const sealed = 'gk1.old.AAECAwQFBgcICQoL.mTT4sFk775qYNdekA3hmKBxvaRbJiw';
    expect(await makeLocalKms(ringOf(ring)).open(sealed, 'totp:u1')).to.deep.equal(SECRET);
  });

  it('refuses a text with a flipped bit or another spelling of nonce, ciphertext or tag', async () => {
    const kms = makeLocalKms(ringOf(makeKeyRing(0)));
    const [version, id, nonce = '', body = ''] = (await kms.seal(SECRET, 'c')).split('.');
    const bodies = [...withEachBitFlipped(body), ...sameBytes(body)];
    const nonces = [...withEachBitFlipped(nonce), ...sameBytes(nonce)];
    expect(sameBytes(body)).to.not.be.empty;
    const changed = [
      ...bodies.map((text) => [version, id, nonce, text]),
      ...nonces.map((text) => [version, id, text, body]),
      [version, id, nonce, body, ''],
      ['gk2', id, nonce, body],
    ];
    for (const parts of changed) await expectInvalidSealed(kms.open(parts.join('.'), 'c'));
  });

  it('binds the key id to the sealed text', async () => {
    const ring = rotateKeyRing(makeKeyRing(0), 0);
    const [first, second] = ring.keys;
    // Both ids have an equal key, so that only the id differs.
    const twins = { ...ring, keys: [{ ...first, key: second?.key }, second] };
    const kms = makeLocalKms(ringOf(parseKeyRing(JSON.stringify(twins))));
    const sealed = await kms.seal(SECRET, 'c');
    await expectInvalidSealed(kms.open(sealed.replace(`${second?.id}`, `${first?.id}`), 'c'));
  });

  it('returns the key id of a sealed text, and none for a malformed text', async () => {
    const ring = makeKeyRing(0);
    const kms = makeLocalKms(ringOf(ring));
    const sealed = await kms.seal(SECRET, 'c');
    expect(kms.keyOf(sealed)).to.equal(ring.current);
    for (const text of [
      '',
      'gk1',
      `${sealed}=`,
      `x${sealed}`,
      'gk1..AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
    ]) {
      expect(kms.keyOf(text)).to.equal(undefined);
    }
  });

  it('seals with the new key within 1 s of a rotation, and opens a text of the old key', async () => {
    const file = await ringFile();
    const kms = await open(file);
    try {
      const before = await kms.seal(SECRET, 'c');
      const { current } = parseKeyRing(await rotate(file));
      await until(async () => kms.keyOf(await kms.seal(SECRET, 'c')) === current);
      expect(await kms.open(before, 'c')).to.deep.equal(SECRET);
    } finally {
      kms.close();
    }
  });

  it('opens a text of a process that read the rotation earlier', async () => {
    const file = await ringFile();
    const late = await open(file);
    await rotate(file);
    const early = await open(file);
    try {
      const sealed = await Promise.all([early.seal(SECRET, 'a'), early.seal(SECRET, 'a')]);
      for (const text of sealed) expect(await late.open(text, 'a')).to.deep.equal(SECRET);
    } finally {
      late.close();
      early.close();
    }
  });

  it('refuses a text of a retired key', async () => {
    const first = makeKeyRing(0);
    const sealed = await makeLocalKms(ringOf(first)).seal(SECRET, 'c');
    const kms = makeLocalKms(ringOf(retireKey(rotateKeyRing(first, 0), first.current, 0)));
    await expectInvalidSealed(kms.open(sealed, 'c'));
  });
});
