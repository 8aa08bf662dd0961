import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { by } from './open-admin-accounts.ts';
import { useTamperedStore } from './use-tampered-store.ts';

const TASK =
  '{"kind":"task","id":"00000000-0000-7000-8000-000000000001","at":0,"task":"erase-audit","subject":null}';
const EMPTY = 'UPDATE audit SET content = NULL, salt = NULL';

describe('A forged erasure task', () => {
  const { core, tamper, findBroken } = useTamperedStore();
  let id: string;
  beforeEach(async () => {
    ({ id } = await core().signUp('ada@example.com'));
    await core().operate.setTier(id, { tier: 'pro' }, by('a friend'));
    await core().settle();
  });

  const plantTask = (userId: string, changes = '') =>
    tamper(
      `UPDATE accounts SET pending = 1, doc = json_set(doc, '$.pending', json('[${TASK}]')${changes}) WHERE id = '${userId}'`,
    );
  const actions = () => core().actionsAbout(id);

  it('empties no row of an existing user, and is dropped and logged', async () => {
    plantTask(id);
    const log = makeRecordingLog();
    expect(await createAccounts({ ...core().ports, log }).background.relay()).to.equal(1);
    expect(log.lines.map(({ event }) => event)).to.include('audit.erasure_refused');
    expect((await core().ports.accounts.find(id))?.pending).to.deep.equal([]);
    expect(await actions()).to.deep.equal(['entitlement.changed']);
    expect(await core().operate.verifyAudit()).to.include({ intact: true, rows: 2, erased: 0 });
  });

  it('does not block later pending entries of the account', async () => {
    plantTask(id);
    await core().operate.setTier(id, { tier: 'free' }, by());
    expect(await actions()).to.deep.equal(['entitlement.changed', 'entitlement.changed']);
  });

  it('does not justify an emptied row while it is pending on an existing user', async () => {
    plantTask(id);
    tamper(`${EMPTY} WHERE number = 2`);
    expect(await findBroken()).to.deep.equal({ number: 2, fault: 'altered' });
  });

  it('does not justify the emptied row of a restored user, even if the log records the erasure', async () => {
    tamper('CREATE TABLE kept AS SELECT * FROM accounts');
    plantTask(id, ", '$.deletedAt', 1");
    await core().settle();
    expect(await actions()).to.deep.equal([null, 'audit.erased']);
    tamper(
      `UPDATE accounts SET (doc, pending) = (SELECT doc, pending FROM kept WHERE kept.id = accounts.id)`,
    );
    expect(await findBroken()).to.deep.equal({ number: 2, fault: 'altered' });
  });

  it('empties no row of an operator for whom a tombstone was forged', async () => {
    tamper('CREATE TABLE kept AS SELECT * FROM accounts');
    tamper(
      `UPDATE kept SET id = 'operator:cli', email = NULL, pending = 1,
         doc = json_set(doc, '$.id', 'operator:cli', '$.deletedAt', 1, '$.pending', json('[${TASK}]'))`,
      'INSERT INTO accounts SELECT * FROM kept',
    );
    expect(await actions()).to.deep.equal(['entitlement.changed']);
    expect(await findBroken()).to.equal(null);
    plantTask('operator:cli');
    tamper(`${EMPTY} WHERE number = 2`);
    expect(await findBroken()).to.deep.equal({ number: 2, fault: 'altered' });
  });
});
