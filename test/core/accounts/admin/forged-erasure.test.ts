import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { by } from './open-operated.ts';
import { useTamperedStore } from './use-tampered-store.ts';

const TASK =
  '{"kind":"task","id":"00000000-0000-7000-8000-000000000001","at":0,"task":"erase-audit","subject":null}';
const EMPTY = 'UPDATE audit SET content = NULL, salt = NULL';

describe('An erasure that no deletion began', () => {
  const { operated, tamper, findBroken } = useTamperedStore();
  let id: string;
  beforeEach(async () => {
    ({ id } = await operated().signUp('ada@example.com'));
    await operated().operate.setTier(id, { tier: 'pro' }, by('a friend'));
    await operated().settle();
  });

  const leaveTask = (userId: string, more = '') =>
    tamper(
      `UPDATE accounts SET pending = 1, doc = json_set(doc, '$.pending', json('[${TASK}]')${more}) WHERE id = '${userId}'`,
    );
  const actions = () => operated().actionsAbout(id);

  it('empties no row of a user who is still there, is dropped, and is told to the log', async () => {
    leaveTask(id);
    const log = makeRecordingLog();
    expect(await createAccounts({ ...operated().ports, log }).background.relay()).to.equal(1);
    expect(log.lines.map(({ event }) => event)).to.include('audit.erasure_refused');
    expect((await operated().ports.accounts.find(id))?.pending).to.deep.equal([]);
    expect(await actions()).to.deep.equal(['entitlement.changed']);
    expect(await operated().operate.verifyAudit()).to.include({ intact: true, rows: 2, erased: 0 });
  });

  it('does not hold up what the account has pending behind it', async () => {
    leaveTask(id);
    await operated().operate.setTier(id, { tier: 'free' }, by());
    expect(await actions()).to.deep.equal(['entitlement.changed', 'entitlement.changed']);
  });

  it('explains no emptied row while it waits on a user who is still there', async () => {
    leaveTask(id);
    tamper(`${EMPTY} WHERE number = 2`);
    expect(await findBroken()).to.deep.equal({ number: 2, fault: 'altered' });
  });

  it('explains no emptied row of a user who is there again, though the log says so', async () => {
    tamper('CREATE TABLE kept AS SELECT * FROM accounts');
    leaveTask(id, ", '$.deletedAt', 1");
    await operated().settle();
    expect(await actions()).to.deep.equal([null, 'audit.erased']);
    tamper(
      `UPDATE accounts SET (doc, pending) = (SELECT doc, pending FROM kept WHERE kept.id = accounts.id)`,
    );
    expect(await findBroken()).to.deep.equal({ number: 2, fault: 'altered' });
  });

  it('empties no row of an operator, for whom somebody made a tombstone', async () => {
    tamper('CREATE TABLE kept AS SELECT * FROM accounts');
    tamper(
      `UPDATE kept SET id = 'operator:cli', email = NULL, pending = 1,
         doc = json_set(doc, '$.id', 'operator:cli', '$.deletedAt', 1, '$.pending', json('[${TASK}]'))`,
      'INSERT INTO accounts SELECT * FROM kept',
    );
    expect(await actions()).to.deep.equal(['entitlement.changed']);
    expect(await findBroken()).to.equal(null);
    leaveTask('operator:cli');
    tamper(`${EMPTY} WHERE number = 2`);
    expect(await findBroken()).to.deep.equal({ number: 2, fault: 'altered' });
  });
});
