import { expect } from 'chai';
import { accountStoreIndexes, makeMongoAccountStore } from '../../../../adapters/mongodb/account-store.ts';
import { attemptsStoreIndexes, makeMongoAttemptsStore } from '../../../../adapters/mongodb/attempts-store.ts';
import { makeMongoDirectory } from '../../../../adapters/mongodb/directory.ts';
import { domainStoreIndexes, makeMongoDomainStore } from '../../../../adapters/mongodb/domain-store.ts';
import { makeMongoFileOwners } from '../../../../adapters/mongodb/file-store.ts';
import { flowStoreIndexes, makeMongoFlowStore } from '../../../../adapters/mongodb/flow-store.ts';
import {
  loginKeyStoreIndexes,
  makeMongoLoginKeyStore,
} from '../../../../adapters/mongodb/login-key-store.ts';
import { makeMongoSessionStore, sessionStoreIndexes } from '../../../../adapters/mongodb/session-store.ts';
import { tombstoneOf } from '../../../../core/accounts/account.ts';
import {
  NOW,
  sampleAccount,
  sampleFlow,
  sampleLoginKey,
  sampleSession,
  sampleStep,
} from '../../../contracts/samples.ts';
import { indexNames, watchPlans } from './plans.ts';

const INDEXES = {
  ...accountStoreIndexes,
  ...sessionStoreIndexes,
  ...attemptsStoreIndexes,
  ...domainStoreIndexes,
  ...loginKeyStoreIndexes,
  ...flowStoreIndexes,
};

/** Each leads to something; who drops one or adds one says so here. */
const USED = [
  ...['accounts.billed', 'accounts.billing_due', 'accounts.claiming'],
  ...['accounts.email', 'accounts.former_email', 'accounts.listed', 'accounts.listed_by_ban'],
  ...['accounts.listed_by_disablement', 'accounts.listed_by_premium', 'accounts.listed_by_tier'],
  ...['accounts.listed_by_two_factor', 'accounts.listed_by_verified'],
  ...['accounts.operators', 'accounts.pending', 'accounts.sealed'],
  ...['accounts.tallied', 'accounts.unverified', 'domains.due'],
  ...['emails.user', 'flows.ending', 'sessions.ended', 'sessions.expiring'],
  ...['sessions.of_user', 'tries.ending'],
];

