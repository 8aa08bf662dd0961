import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Entitlement,
  effectiveAccess,
  newEntitlement,
  OPERATOR_FLAGS,
  operatorRole,
  SERVICE,
} from '../../../../core/accounts/entitlement.ts';
import {
  type ChangeRules,
  changeEntitlement,
  type EntitlementChange,
} from '../../../../core/accounts/entitlements/entitlement-rules.ts';
import type { Authority } from '../../../../core/accounts/operators.ts';
import { CoreError } from '../../../../core/index.ts';

const TIERS = ['free', 'pro-lite', 'pro', 'enterprise'];
const self: Authority = { kind: 'self' };
const internal: Authority = { kind: 'internal' };
const rules = (mode: ChangeRules['self']): ChangeRules => ({
  self: mode,
  tiers: TIERS,
  objectLongest: 16_384,
});

const flags = fc.dictionary(
  fc.constantFrom('isOperatorTeam', 'operatorTeamRole', 'beta', '__proto__', 'constructor'),
  fc.constantFrom(true, false, 'founder', 'dev', 1, null),
);
const change: fc.Arbitrary<EntitlementChange> = fc.record(
  {
    tier: fc.constantFrom(...TIERS, null),
    isPremium: fc.boolean(),
    accessFlags: flags,
    metadata: fc.dictionary(fc.string(), fc.jsonValue()),
    customStorageLimit: fc.option(fc.nat()),
    customApiKeyLimit: fc.option(fc.nat()),
  },
  { requiredKeys: [] },
);
/** Changes that users may make themselves in any mode. */
const harmless: fc.Arbitrary<EntitlementChange> = fc.record({
  metadata: fc.dictionary(fc.string(), fc.jsonValue()),
});
const access = fc.record({ tier: fc.constantFrom(...TIERS), isPremium: fc.boolean() });
const entitlement: fc.Arbitrary<Entitlement> = fc
  .record({
    accessFlags: flags,
    grant: fc.option(
      fc.record({ tier: fc.constantFrom(...TIERS), isPremium: fc.boolean() }, { requiredKeys: [] }),
    ),
    claim: fc.option(access.chain((rights) => fc.nat().map((at) => ({ ...rights, at })))),
    billing: fc.option(access.chain((rights) => fc.nat().map((at) => ({ ...rights, at })))),
  })
  .map((parts) => ({ ...newEntitlement('id', SERVICE, 0), ...parts }));

/** The entitlement after the change, or the error code of a refusal. */
const attempt = (before: Entitlement, input: EntitlementChange, by: Authority, mode: ChangeRules['self']) => {
  try {
    return changeEntitlement(before, input, by, rules(mode), 1_000);
  } catch (error) {
    if (error instanceof CoreError) return error.code;
    throw error;
  }
};

const operatorFlags = ({ accessFlags }: Entitlement) => OPERATOR_FLAGS.map((key) => accessFlags[key]);

