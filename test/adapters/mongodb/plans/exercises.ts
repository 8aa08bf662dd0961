import type { mongoPorts } from '../../../../adapters/mongodb/ports.ts';
import { tombstone } from '../../../../core/accounts/account.ts';
import { fileId, sampleFile } from '../../../contracts/sample-files.ts';
import {
  headAfter,
  NOW,
  sampleAccount,
  sampleAuditRow,
  sampleDelivery,
  sampleFlow,
  sampleLoginKey,
  sampleMail,
  sampleSession,
  sampleStep,
} from '../../../contracts/samples.ts';
import { sampleDay } from '../../../contracts/statistics.ts';

type Ports = ReturnType<typeof mongoPorts>;

const account = sampleAccount('a');
const moved = { ...account, email: 'moved@example.com', version: 1 };
const after = { createdAt: NOW, id: 'a' };
const domain = { domain: 'a.dev', revision: 'first', owner: null, claims: [], lookAt: NOW };

/** What makes each store send every kind of command that it ever sends, the ways round conflicts too. */
export const exercises: Readonly<Record<string, (ports: Ports) => readonly (() => Promise<unknown>)[]>> = {
  accounts: ({ accounts, directory, owners }) => [
    () => accounts.add(account),
    () => accounts.add(sampleAccount('b', { email: account.email })),
    () => accounts.add(sampleAccount('a', { email: 'other@example.com' })),
    () => accounts.save(account),
    () => accounts.save({ ...moved, version: 2 }),
    () => accounts.listWhere({ fact: 'pending', after: 'a' }, 10),
    () => accounts.listWhere({ fact: 'claims', counted: true }, 10),
    () => accounts.listWhere({ fact: 'unverified', before: NOW }, 10),
    () => directory.list({ tier: 'free' }, { after }, 10),
    () => directory.search({ tier: 'free', premium: true }, after, 10, 10),
    () => directory.search({ tier: 'free', emailBegins: 'a' }, null, 10, 10),
    () => directory.count({ email: account.email }),
    () => directory.stats(NOW),
    () => owners.standing('a'),
    () => accounts.save(tombstone({ ...moved, version: 3 }, NOW)),
    () => accounts.add(sampleAccount('c', { email: moved.email })),
    () => accounts.remove(sampleAccount('c')),
    () =>
      accounts.addAll(
        [sampleAccount('m'), sampleAccount('n'), sampleAccount('o', { email: moved.email })],
        async () => undefined,
      ),
  ],
  sessions: ({ sessions, presences }) => [
    () => sessions.add(sampleSession('a'), 20),
    () => sessions.change(sampleSession('a'), sampleSession('a', { refreshDigest: 'next' })),
    () => sessions.add(sampleSession('b'), 1),
    () => sessions.list('user'),
    () => presences.find('user', 'b'),
    () => sessions.end('user', 'b', NOW),
    () => sessions.endAll('user', { keep: 'b', beforeVersion: 3 }, NOW),
    () => sessions.listEnded(10),
    () => sessions.listUses({ userId: 'user', id: 'a', lastUsedAt: NOW }, 10),
    () => sessions.sweep(NOW + 9_000, 10),
    () => sessions.remove('user', 'a'),
  ],
  tries: ({ tries }) => [
    () => tries.add('a', 1_000, NOW),
    () => tries.add('a', 1_000, NOW + 1),
    () => tries.add('a', 1_000, NOW + 2_000),
    () => tries.addInTurn([{ key: 'b', most: 1 }], 1_000, NOW),
    () => tries.find('a', NOW),
    () => tries.sweep(NOW + 9_000, 10),
    () => tries.remove(['a']),
  ],
  domains: ({ customDomains }) => [
    () => customDomains.add(domain),
    () => customDomains.add(domain),
    () => customDomains.save({ ...domain, revision: 'second' }, 'first'),
    () => customDomains.remove(domain.domain, 'second'),
    () => customDomains.listDue(NOW, 10),
  ],
  'login keys and flows': ({ loginKeys, flows }) => [
    () => loginKeys.add(sampleLoginKey('a')),
    () => loginKeys.add(sampleLoginKey('a')),
    () => loginKeys.replace(sampleLoginKey('a', { mark: 'second' }), 'first'),
    () => loginKeys.list('a', 10),
    () => loginKeys.remove({ key: 'a', mark: 'second' }),
    () => flows.add(sampleFlow('a')),
    () => flows.add(sampleFlow('a')),
    () => flows.find('a', NOW),
    () => flows.count(),
    () => flows.step(sampleStep('a'), NOW),
    () => flows.sweep(NOW + 700_000, 10),
  ],
  mails: ({ outbox }) => [
    () => outbox.add('user', sampleMail('a')),
    () => outbox.claim('a', 1),
    () => outbox.postpone('a', { from: NOW, until: NOW }, 'timeout'),
    () => outbox.listDue(NOW, 10),
    () => outbox.bury('a', NOW, 'refused'),
    () => outbox.listByState('dead', 'a', 10),
    () => outbox.retry(null, NOW),
    () => outbox.removeFor('user', 'account-deleted'),
  ],
  webhooks: ({ webhooks }) => [
    () => webhooks.add('user', sampleDelivery('a')),
    () => webhooks.claim('a', 1),
    () => webhooks.listDue(NOW, 10, 'endpoint'),
    () => webhooks.retry(null, NOW),
    () => webhooks.remove('a'),
  ],
  'the audit log': ({ audit }) => [
    () => audit.appendFirst(sampleAuditRow(1), headAfter(sampleAuditRow(1))),
    () => audit.append([sampleAuditRow(2)], headAfter(sampleAuditRow(2))),
    () => audit.listExisting(['entry 1']),
    () => audit.listAbout('user', 1, 10),
    () => audit.listBack(9, 10, { id: 'user', as: 'either' }),
    () => audit.eraseAbout('user', ['entry 2']),
    () => audit.usage(),
  ],
  billing: ({ ledger, links, rates }) => [
    () => ledger.add({ id: 'a', body: '{}' }, NOW),
    () => ledger.move('a', { state: 'pending', dueAt: NOW, failure: 'failed' }),
    () => ledger.move('a', { state: 'waiting', customerId: 'customer' }),
    () => ledger.release('customer', NOW),
    () => ledger.move('a', { state: 'applied', userId: null }),
    () => ledger.retry(null, NOW),
    () => ledger.list({ standing: 'pending' }, { id: 'a', receivedAt: NOW }, 10),
    () => ledger.listOf('user', 10),
    () => ledger.sweep(NOW + 1, 10),
    () => links.link('customer', 'user'),
    () => links.link('customer', 'other'),
    () => links.remove('other'),
    () => rates.read(),
  ],
  leases: ({ leases }) => [
    () => leases.take('relay', 'a', 1_000),
    () => leases.take('relay', 'b', 1_000),
    () => leases.release('relay', 'a'),
    () => leases.take('relay', 'b', 1_000),
    () => leases.noteSuccess('relay'),
    () => leases.list(),
  ],
  'statistics and findings': ({ statistics, findings }) => [
    () => statistics.put(sampleDay('2026-01-01')),
    () => statistics.add('2026-01-01', { cacheHits: 1, cacheMisses: 2 }),
    () => statistics.list('2026-01-01', 10),
    () => findings.put('one', {}, 0),
    () => findings.put('one', {}, 1),
    () => findings.find('one'),
  ],
  files: ({ files, activity, sealed, epoch }) => [
    () => files.add(sampleFile(1)),
    () => files.list('user', null, 10),
    () => activity.add([{ id: fileId(1), count: 1, lastAt: NOW }], 'mark'),
    () => activity.list('user', 0, null, 10),
    () =>
      sealed.replace({ id: fileId(1), entry: sampleFile(1).entry }, { entry: '{}', bytes: 1, keyId: 'next' }),
    () => sealed.countByKey(),
    () => files.remove(fileId(1)),
    () => files.removeSome('user', 10),
    () => files.purge([fileId(1)]),
    () => epoch.raise(),
    () => epoch.read(),
  ],
  objects: ({ objects }) => [
    () => objects.put('user/name.png', Buffer.from('x')),
    () => objects.find('user/name.png'),
    () => objects.removeAll('user'),
  ],
};