describe('The queries for accounts in MongoDB', () => {
  const plans = watchPlans(INDEXES);

  it('are answered out of an index, in its order', async () => {
    const accounts = makeMongoAccountStore(plans.database());
    const account = sampleAccount('a');
    await accounts.add(account);
    for (const call of [
      () => accounts.find('a'),
      () => accounts.findByEmail('a@example.com'),
      () => accounts.add(sampleAccount('b', { email: 'a@example.com' })),
      () => accounts.save({ ...account, email: 'other@example.com' }),
      () =>
        accounts.addAll(
          [sampleAccount('c', { email: 'other@example.com' }), sampleAccount('d')],
          async () => undefined,
        ),
      () => accounts.listByFormerEmail('old@example.com'),
      () => accounts.listWhere({ fact: 'pending', after: 'a' }, 10),
      () => accounts.listWhere({ fact: 'sealed', after: 'a' }, 10),
      () => accounts.listWhere({ fact: 'claims', counted: true }, 10),
      () => accounts.listWhere({ fact: 'billing_due', now: NOW }, 10),
      () => accounts.listWhere({ fact: 'billed', after: 'a' }, 10),
      () => accounts.listWhere({ fact: 'unverified', before: NOW }, 10),
      () => makeMongoFileOwners(plans.database()).standing('a'),
      () => accounts.save(tombstoneOf(sampleAccount('a', { version: 2 }), NOW)),
      () => accounts.remove(sampleAccount('a', { version: 3 })),
    ])
      await plans.expectIndexed(call);
  });

  it('of all that there are, are answered out of an index, in its order', async () => {
    const directory = makeMongoDirectory(plans.database(), { now: () => NOW });
    const after = { createdAt: NOW, id: 'a' };
    for (const filter of [{}, { tier: 'pro' }, { email: 'a@example.com' }]) {
      await plans.expectIndexed(() => directory.list(filter, { skip: 10 }, 10));
      await plans.expectIndexed(() => directory.list(filter, { after }, 10));
      await plans.expectIndexed(() => directory.count(filter));
    }
    for (const filter of [
      { emailBegins: 'a' },
      { emailBegins: 'a', bannedAt: NOW, operator: true },
    ] as const) {
      await plans.expectIndexed(() => directory.list(filter, { skip: 10 }, 10));
      await plans.expectIndexed(() => directory.count(filter));
    }
    for (const filter of [
      { bannedAt: NOW },
      { disabledAt: NOW },
      { unverified: true },
      { operator: true },
      { operator: true, bannedAt: NOW, unverified: true, tier: 'pro' },
    ] as const) {
      await plans.expectIndexed(() => directory.list(filter, { skip: 10 }, 10));
      await plans.expectIndexed(() => directory.list(filter, { after }, 10));
      await plans.expectIndexed(() => directory.count(filter));
    }
    for (const filter of [
      { twoFactor: true },
      { premium: true },
      { premium: true, tier: 'pro', bannedAt: NOW },
    ] as const) {
      await plans.expectIndexed(() => directory.search(filter, null, 10, 2));
      await plans.expectIndexed(() => directory.search(filter, after, 10, 2));
      const filtered = { ...filter, emailBegins: 'a' };
      await plans.expectIndexed(() => directory.search(filtered, null, 10, 2));
      await plans.expectIndexed(() => directory.search(filtered, 'a@example.com', 10, 2));
    }
    await plans.expectIndexed(() => directory.stats(NOW));
    await makeMongoAccountStore(plans.database()).add(sampleAccount('many'));
    const ofMany = makeMongoDirectory(plans.database(), { now: () => NOW }, { few: 0, page: 1, step: 1 });
    await plans.expectIndexed(() => ofMany.stats(NOW));
  });

  it('are answered out of an index, in its order, for sessions', async () => {
    const sessions = makeMongoSessionStore(plans.database());
    await sessions.add(sampleSession('a'), 20);
    for (const call of [
      () => sessions.find('user', 'a'),
      () => sessions.list('user'),
      () => sessions.findWithAccount('user', 'a'),
      () => sessions.change(sampleSession('a'), sampleSession('a', { refreshDigest: 'next' })),
      () => sessions.add(sampleSession('b'), 1),
      () => sessions.end('user', 'b', NOW),
      () => sessions.endAll('user', { keep: 'b', beforeVersion: 3 }, NOW),
      () => sessions.listEnded(10),
      () => sessions.listUses({ userId: 'user', id: 'a', lastUsedAt: NOW }, 10),
      () => sessions.sweep(NOW + 9_000, 10),
      () => sessions.remove('user', 'a'),
    ])
      await plans.expectIndexed(call);
  });

  it('are answered out of an index, in its order, for tries and domains', async () => {
    const tries = makeMongoAttemptsStore(plans.database());
    const domains = makeMongoDomainStore(plans.database());
    const record = { domain: 'a.dev', revision: 'first', owner: null, claims: [], lookAt: NOW };
    await domains.add(record);
    for (const call of [
      () => tries.add('a', 1_000, NOW),
      () => tries.addInTurn([{ key: 'a', most: 1 }], 1_000, NOW),
      () => tries.find('a', NOW),
      () => tries.sweep(NOW + 1_000, 10),
      () => tries.remove(['a']),
      () => tries.most('a', NOW),
      () => tries.removeUnder('a'),
      () => domains.find('a.dev'),
      () => domains.add(record),
      () => domains.listDue(NOW, 10),
      () => domains.save({ ...record, revision: 'second' }, 'first'),
      () => domains.remove('a.dev', 'second'),
    ])
      await plans.expectIndexed(call);
    expect(await domains.find('a.dev')).to.equal(undefined);
  });

  it('are answered out of an index, in its order, for login keys and flows', async () => {
    const keys = makeMongoLoginKeyStore(plans.database());
    const flows = makeMongoFlowStore(plans.database());
    await keys.add(sampleLoginKey('a'));
    await flows.add(sampleFlow('a'));
    for (const call of [
      () => keys.find('a'),
      () => keys.replace(sampleLoginKey('a', { mark: 'second' }), 'first'),
      () => keys.remove({ key: 'a', mark: 'second' }),
      () => flows.find('a', NOW),
      () => flows.step(sampleStep('a'), NOW),
      () => flows.sweep(NOW, 10),
    ])
      await plans.expectIndexed(call);
  });

  it('use every index', () => {
    // One of those that tidy up leads the sweep too.
    expect(indexNames(INDEXES)).to.deep.equal(USED.filter((name) => name !== 'flows.ending'));
    expect(plans.usedIndexes()).to.deep.equal(USED);
  });
});
