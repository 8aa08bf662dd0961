import { expect } from 'chai';
import fc from 'fast-check';
import type { AccessTokens } from '../../core/accounts/ports.ts';
import { respellings, withEachBitFlipped } from '../support/spellings.ts';

const NOW = Date.UTC(2026, 0, 1) + 999;
const SECOND = 1000;
const claims = { userId: 'user-1', sessionId: 'session-1', tokenId: 'token-1' };

export const testAccessTokens = (name: string, make: () => Promise<AccessTokens>): void => {
  describe(`AccessTokens: ${name}`, () => {
    let tokens: AccessTokens;
    beforeEach(async () => {
      tokens = await make();
    });
    const issue = () => tokens.issue(claims, NOW, 900);

    it('verifies tokens that it issued and returns their claims in whole seconds', async () => {
      const issuedAt = Math.floor(NOW / SECOND);
      const expected = { ...claims, issuedAt, expiresAt: issuedAt + 900 };
      const token = await issue();
      expect(await tokens.verify(token, NOW)).to.deep.equal(expected);
      expect(await tokens.verify(token, NOW)).to.deep.equal(expected);
    });

    for (const isKnown of [false, true]) {
      const kind = isKnown ? 'a token verified before' : 'a token not verified before';
      const issueToken = async () => {
        const token = await issue();
        if (isKnown) await tokens.verify(token, NOW);
        return token;
      };

      it(`accepts ${kind} until it expires and not after`, async () => {
        const token = await issueToken();
        const end = NOW - 999 + 900 * SECOND;
        expect(await tokens.verify(token, end - 1)).to.include(claims);
        expect(await tokens.verify(token, end)).to.equal(undefined);
        expect(await tokens.verify(token, end + 86_400 * SECOND)).to.equal(undefined);
      });

      it(`accepts ${kind} if its clock is at most 60 s behind the issuer's`, async () => {
        const token = await issueToken();
        const issuedAt = NOW - 999;
        expect(await tokens.verify(token, issuedAt - 60 * SECOND)).to.include(claims);
        expect(await tokens.verify(token, issuedAt - 60 * SECOND - 1)).to.equal(undefined);
      });
    }

    it('verifies tokens of a session after it forgot that session', async () => {
      const token = await issue();
      await tokens.verify(token, NOW);
      tokens.forget(claims.sessionId);
      expect(await tokens.verify(token, NOW)).to.include(claims);
    });

    it('publishes the public key that a token names, and no private members', async () => {
      const token = await issue();
      const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
      const { keys } = await tokens.publicKeys(NOW);
      expect(keys.map((key) => key.kid)).to.include(header.kid);
      for (const key of keys) {
        expect(Object.keys(key)).to.have.members(['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use']);
        expect(key).to.include({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
      }
    });

    it('rejects a token with any bit changed in any part', async () => {
      const parts = (await issue()).split('.');
      for (const [place, part] of parts.entries()) {
        for (const other of withEachBitFlipped(part)) {
          expect(await tokens.verify(parts.with(place, other).join('.'), NOW)).to.equal(undefined);
        }
      }
    });

    it('rejects a token with a part shortened, lengthened or re-encoded', async () => {
      const token = await issue();
      await tokens.verify(token, NOW);
      const parts = token.split('.');
      for (const [place, part] of parts.entries()) {
        for (const other of respellings(part)) {
          expect(await tokens.verify(parts.with(place, other).join('.'), NOW), other).to.equal(undefined);
        }
      }
    });

    it('rejects missing, swapped, doubled or case-changed parts', async () => {
      const token = await issue();
      const [header = '', payload = '', signature = ''] = token.split('.');
      const others = [
        ...[
          `${header}.${payload}`,
          `${header}.${payload}.`,
          `.${payload}.${signature}`,
          `${header}..${signature}`,
        ],
        ...[
          `${payload}.${header}.${signature}`,
          `${header}.${signature}.${payload}`,
          `${token}.${signature}`,
        ],
        ...[`${token}.`, `.${token}`, ` ${token}`, `${token}\n`, `Bearer ${token}`, `${token},${token}`],
        ...[token.toUpperCase(), token.toLowerCase(), `${header}.${payload.toLowerCase()}.${signature}`],
      ];
      for (const other of others) expect(await tokens.verify(other, NOW), other).to.equal(undefined);
    });

    it('rejects text that is not a token', async () => {
      const text = fc.oneof(
        fc.string(),
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.base64String(), { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
        fc.json().map((json) => `${Buffer.from(json).toString('base64url')}.e30.AAAA`),
      );
      await fc.assert(
        fc.asyncProperty(text, async (other) => {
          expect(await tokens.verify(other, NOW)).to.equal(undefined);
        }),
      );
      expect(await tokens.verify(`${'A'.repeat(10_000_000)}.e30.AAAA`, NOW)).to.equal(undefined);
    });
  });
};
