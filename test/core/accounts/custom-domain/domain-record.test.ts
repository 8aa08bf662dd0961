import { expect } from 'chai';
import fc from 'fast-check';
import {
  type DomainRecord,
  decodeClaim,
  encodeClaim,
  newDomainRecord,
  withClaim,
  withOwner,
  withoutClaim,
} from '../../../../core/accounts/custom-domain/domain-record.ts';
import { CoreError } from '../../../../core/index.ts';

const HOLD = 7;
const empty = newDomainRecord('acme.dev', 0);
const claimBy = (userId: string, at: number, token = `${userId}'s`) => ({
  userId,
  token,
  at,
  enteredAt: at,
});

/** The record after a step, or the code of the refusal. */
const attempt = (step: () => DomainRecord): DomainRecord | string => {
  try {
    return step();
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'conflict') return error.code;
    throw error;
  }
};

describe('The record of a domain', () => {
  it('holds a claim from its first time on, even if the claim is entered again later', () => {
    const record = withClaim(empty, { ...claimBy('ada', 100), enteredAt: 105 }, HOLD);
    expect(attempt(() => withClaim(record, claimBy('bob', 106), HOLD))).to.equal('domain_taken');
    expect(withClaim(record, claimBy('bob', 107), HOLD).claims).to.have.length(2);
    const lateRecord = withClaim(empty, { ...claimBy('ada', 100), enteredAt: 200 }, HOLD);
    expect(withClaim(lateRecord, claimBy('bob', 201), HOLD).claims).to.have.length(2);
  });

  it('loses its owner only with the claim of the owner', () => {
    const owned = withOwner(withClaim(empty, claimBy('ada', 100), HOLD), claimBy('ada', 101), 200);
    expect(withoutClaim(owned, 'an older one')).to.equal(owned);
    const twice = withClaim(owned, claimBy('ada', 102, 'newer'), HOLD);
    expect(withoutClaim(twice, 'newer').owner).to.deep.equal(owned.owner);
    expect(withoutClaim(owned, "ada's")).to.deep.include({ owner: null, claims: [] });
  });

  it('encodes a claim as a text, and decodes it', () => {
    fc.assert(
      fc.property(fc.domain(), fc.base64String(), (domain, token) => {
        expect(decodeClaim(encodeClaim({ domain, token }))).to.deep.equal({ domain, token });
      }),
    );
  });

  it('has at most one owner, and never refuses a call of the owner, in any sequence of calls', () => {
    const user = fc.constantFrom('ada', 'bob', 'eve');
    const step = fc.record({
      act: fc.constantFrom('claim', 'verify', 'leave'),
      user,
      wait: fc.nat(HOLD),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let record = empty;
        let now = 0;
        let owner: string | undefined;
        const since = new Map<string, number>();
        for (const { act, user: userId, wait } of steps) {
          now += wait;
          const others = [...since].filter(([claimant]) => claimant !== userId);
          if (act === 'leave') {
            record = withoutClaim(record, `${userId}'s`);
            since.delete(userId);
            if (owner === userId) owner = undefined;
          } else if (act === 'claim') {
            const taken =
              (owner !== undefined && owner !== userId) ||
              (!since.has(userId) && others.some(([, at]) => now - at < HOLD));
            const next = attempt(() => withClaim(record, claimBy(userId, now), HOLD));
            expect(next === 'domain_taken', `claim of ${userId} at ${now}`).to.equal(taken);
            if (typeof next === 'string') continue;
            record = next;
            since.set(userId, since.get(userId) ?? now);
          } else if (since.has(userId)) {
            const next = attempt(() => withOwner(record, claimBy(userId, now), now));
            expect(next === 'domain_taken', `verification of ${userId}`).to.equal(
              owner !== undefined && owner !== userId,
            );
            if (typeof next === 'string') continue;
            record = next;
            owner = userId;
          }
          expect(record.owner?.userId).to.equal(owner);
          expect(new Map(record.claims.map(({ userId, at }) => [userId, at]))).to.deep.equal(since);
        }
      }),
      { numRuns: 500 },
    );
  });
});
