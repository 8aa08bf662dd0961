import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { makeAccessTokens } from '../../../adapters/jwt/access-tokens.ts';
import {
  makeSigningKeySet,
  openSigningKeys,
  type SigningKeySet,
  type SigningKeys,
} from '../../../adapters/jwt/signing-keys.ts';
import type { AccessTokens } from '../../../core/accounts/ports.ts';
import { testAccessTokens } from '../../contracts/access-tokens.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const NOW = Date.UTC(2026, 0, 1);
const audience = 'gatehouse';
const issuer = 'https://drop.test';

describe('Access tokens as JWTs', () => {
  const folder = useTempFolder('suite');
  const file = () => join(folder(), 'signing-keys.json');
  const keySets: SigningKeys[] = [];
  const open = async () => {
    const keys = await openSigningKeys({ file: file(), log: makeRecordingLog() });
    keySets.push(keys);
    return keys;
  };
  const write = async (set: SigningKeySet) => {
    await writeFile(`${file()}.tmp`, JSON.stringify(set));
    await rename(`${file()}.tmp`, file());
  };
  before(() => write(makeSigningKeySet(NOW)));
  afterEach(() => {
    for (const keys of keySets.splice(0)) keys.close();
  });

  testAccessTokens('jose', async () => makeAccessTokens({ keys: await open(), issuer, audience }));

  it('are valid for one audience, the own service by default, and refused for an unlisted one', async () => {
    const keys = await open();
    const tokens = makeAccessTokens({ keys, issuer, audience, otherAudiences: ['notes'] });
    const claims = { userId: 'u', sessionId: 's', tokenId: 't' };
    const [first, notes, files] = await Promise.all(
      [{}, { audience: 'notes' }, { audience: 'files' }].map((audience) =>
        tokens.issue({ ...claims, ...audience }, NOW, 900),
      ),
    );
    const audienceOf = async (token = '') => (await tokens.verify(token, NOW))?.audience;
    expect(await tokens.verify(first ?? '', NOW)).not.to.have.property('audience');
    for (const _ of ['checked', 'remembered']) expect(await audienceOf(notes)).to.equal('notes');
    expect(await tokens.verify(files ?? '', NOW)).to.equal(undefined);
  });

  describe('once verified', () => {
    let keys: SigningKeys;
    let tokens: AccessTokens;
    let checks: sinon.SinonSpy;
    beforeEach(async () => {
      keys = await open();
      tokens = makeAccessTokens({ keys, issuer, audience, cacheSize: 2 });
      checks = sinon.spy(crypto.subtle, 'verify');
    });
    afterEach(() => checks.restore());

    const issue = (sessionId: string) =>
      tokens.issue({ userId: 'u', sessionId, tokenId: sessionId }, NOW, 900);
    /** Counts the signature checks for the token. */
    const checksFor = async (token: string, isValid = true) => {
      checks.resetHistory();
      expect((await tokens.verify(token, NOW)) !== undefined).to.equal(isValid);
      return checks.callCount;
    };

    it('are accepted again without another signature check', async () => {
      const token = await issue('1');
      expect(await checksFor(token)).to.equal(1);
      expect(await checksFor(token)).to.equal(0);
    });

    it('are checked again after their session was forgotten, unlike others', async () => {
      const [first, second] = [await issue('1'), await issue('2')];
      await Promise.all([tokens.verify(first, NOW), tokens.verify(second, NOW)]);
      tokens.forget('1');
      expect(await checksFor(second)).to.equal(0);
      expect(await checksFor(first)).to.equal(1);
    });

    it('are evicted from the cache in order of their last use', async () => {
      const [first, second, third] = [await issue('1'), await issue('2'), await issue('3')];
      for (const token of [first, second, first, third]) await tokens.verify(token, NOW);
      expect(await checksFor(first)).to.equal(0);
      expect(await checksFor(third)).to.equal(0);
      expect(await checksFor(second)).to.equal(1);
    });

    it('are not evicted by invalid tokens, which are checked each time', async () => {
      const token = await issue('1');
      await tokens.verify(token, NOW);
      const [header, , signature] = token.split('.');
      for (let round = 0; round < 20; round += 1) {
        const payload = Buffer.from(JSON.stringify({ sub: `u${round}` })).toString('base64url');
        expect(await checksFor(`${header}.${payload}.${signature}`, false)).to.equal(1);
        expect(await checksFor(`${header}.${payload}.${signature}`, false)).to.equal(1);
        expect(await checksFor(`garbage-${round}`, false)).to.equal(0);
      }
      expect(await checksFor(token)).to.equal(0);
    });

    it('are checked again after a change of the key file, and refused without their key', async () => {
      const set = makeSigningKeySet(NOW);
      await write(set);
      await keys.refresh();
      const token = await issue('1');
      await tokens.verify(token, NOW);
      const more = { keys: [...set.keys, ...makeSigningKeySet(NOW).keys] };
      await write(more);
      await keys.refresh();
      expect(await checksFor(token)).to.equal(1);
      await write({ keys: more.keys.slice(1) });
      await keys.refresh();
      expect(await checksFor(token, false)).to.equal(0);
    });

    it('are refused after their key has expired', async () => {
      const [key] = makeSigningKeySet(NOW).keys;
      if (key === undefined) throw new Error('No key was made.');
      await write({ keys: [{ ...key, exp: NOW / 1000 + 60 }] });
      await keys.refresh();
      const token = await issue('1');
      expect(await tokens.verify(token, NOW + 59_999)).to.include({ sessionId: '1' });
      expect(await tokens.verify(token, NOW + 60_000)).to.equal(undefined);
    });
  });

  it('are accepted by a process that has not read the new key yet', async () => {
    const late = makeAccessTokens({ keys: await open(), issuer, audience });
    await write(makeSigningKeySet(NOW));
    const early = makeAccessTokens({ keys: await open(), issuer, audience });
    const token = await early.issue({ userId: 'u', sessionId: 's', tokenId: 't' }, NOW, 900);
    expect(await late.verify(token, NOW)).to.include({ userId: 'u' });
  });
});
