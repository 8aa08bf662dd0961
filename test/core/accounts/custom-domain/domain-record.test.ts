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
const by = (userId: string, at: number, token = `${userId}'s`) => ({
  userId,
  token,
  at,
  enteredAt: at,
});

/** The record after a step, or the code with which it was refused. */
const attempt = (step: () => DomainRecord): DomainRecord | string => {
  try {
    return step();
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'conflict') return error.code;
    throw error;
  }
};

describe('The record of a domain', () => {
  it('counts a claim from when the user first made it, however late it was entered again', () => {
    const again = withClaim(empty, { ...by('ada', 100), enteredAt: 105 }, HOLD);
    expect(attempt(() => withClaim(again, by('bob', 106), HOLD))).to.equal('domain_taken');
    expect(withClaim(again, by('bob', 107), HOLD).claims).to.have.length(2);
    const late = withClaim(empty, { ...by('ada', 100), enteredAt: 200 }, HOLD);
    expect(withClaim(late, by('bob', 201), HOLD).claims).to.have.length(2);
  });

  it('lets go of an owner only with the owner’s own claim', () => {
    const owned = withOwner(withClaim(empty, by('ada', 100), HOLD), by('ada', 101), 200);
    expect(withoutClaim(owned, 'an older one')).to.equal(owned);
    const twice = withClaim(owned, by('ada', 102, 'newer'), HOLD);
    expect(withoutClaim(twice, 'newer').owner).to.deep.equal(owned.owner);
    expect(withoutClaim(owned, "ada's")).to.deep.include({ owner: null, claims: [] });
  });

  it('names a claim in one word', () => {
    fc.assert(
      fc.property(fc.domain(), fc.base64String(), (domain, token) => {
        expect(decodeClaim(encodeClaim({ domain, token }))).to.deep.equal({ domain, token });
      }),
    );
  });

  it('has one owner at most, and never refuses that one, in any history', () => {
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
        for (const { act, user: who, wait } of steps) {
          now += wait;
          const others = [...since].filter(([one]) => one !== who);
          if (act === 'leave') {
            record = withoutClaim(record, `${who}'s`);
            since.delete(who);
            if (owner === who) owner = undefined;
          } else if (act === 'claim') {
            const taken =
              (owner !== undefined && owner !== who) ||
              (!since.has(who) && others.some(([, at]) => now - at < HOLD));
            const next = attempt(() => withClaim(record, by(who, now), HOLD));
            expect(next === 'domain_taken', `claim of ${who} at ${now}`).to.equal(taken);
            if (typeof next === 'string') continue;
            record = next;
            since.set(who, since.get(who) ?? now);
          } else if (since.has(who)) {
            const next = attempt(() => withOwner(record, by(who, now), now));
            expect(next === 'domain_taken', `verification of ${who}`).to.equal(
              owner !== undefined && owner !== who,
            );
            if (typeof next === 'string') continue;
            record = next;
            owner = who;
          }
          expect(record.owner?.userId).to.equal(owner);
          expect(new Map(record.claims.map(({ userId, at }) => [userId, at]))).to.deep.equal(since);
        }
      }),
      { numRuns: 500 },
    );
  });
});
