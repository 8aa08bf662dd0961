import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { changeSecretFile } from '../../../adapters/files/create-or-replace-secret-file.ts';
import { WrongFile } from '../../../adapters/files/watched-file.ts';
import {
  makeSigningKeySet,
  openSigningKeys,
  parseSigningKeySet,
  rotateSigningKeys,
  type SigningKeySet,
  type SigningKeys,
} from '../../../adapters/jwt/signing-keys.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const NOW = Date.UTC(2026, 0, 1);
const rule = { tokenSeconds: 900, delaySeconds: 600 };

describe('Signing keys', () => {
  const folder = useTempFolder();
  const keySets: SigningKeys[] = [];
  afterEach(() => {
    for (const keys of keySets.splice(0)) keys.close();
  });

  const file = () => join(folder(), 'signing-keys.json');
  const write = async (set: SigningKeySet) => {
    await writeFile(`${file()}.tmp`, JSON.stringify(set));
    await rename(`${file()}.tmp`, file());
  };
  const open = async (set?: SigningKeySet) => {
    if (set !== undefined) await write(set);
    const log = makeRecordingLog();
    const keys = await openSigningKeys({ file: file(), log });
    keySets.push(keys);
    return { keys, log };
  };
  const kids = (set: SigningKeySet) => set.keys.map((key) => key.kid);
  const publishedKids = (keys: SigningKeys, now: number) => keys.published(now).map((key) => key.kid);

  it('may be one ordinary JWK, which signs and is published without its private part', async () => {
    const [jwk] = makeSigningKeySet(NOW).keys;
    if (jwk === undefined) throw new Error('No key was made.');
    const { x, y, d, kid } = jwk;
    const point = { kty: 'EC', crv: 'P-256', x, y };
    await writeFile(file(), JSON.stringify({ ...point, d, alg: 'ES256', use: 'sig' }));
    const { keys } = await open();
    expect(keys.current(0).kid).to.equal(kid);
    expect(keys.published(NOW)).to.deep.equal([{ ...point, kid, alg: 'ES256', use: 'sig' }]);
  });

  it('are published and found until they expire', async () => {
    const set = rotateSigningKeys(makeSigningKeySet(NOW), NOW, rule);
    const [first = '', second = ''] = kids(set);
    const { keys } = await open(set);
    const end = NOW + (600 + 900 + 600) * 1000;
    expect(publishedKids(keys, end - 1)).to.have.members([first, second]);
    expect(keys.find(first, end - 1)?.kid).to.equal(first);
    expect(publishedKids(keys, end)).to.deep.equal([second]);
    expect(keys.find(first, end)).to.equal(undefined);
    expect(keys.find(second, end)?.kid).to.equal(second);
    expect(keys.find('other', NOW)).to.equal(undefined);
  });

  it('sign with the oldest key if none is valid yet', async () => {
    const set = rotateSigningKeys(makeSigningKeySet(NOW), NOW, rule);
    const { keys } = await open({ keys: set.keys.toReversed() });
    expect(keys.current(NOW - 86_400_000).kid).to.equal(kids(set)[0]);
  });

  it('are unavailable for signing if all have expired', async () => {
    const [key] = makeSigningKeySet(NOW).keys;
    if (key === undefined) throw new Error('No key was made.');
    const { keys } = await open({ keys: [{ ...key, exp: NOW / 1000 + 1 }] });
    expect(keys.current(NOW).kid).to.equal(key.kid);
    expect(() => keys.current(NOW + 1000))
      .to.throw()
      .with.property('kind', 'unavailable');
  });

  it('are refused if private and public part do not match', async () => {
    const [first, second] = [...makeSigningKeySet(NOW).keys, ...makeSigningKeySet(NOW).keys];
    if (first === undefined || second === undefined) throw new Error('No key was made.');
    await write({ keys: [{ ...first, d: second.d }] });
    const failure = await open().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(WrongFile);
  });

  it('are used within 1 s of a rotation', async () => {
    const { keys } = await open(makeSigningKeySet(NOW));
    const text = await changeSecretFile(file(), (before) =>
      JSON.stringify(rotateSigningKeys(parseSigningKeySet(before), NOW, { ...rule, delaySeconds: 0 })),
    );
    const expected = kids(parseSigningKeySet(text));
    await until(() => keys.current(NOW).kid === expected[1]);
    expect(publishedKids(keys, NOW)).to.deep.equal(expected);
  });

  it('keep their last valid set while the file is invalid, and log that once', async () => {
    const set = makeSigningKeySet(NOW);
    const { keys, log } = await open(set);
    await writeFile(file(), JSON.stringify(makeSigningKeySet(NOW)).slice(0, 100));
    for (let count = 0; count < 3; count += 1) await keys.refresh();
    expect(publishedKids(keys, NOW)).to.deep.equal(kids(set));
    expect(log.lines).to.deep.equal([
      { level: 'error', event: 'key_file.refused', fields: { id: 'signing', reason: 'is not JSON' } },
    ]);
  });
});
