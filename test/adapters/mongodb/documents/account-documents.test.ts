import { expect } from 'chai';
import { makeMongoAccountStore } from '../../../../adapters/mongodb/account-store.ts';
import { makeMongoAttemptsStore } from '../../../../adapters/mongodb/attempts-store.ts';
import { makeMongoFileOwners } from '../../../../adapters/mongodb/file-store.ts';
import { makeMongoSessionStore } from '../../../../adapters/mongodb/session-store.ts';
import { type Account, tombstoneOf } from '../../../../core/accounts/account.ts';
import { type JsonObject, newEntitlement } from '../../../../core/accounts/entitlement.ts';
import { rotatedSession } from '../../../../core/accounts/sessions/refresh.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW, sampleAccount, sampleMail, sampleRotation, sampleSession } from '../../../contracts/samples.ts';
import { indexesOf, mongoForTests } from '../mongo-for-tests.ts';

const nested = (depth: number): JsonObject => {
  let inner: JsonObject = {};
  for (let level = 1; level < depth; level += 1) inner = { a: [inner] };
  return inner;
};

/** Free-form JSON as users and operators may store it. */
const FREE_FORM = JSON.parse(
  '{"$set": {"a.b": 1}, "": null, "__proto__": {"x": true}, "toString": "é", "1": -0.5, "n": 9007199254740993, "half": "\\ud800"}',
) as JsonObject;

const full: Partial<Account> = {
  entitlements: [
    {
      ...newEntitlement('e', 'DROP', NOW),
      accessFlags: FREE_FORM,
      metadata: nested(60),
      grant: { isPremium: true },
      claim: { tier: 'pro', isPremium: true, at: NOW },
      customStorageLimit: Number.MAX_SAFE_INTEGER,
    },
  ],
  billing: {
    customers: [{ id: 'cus_$1.a', deleted: { at: NOW * 1_000, rank: 3, id: 'event' } }],
    subscriptions: [],
    granted: true,
    answered: null,
    triedAt: null,
  },
  banned: { reason: '', at: NOW, until: NOW + 1 },
  oauthAccounts: [{ provider: 'x', providerAccountId: '1', email: null, createdAt: '2026-01-01' }],
  customDomain: { domain: 'a.dev', token: 't', verified: true, claimedAt: NOW },
  pending: [sampleMail('m')],
  displayName: 'NUL \u0000 and 🦊',
  avatarAt: 0,
};

describe('The MongoDB stores of accounts and sessions', () => {
  const database = mongoForTests().useDatabase(indexesOf('accounts', 'emails', 'sessions', 'tries'));

  it('read documents of an earlier version, and fill in the missing fields', async () => {
    const [accounts, sessions] = [makeMongoAccountStore(database()), makeMongoSessionStore(database())];
    await accounts.add(sampleAccount('user'));
    await sessions.add(sampleSession('a'), 20);
    const missing = { 'account.twoFactorSetupBy': 1 } as const;
    await database().collection<{ _id: string }>('accounts').updateOne({ _id: 'user' }, { $unset: missing });
    await database()
      .collection<{ _id: string }>('sessions')
      .updateOne(
        { _id: 'user/a' },
        {
          $set: { 'session.previousDigest': 'before', 'session.rotatedAt': NOW },
          $unset: {
            'session.usedTokens': 1,
            'session.tokensFrom': 1,
            'session.authenticatedAt': 1,
            'session.methods': 1,
          },
        },
      );
    expect(await accounts.find('user')).to.deep.equal(sampleAccount('user'));
    const usedTokens = [{ digest: 'before', at: NOW }];
    const session = sampleSession('a', { usedTokens, methods: [] });
    expect(await sessions.find('user', 'a')).to.deep.equal(session);
    expect(await sessions.list('user')).to.deep.equal([session]);
    const sessionWithAccount = await sessions.findWithAccount('user', 'a');
    expect(sessionWithAccount).to.deep.equal({ session, account: sampleAccount('user') });
    const rotated = rotatedSession(session, sampleRotation('a')) ?? session;
    expect(await sessions.change(session, rotated)).to.equal(true);
    expect(await sessions.find('user', 'a')).to.deep.equal(rotated);
    expect(rotated.usedTokens).to.deep.equal([{ digest: 'digest of a', at: NOW + 10 }, ...usedTokens]);
  });

  it('store and return every field of an account, also names of any form and depth', async () => {
    const store = makeMongoAccountStore(database());
    const account = sampleAccount('a', full);
    expect(await store.add(account)).to.equal(true);
    expect(await store.find('a')).to.deep.equal(account);
    expect(await store.findByEmail(account.email)).to.deep.equal(account);
  });

  it('use no name that a user chose as a field name', async () => {
    await makeMongoAccountStore(database()).add(sampleAccount('a', full));
    const names = new Set<string>();
    const collectNames = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || '_bsontype' in value) return;
      for (const [name, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) names.add(name);
        collectNames(inner);
      }
    };
    collectNames(await database().collection('accounts').findOne({}));
    for (const name of names) expect(name).to.match(/^_?[a-z][A-Za-z]*$/);
    expect(names).to.include('accessFlags').and.not.to.include('toString');
  });

  it('refuse keys with half a surrogate pair, which the driver cannot tell apart', async () => {
    const accounts = makeMongoAccountStore(database());
    const attempts = makeMongoAttemptsStore(database());
    for (const call of [
      () => accounts.find('\ud800'),
      () => accounts.add(sampleAccount('\ud800')),
      () => attempts.add('\udfff', 1_000, NOW),
      () => attempts.addInTurn([{ key: '\udfff', most: 1 }], 1_000, NOW),
    ])
      expect(await rejectionOf(call)).to.be.instanceOf(TypeError);
  });

  it('return whether an owner of files is an account, deleted or unknown', async () => {
    const accounts = makeMongoAccountStore(database());
    const owners = makeMongoFileOwners(database());
    for (const id of ['a', 'b', 'c']) await accounts.add(sampleAccount(id));
    await accounts.save(tombstoneOf(sampleAccount('b'), NOW));
    await accounts.remove(sampleAccount('c'));
    const standings = await Promise.all(['a', 'b', 'c', 'd'].map((id) => owners.standing(id)));
    expect(standings).to.deep.equal(['account', 'deleted', 'unknown', 'unknown']);
  });
});
