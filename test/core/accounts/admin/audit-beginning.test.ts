import { expect } from 'chai';
import { makeDigest } from '../../../../adapters/crypto/digest.ts';
import { auditDigest, chainText } from '../../../../core/accounts/outbox/audit-chain.ts';
import { createAccounts } from '../../../../core/index.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { caller } from '../open-core.ts';
import { by, password } from './open-admin-accounts.ts';
import { useTamperedStore } from './use-tampered-store.ts';

const TABLES = ['accounts', 'sessions', 'outbox', 'tries', 'leases'];

describe('The opening row of the audit log', () => {
  const { core, tamper } = useTamperedStore();
  const deleteLog = () => tamper('DELETE FROM audit', 'DELETE FROM audit_head');
  const deleteRecords = () => tamper(...TABLES.map((table) => `DELETE FROM ${table}`));
  const addRow = () => core().operate.record('key.made', 'key', {}, by());
  const findBrokenRow = async () => (await core().operate.verifyAudit()).broken;
  const cutOff = (problem: string) => ({ number: 1, fault: 'cut off', problem });

  it('is written once, when a new store is opened', async () => {
    await core().accounts.open();
    const verdict = await core().operate.verifyAudit();
    expect(verdict).to.include({ intact: true, rows: 1 });
    expect(verdict.head).to.match(/^1\./);
    const [row] = await core().ports.audit.list(1, 10);
    expect(JSON.parse(row?.content ?? '')).to.deep.include({
      action: 'audit.begun',
      actor: 'system',
      after: { inUse: false },
    });
  });

  it('provides the head that the process logs, once a log exists', async () => {
    const { accounts, lines, operate } = core();
    const heads = () => lines.filter(({ event }) => event === 'audit.head').map(({ fields }) => fields);
    const { head } = await operate.verifyAudit();
    expect(await accounts.background.logAuditHead()).to.equal(0);
    expect(heads()).to.deep.equal([{ count: 1, id: head?.replace(/^1\./, '') }]);
    deleteLog();
    await accounts.background.logAuditHead();
    expect(heads()).to.have.length(1);
  });

  it('is written once if 20 processes start at the same time', async () => {
    deleteLog();
    await Promise.all(Array.from({ length: 20 }, () => createAccounts(core().ports).open()));
    expect(await core().operate.verifyAudit()).to.include({ intact: true, rows: 1 });
  });

  it('makes a start log `hash_key.unknown` if it was written under another hash key', async () => {
    const [ownKey, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    deleteRecords();
    deleteLog();
    const linesAtStart = async (...keys: readonly Buffer[]) => {
      const log = makeRecordingLog();
      await createAccounts({ ...core().ports, digest: makeDigest(keys), log }).open();
      return log.lines.map(({ level, event }) => `${level} ${event}`);
    };
    expect(await linesAtStart(ownKey)).to.deep.equal([]);
    expect(await linesAtStart(ownKey)).to.deep.equal([]);
    expect(await linesAtStart(otherKey)).to.deep.equal(['error hash_key.unknown']);
    expect(await linesAtStart(otherKey, ownKey)).to.deep.equal([]);
  });

  it('is reported missing without a recorded head if the whole log was deleted', async () => {
    await core().signUp('ada@example.com');
    await addRow();
    deleteLog();
    expect(await findBrokenRow()).to.deep.equal(cutOff('the store is in use, but the log is missing'));
    // A new start does not hide the loss.
    await core().accounts.open();
    expect(await findBrokenRow()).to.deep.equal(cutOff('the store is in use, but the log is missing'));
  });

  it('reveals that the log was restarted while the store was in use', async () => {
    await core().signUp('ada@example.com');
    deleteLog();
    await addRow();
    await addRow();
    expect(await core().operate.verifyAudit()).to.deep.include({
      rows: 3,
      broken: cutOff('the log was restarted while the store was in use'),
    });
  });

  for (const table of TABLES) {
    it(`is reported missing if only ${table} shows that the store is in use`, async () => {
      await core().signUp('ada@example.com');
      await core().accounts.register({ email: 'eve@example.com', password }, caller);
      await core().accounts.background.relay();
      await core().ports.attempts.add('key', 1_000, core().ports.clock.now());
      tamper(
        "INSERT INTO leases (name, fence, ends_at) VALUES ('relay', 1, 0)",
        ...TABLES.filter((otherTable) => otherTable !== table).map(
          (otherTable) => `DELETE FROM ${otherTable}`,
        ),
      );
      deleteLog();
      expect(await findBrokenRow()).to.deep.equal(cutOff('the store is in use, but the log is missing'));
    });
  }

  it('is reported as too recent if accounts that were hidden during its creation are restored', async () => {
    const { id } = await core().signUp('ada@example.com');
    tamper('CREATE TABLE away AS SELECT * FROM accounts');
    deleteLog();
    deleteRecords();
    const later = { now: () => core().ports.clock.now() + 90_000_000 };
    await createAccounts({ ...core().ports, clock: later }).open();
    expect(await findBrokenRow()).to.equal(null);
    tamper('INSERT INTO accounts SELECT * FROM away');
    expect(await core().ports.accounts.find(id)).not.to.equal(undefined);
    expect(await findBrokenRow()).to.deep.equal(cutOff('some accounts are older than the log'));
  });

  it('may be up to a day younger than an account, because a clock may have been wrong', async () => {
    tamper('DELETE FROM audit', 'DELETE FROM audit_head');
    const ahead = { now: () => core().ports.clock.now() + 86_000_000 };
    await createAccounts({ ...core().ports, clock: ahead }).open();
    await core().signUp('ada@example.com');
    expect(await findBrokenRow()).to.equal(null);
  });

  it('is valid if imported users have an earlier creation time', async () => {
    const line = JSON.stringify({ email: 'old@example.com', createdAt: '2001-02-03' });
    const counts = await core().operate.importUsers(
      (async function* () {
        yield line;
      })(),
      { dryRun: false, onBad: () => undefined, onProgress: () => undefined },
      by(),
    );
    expect(counts.added).to.equal(1);
    expect(await findBrokenRow()).to.equal(null);
  });

  it('is not required in a log of a version that did not write it', async () => {
    deleteLog();
    await core().signUp('ada@example.com');
    const { audit, digest } = core().ports;
    const entry = { id: 'old', at: 1, actor: 'system', action: 'user.banned', target: 'user', reason: null };
    const content = JSON.stringify({ ...entry, before: null, after: null, requestId: null });
    const placed = {
      number: 1,
      entryId: 'old',
      target: 'user',
      actor: 'system',
      digest: auditDigest(digest, 'salt', content),
    };
    const value = digest.keyed('audit-chain', chainText('', placed));
    const signature = digest.keyed('audit-head', `1.${value}`);
    const rows = [{ ...placed, content, salt: 'salt', value }];
    await audit.append(async () => ({ rows, head: { number: 1, value, signature } }));
    await addRow();
    expect(await core().operate.verifyAudit()).to.include({ intact: true, rows: 2 });
  });
});
