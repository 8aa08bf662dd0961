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
import { indexesOf, mongoForTests } from '../opened.ts';

const nested = (depth: number): JsonObject => {
  let inner: JsonObject = {};
  for (let level = 1; level < depth; level += 1) inner = { a: [inner] };
  return inner;
};

/** What users and operators may make of the objects of theirs. */
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

describe('A MongoDB document', () => {
  const database = mongoForTests().useDatabase(indexesOf('accounts', 'emails', 'sessions', 'tries'));

  it('of an earlier version is read with what it had no place for', async () => {
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
    const presence = await sessions.findWithAccount('user', 'a');
    expect(presence).to.deep.equal({ session, account: sampleAccount('user') });
    const rotated = rotatedSession(session, sampleRotation('a')) ?? session;
    expect(await sessions.change(session, rotated)).to.equal(true);
    expect(await sessions.find('user', 'a')).to.deep.equal(rotated);
    expect(rotated.usedTokens).to.deep.equal([{ digest: 'digest of a', at: NOW + 10 }, ...usedTokens]);
  });

  it('of an account holds all of it, names of any form and depth too, and gives it back', async () => {
    const store = makeMongoAccountStore(database());
    const account = sampleAccount('a', full);
    expect(await store.add(account)).to.equal(true);
    expect(await store.find('a')).to.deep.equal(account);
    expect(await store.findByEmail(account.email)).to.deep.equal(account);
  });

  it('of an account has no name of a field that a user chose', async () => {
    await makeMongoAccountStore(database()).add(sampleAccount('a', full));
    const names = new Set<string>();
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || '_bsontype' in value) return;
      for (const [name, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) names.add(name);
        look(inner);
      }
    };
    look(await database().collection('accounts').findOne({}));
    for (const name of names) expect(name).to.match(/^_?[a-z][A-Za-z]*$/);
    expect(names).to.include('accessFlags').and.not.to.include('toString');
  });

  it('is not looked for by half a surrogate pair, which would be any other', async () => {
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

  it('of an account tells who may own files', async () => {
    const accounts = makeMongoAccountStore(database());
    const owners = makeMongoFileOwners(database());
    for (const id of ['a', 'b', 'c']) await accounts.add(sampleAccount(id));
    await accounts.save(tombstoneOf(sampleAccount('b'), NOW));
    await accounts.remove(sampleAccount('c'));
    const standings = await Promise.all(['a', 'b', 'c', 'd'].map((id) => owners.standing(id)));
    expect(standings).to.deep.equal(['account', 'deleted', 'unknown', 'unknown']);
  });
});