describe('A change of an entitlement', () => {
  for (const mode of ['ignore', 'reject'] as const) {
    it(`by the user does not change their access in ${mode} mode`, () => {
      fc.assert(
        fc.property(entitlement, fc.oneof(change, harmless), (before, input) => {
          const after = attempt(before, input, self, mode);
          if (mode === 'reject' && Object.keys(input).some((field) => field !== 'metadata')) {
            expect(after).to.equal('privileged_field');
            return;
          }
          fc.pre(typeof after !== 'string');
          expect(effectiveAccess(after, mode)).to.deep.equal(effectiveAccess(before, mode));
          expect({ ...after, metadata: {}, updatedAt: 0 }).to.deep.equal({
            ...before,
            metadata: {},
            updatedAt: 0,
          });
        }),
        { numRuns: 1_000 },
      );
    });
  }

  it('by the user does not change operator flags in any mode', () => {
    fc.assert(
      fc.property(
        entitlement,
        change,
        fc.constantFrom('trust', 'ignore', 'reject'),
        (before, input, mode) => {
          const after = attempt(before, input, self, mode);
          fc.pre(typeof after !== 'string');
          expect(operatorFlags(after)).to.deep.equal(operatorFlags(before));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('of operator flags is allowed only to a founder or the internal secret', () => {
    const input = { accessFlags: { isOperatorTeam: true, operatorTeamRole: 'dev' } };
    const fresh = newEntitlement('id', SERVICE, 0);
    expect(attempt(fresh, input, { kind: 'operator', role: 'dev' }, 'ignore')).to.equal(
      'operator_flags_protected',
    );
    for (const by of [internal, { kind: 'operator', role: 'founder' }] as const) {
      const after = attempt(fresh, input, by, 'ignore');
      expect(typeof after === 'string' ? after : operatorRole([after])).to.equal('dev');
    }
  });

  it('grants only the fields that it contains', () => {
    const paid = {
      ...newEntitlement('id', SERVICE, 0),
      billing: { tier: 'pro-lite', isPremium: true, at: 5 },
    };
    const granted = changeEntitlement(paid, { isPremium: false }, internal, rules('ignore'), 10);
    expect(effectiveAccess(granted, 'ignore')).to.deep.equal({ tier: 'pro-lite', isPremium: false });
  });

  it('lets the later of claim and billing take effect if claims are trusted', () => {
    const base = newEntitlement('id', SERVICE, 0);
    const claim = { tier: 'pro', isPremium: true, at: 10 };
    for (const [at, tier] of [
      [9, 'pro'],
      [11, 'free'],
    ] as const) {
      const both = { ...base, claim, billing: { tier: 'free', isPremium: false, at } };
      expect(effectiveAccess(both, 'trust').tier).to.equal(tier);
      expect(effectiveAccess(both, 'ignore').tier).to.equal('free');
    }
  });

  it('derives premium from the tier unless it sets premium', () => {
    const fresh = newEntitlement('id', SERVICE, 0);
    const set = (input: EntitlementChange) =>
      effectiveAccess(changeEntitlement(fresh, input, self, rules('trust'), 10), 'trust');
    expect(set({ tier: 'pro' })).to.deep.equal({ tier: 'pro', isPremium: true });
    expect(set({ tier: 'free' })).to.deep.equal({ tier: 'free', isPremium: false });
    expect(set({ tier: 'free', isPremium: true })).to.deep.equal({ tier: 'free', isPremium: true });
  });

  it('keeps omitted fields, replaces objects as a whole, and clears a limit with null', () => {
    const start = changeEntitlement(
      newEntitlement('id', SERVICE, 0),
      { customStorageLimit: 5, customApiKeyLimit: 6, metadata: { a: 1 }, accessFlags: { beta: true } },
      internal,
      rules('ignore'),
      10,
    );
    const after = changeEntitlement(
      start,
      { customStorageLimit: null, metadata: { b: 2 } },
      internal,
      rules('ignore'),
      20,
    );
    expect(after).to.deep.include({
      customStorageLimit: null,
      customApiKeyLimit: 6,
      metadata: { b: 2 },
      accessFlags: { beta: true },
    });
  });

  it('is refused for unknown tiers, limits that are not whole numbers, and objects over 16 KiB or with too large a number', () => {
    const fresh = newEntitlement('id', SERVICE, 0);
    expect(attempt(fresh, { tier: 'gold' }, internal, 'ignore')).to.equal('unknown_tier');
    expect(attempt(fresh, { tier: null }, self, 'trust')).to.equal('unknown_tier');
    for (const customStorageLimit of [-1, 1.5, Number.NaN, 2 ** 53]) {
      expect(attempt(fresh, { customStorageLimit }, internal, 'ignore')).to.equal('invalid_limit');
    }
    for (const name of ['metadata', 'accessFlags']) {
      const ofLength = (length: number) => ({ [name]: { a: 'ż'.repeat(length) } });
      expect(attempt(fresh, ofLength(8_188), internal, 'ignore')).to.be.an('object');
      expect(attempt(fresh, ofLength(8_189), internal, 'ignore')).to.equal('object_too_large');
      const change = () => changeEntitlement(fresh, ofLength(8_189), internal, rules('ignore'), 10);
      expect(change).to.throw(`${name} may have at most 16384 bytes`);
    }
    for (const name of ['metadata', 'accessFlags']) {
      const tooLarge = { [name]: JSON.parse('{"a":[{"b":-1e400}]}') };
      expect(attempt(fresh, tooLarge, internal, 'ignore')).to.equal('invalid_request');
    }
    for (const name of ['customStorageLimit', 'customApiKeyLimit'])
      for (const limit of [-1, 0.5]) {
        const change = () => changeEntitlement(fresh, { [name]: limit }, internal, rules('ignore'), 10);
        expect(change).to.throw(`${name} must be a whole number, not negative.`);
      }
    expect(attempt(fresh, { customStorageLimit: 0, customApiKeyLimit: 0 }, internal, 'ignore')).to.be.an(
      'object',
    );
  });
});
