import { expect } from 'chai';
import type { StorePorts } from '../../adapters/store.ts';
import {
  SECTIONS,
  type Section,
  type SectionOf,
  type TransferableStore,
  type TransferredRecords,
} from '../../adapters/transfer/sections.ts';
import { STORE_LEASE, takeImportLease, takeStartLease } from '../../adapters/transfer/store-lease.ts';
import { makeLoginKeys } from '../../core/accounts/claim-login-keys.ts';
import { createAccounts } from '../../core/index.ts';
import { openAdminAccounts, password } from '../core/accounts/admin/open-admin-accounts.ts';
import { OLD, openOwner } from '../core/accounts/email-change/open-owner.ts';
import { claimKey } from '../core/accounts/login-keys/claim-key.ts';
import { caller, openPorts } from '../core/accounts/open-core.ts';
import { type Opened, openForEachTest } from './open-for-each-test.ts';
import { rejectionOf } from './rejection.ts';
import { fileId, sampleFile } from './sample-files.ts';
import { NOW, sampleAccount, sampleSession } from './samples.ts';
import { transferSamples } from './transfer-samples.ts';

const BY = { actor: 'operator:cli' };

const COUNTS = {
  ...{ signUps: 1, verified: 1, total: 1, byTier: { free: 1 }, active1: 1, active7: 1, active30: 1 },
  ...{ mailWaitingMost: 0, mailDead: 0 },
};

/** All records of a section, read in pages of `limit` records. */
const allOf = async <T>(section: SectionOf<T>, limit: number): Promise<readonly T[]> => {
  const records: T[] = [];
  for (let after: string | null = null; ; ) {
    const page = await section.read(after, limit);
    const last = page.at(-1);
    if (last === undefined) return records;
    expect(page.length).to.be.at.most(limit);
    records.push(...page.map(({ record }) => record));
    after = last.place;
  }
};

export const transferContract = (
  name: string,
  open: () => Promise<Opened<{ readonly movable: TransferableStore; readonly ports: StorePorts }>>,
): void => {
  describe(`${name} as a transferable store`, () => {
    let movable: TransferableStore;
    let ports: StorePorts;
    openForEachTest(open, (opened) => {
      ({ movable, ports } = opened.store);
    });

    const put = <Name extends Section>(
      section: Name,
      records: readonly TransferredRecords[Name][],
      from = 0,
    ) => movable.sections[section].write(records, from);
    const putSamples = async <Name extends Section>(section: Name) => {
      const samples = transferSamples()[section];
      const half = Math.ceil(samples.length / 2);
      await put(section, samples.slice(0, half));
      await put(section, samples.slice(half), half);
      return samples;
    };

    it('returns the records of each section as written, in one order for every page length', async () => {
      for (const section of SECTIONS) {
        const samples = await putSamples(section);
        const records = await allOf<unknown>(movable.sections[section], 100);
        expect(records, section).to.have.deep.members([...samples]);
        for (const limit of [1, 2, 3])
          expect(await allOf<unknown>(movable.sections[section], limit), section).to.deep.equal(records);
      }
      for (const section of SECTIONS)
        expect(await movable.sections[section].count(), section).to.equal(transferSamples()[section].length);
    });

    it('accepts records again after a write whose outcome is unknown', async () => {
      for (const section of SECTIONS) {
        const samples = await putSamples(section);
        const before = await allOf<unknown>(movable.sections[section], 100);
        const half = Math.ceil(samples.length / 2);
        await put(section, samples.slice(half), half);
        expect(await allOf<unknown>(movable.sections[section], 100), section).to.deep.equal(before);
      }
    });

    it('returns no records from an empty store', async () => {
      for (const section of SECTIONS)
        expect(await movable.sections[section].read(null, 10), section).to.deep.equal([]);
    });

    it("keeps the order in which a user's sessions were added, so that the oldest ends first", async () => {
      const samples = await putSamples('sessions');
      const idsOf = (user: string, all: readonly { readonly userId: string; readonly id: string }[]) =>
        all.filter(({ userId }) => userId === user).map(({ id }) => id);
      const sessions = await allOf(movable.sections.sessions, 3);
      for (const user of ['user', 'other', 'third'])
        expect(idsOf(user, sessions)).to.deep.equal(idsOf(user, samples));

      // The session that was added first has the latest `createdAt`.
      const [first, second] = idsOf('user', samples);
      await ports.sessions.add(sampleSession('new', { createdAt: NOW - 1_000 }), 2);
      expect((await ports.sessions.list('user')).map(({ id }) => id)).to.have.members([second, 'new']);
      expect((await ports.sessions.find('user', String(first)))?.endedAt).to.equal(NOW - 1_000);
      expect(await ports.sessions.list('other')).to.have.length(3);
    });

    it('keeps each email unique after an import, and frees the email of a deleted account', async () => {
      await putSamples('accounts');
      const duplicate = sampleAccount('second', { email: 'plain@example.com' });
      expect(await ports.accounts.add(duplicate)).to.equal(false);
      expect((await ports.accounts.findByEmail('plain@example.com'))?.id).to.equal('plain');
      const plain = await ports.accounts.find('plain');
      expect(
        await ports.accounts.save({ ...sampleAccount('plain'), ...plain, email: 'rich@example.com' }),
      ).to.equal(false);
      expect(await ports.accounts.add(sampleAccount('new', { email: 'gone@example.com' }))).to.equal(true);
      expect(await ports.accounts.add(sampleAccount('gone', { email: 'late@example.com' }))).to.equal(false);
      expect((await ports.accounts.find('gone'))?.deletedAt).to.equal(NOW + 1);
      expect(await ports.owners.standing('gone')).to.equal('deleted');
    });

    it('binds login keys to the accounts that name them, and to no other account', async () => {
      await putSamples('accounts');
      const keys = makeLoginKeys({ ...ports, random: openPorts().ports.random });
      for (const key of ['oidc:a', 'passkey:b']) {
        expect(await keys.find(key)).to.deep.include({ claimed: true });
        expect(await keys.claim(sampleAccount('plain'), key)).to.equal('taken');
      }
      // Unverified sign-ups and imported identities do not own their keys yet.
      expect(await keys.find('oidc:c')).to.equal(undefined);
      expect(await keys.claim(sampleAccount('plain'), 'oidc:c')).to.have.property('key', 'oidc:c');
    });

    it('restores an imported account whose deletion can be undone, with its login key', async () => {
      const source = await openOwner(await openAdminAccounts());
      const key = 'oidc:e';
      const loginKey = await claimKey(makeLoginKeys(source.ports), await source.account(), key);
      const identity = { provider: 'idp', providerAccountId: '5', email: null, createdAt: 'then', key };
      await source.edit(source.id, { oauthAccounts: [identity], loginKeys: [loginKey] });
      const code = await source.change();
      await source.accounts.deleteAccount(await source.principal(), { password }, caller);
      await source.settle();
      const tombstone = await source.account();

      await put('accounts', [tombstone]);
      expect(await allOf(movable.sections.accounts, 10)).to.deep.equal([tombstone]);
      const target = await openAdminAccounts(openPorts(ports));
      const undone = await target.accounts.undoEmailChange({ email: OLD, code }, caller);
      expect(undone).to.deep.include({ deletionUndone: true });
      const owner = await makeLoginKeys(target.ports).find(key);
      expect([owner?.account.email, owner?.claimed]).to.deep.equal([OLD, true]);
      expect(await ports.accounts.findByEmail(OLD)).to.include({ id: source.id });
    });

    it('refuses two accounts that name the same login key', async () => {
      await putSamples('accounts');
      const naming = (id: string, key: string) =>
        sampleAccount(id, { verified: true, loginKeys: [{ key, mark: `mark of ${id}` }] });
      for (const [records, users] of [
        [[naming('thief', 'oidc:a')], 'rich and thief'],
        [[naming('one', 'oidc:d'), naming('two', 'oidc:d')], 'one and two'],
      ] as const) {
        const refusal = await rejectionOf(() => put('accounts', records, 9));
        expect(refusal).to.have.property('name', 'SharedLoginKey');
        expect(String(refusal)).to.include(`The accounts ${users} have`);
        for (const { id } of records) expect(await ports.accounts.find(id)).to.equal(undefined);
      }
      expect((await ports.loginKeys.find('oidc:a'))?.userId).to.equal('rich');
    });

    it('makes imported records available through every port', async () => {
      for (const section of SECTIONS) await putSamples(section);
      expect(
        (await ports.accounts.listWhere({ fact: 'pending', after: null }, 9)).map(({ id }) => id),
      ).to.deep.equal(['rich']);
      expect(
        (await ports.accounts.listWhere({ fact: 'sealed', after: null }, 9)).map(({ id }) => id),
      ).to.deep.equal(['rich']);
      expect(await ports.files.listRemoved(9)).to.have.length(1);
      expect(await ports.files.list('user', null, 9)).to.have.length(2);
      expect(await ports.ledger.count('dead')).to.equal(1);
      expect(
        (await ports.ledger.listDue(NOW + 7, 9, Number.MAX_SAFE_INTEGER)).map(({ id }) => id),
      ).to.deep.equal(['pending']);
      const mails = await ports.outbox.listFor('someone@example.com');
      expect(mails.map(({ entry }) => entry.id)).to.have.members(['failing', 'waiting']);
      expect(await ports.outbox.claim('waiting', 1)).to.equal(true);
      expect(await ports.attempts.find('digest 3', NOW)).to.deep.equal({ count: 3, firstAt: NOW });
      expect((await ports.customDomains.find('xn--bcher-kva.dev'))?.owner?.failedDays).to.equal(3);
      expect(await ports.links.find('two')).to.equal('user of two');
      expect((await ports.rates.read())?.good?.mid).to.equal('3.6521');
      const days = await ports.statistics.list('2026-11-01', 9);
      expect(days.map(({ day, total, mailWaitingMost }) => [day, total, mailWaitingMost])).to.deep.equal([
        ['2026-11-20', 9, 3],
        ['2026-11-21', 9, 3],
      ]);
      // This day has only counts of cache reads.
      await ports.statistics.put({ ...COUNTS, day: '2026-11-19' });
      expect((await ports.statistics.list('2026-11-19', 1))[0]).to.include({ cacheHits: 5, signUps: 1 });
      const bytes = await ports.objects.find('other/avatar_1.jpg');
      expect(bytes).to.have.length(2_001);
    });

    it('keeps an audit log that verifies and accepts further rows', async () => {
      const from = openPorts();
      const source = createAccounts(from.ports).operate;
      for (const row of [1, 2, 3]) await source.record('key.made', `key:${row}`, { row }, BY);
      await movable.startImport({ id: 'file', lines: 0 });
      const head = await from.ports.audit.head();
      if (head === undefined) throw new Error('The audit log has no head.');
      await put('audit', await from.ports.audit.list(1, 10));
      await put('auditHead', [head]);
      const { operate } = createAccounts({ ...from.ports, audit: ports.audit });
      const rows = head.number;
      expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows, broken: null });
      await operate.record('key.made', 'key:9', {}, BY);
      expect(await operate.verifyAudit()).to.deep.include({ intact: true, rows: rows + 1 });
    });

    it('is fresh after a first start, and no longer after its first use', async () => {
      const [first] = transferSamples().audit;
      if (first === undefined) throw new Error('The samples have no audit row.');
      expect(await ports.audit.appendFirst(first, { number: 1, value: 'value 1', signature: 's' })).to.equal(
        true,
      );
      await ports.rates.write({ good: null, confirmedAt: NOW, doubted: null });
      await ports.leases.take('relay', 'process', 1_000);
      expect(await movable.isFresh()).to.equal(true);
      await ports.accounts.add(sampleAccount('a'));
      expect(await movable.isFresh()).to.equal(false);
    });

    for (const section of ['files', 'domains', 'events', 'links', 'outbox'] as const) {
      it(`is not fresh with ${section}`, async () => {
        await putSamples(section);
        expect(await movable.isFresh()).to.equal(false);
      });
    }

    it('is in use while a process holds a lease', async () => {
      const now = Date.now();
      expect(await movable.isAtWork(now)).to.equal(false);
      await ports.leases.take('relay', 'process', 60_000);
      // The clock of the lease holder may be behind.
      for (const later of [0, 70_000]) expect(await movable.isAtWork(now + later), `${later}`).to.equal(true);
      expect(await movable.isAtWork(now + 120_000)).to.equal(false);
      await ports.leases.release('relay', 'process');
      expect(await movable.isAtWork(now)).to.equal(false);
    });

    it('is not in use by a lease from before the clock was set back', async () => {
      await ports.leases.take('relay', 'process', 6_000);
      expect(await movable.isAtWork(Date.now() - 86_400_000)).to.equal(false);
    });

    it('is locked by starting servers or by one import, without a trace of use', async () => {
      const { leases } = ports;
      const before = await movable.state();
      const lock = await takeImportLease(leases, 'one');
      expect(await takeImportLease(leases, 'another')).to.equal(undefined);
      expect(await takeStartLease(leases)).to.equal(false);
      expect(await lock?.renew()).to.equal(true);
      await lock?.release();

      expect([await takeStartLease(leases), await takeStartLease(leases)]).to.deep.equal([true, true]);
      expect(await takeImportLease(leases, 'another')).to.equal(undefined);
      expect(await movable.isAtWork(Date.now())).to.equal(false);
      expect(await movable.state()).to.equal(before);
      const [first] = transferSamples().audit;
      if (first === undefined) throw new Error('The samples have no audit row.');
      expect(await ports.audit.appendFirst(first, { number: 1, value: 'value 1', signature: 's' })).to.equal(
        true,
      );
    });

    it('refuses to renew the lock of an import that another replaced, and stays ended', async () => {
      const late = await takeImportLease(ports.leases, 'late');
      await ports.leases.release(STORE_LEASE, 'late');
      const next = await takeImportLease(ports.leases, 'next');
      expect(await late?.renew()).to.equal(false);
      await next?.release();
      expect(await late?.renew()).to.equal(false);

      await movable.startImport({ id: 'file', lines: 0 });
      await movable.endImport();
      await movable.saveProgress({ id: 'file', lines: 2 });
      expect(await movable.unfinishedImport()).to.equal(undefined);
    });

    it('changes its state after a process has held a lease', async () => {
      const states = [await movable.state()];
      expect(await movable.state()).to.equal(states[0]);
      for (const holder of ['one', 'two']) {
        await ports.leases.take('mail', holder, 60_000);
        await ports.leases.release('mail', holder);
        states.push(await movable.state());
      }
      expect(new Set(states).size).to.equal(3);
    });

    it('changes its state after file records were added, or their keys wrapped again, without a lease', async () => {
      const states = [await movable.state()];
      await ports.files.add(sampleFile(1));
      states.push(await movable.state());
      const wrappedAgain = { entry: 'wrapped again', bytes: 100, keyId: 'next key' };
      await ports.sealed.replace({ id: fileId(1), entry: sampleFile(1).entry }, wrappedAgain);
      states.push(await movable.state());
      expect(new Set(states).size).to.equal(3);
    });

    it('stores the progress of an import until it ends, and empties caches then', async () => {
      expect(await movable.unfinishedImport()).to.equal(undefined);
      await putSamples('audit');
      await putSamples('rates');
      await putSamples('statistics');
      expect(await ports.jobResults.put('audit-check', { isRunning: false }, 0)).to.equal(true);
      await movable.startImport({ id: 'file', lines: 0 });
      expect(await movable.unfinishedImport()).to.deep.equal({ id: 'file', lines: 0 });
      expect(await ports.jobResults.find('audit-check')).to.equal(undefined);
      for (const section of SECTIONS) expect(await movable.sections[section].read(null, 1)).to.deep.equal([]);
      await movable.saveProgress({ id: 'file', lines: 200 });
      expect(await movable.unfinishedImport()).to.deep.equal({ id: 'file', lines: 200 });
      const generation = await ports.cacheGeneration.read();
      await movable.endImport();
      expect(await movable.unfinishedImport()).to.equal(undefined);
      expect(await ports.cacheGeneration.read()).to.be.greaterThan(generation);
    });
  });
};
