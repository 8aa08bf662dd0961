import { expect } from 'chai';
import { makeDigest } from '../../../../adapters/crypto/digest.ts';
import { createAccounts } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { by } from './open-admin-accounts.ts';
import { useTamperedStore } from './use-tampered-store.ts';

describe('The verification of the audit log', () => {
  const { core, tamper, findBroken } = useTamperedStore();
  beforeEach(async () => {
    // The first row is the opening row of the log.
    for (let row = 2; row <= 9; row += 1)
      await core().operate.record('key.made', `key:${row}`, { row }, by());
  });

  const swap = (columns: string, a: number, b: number) =>
    `UPDATE audit SET (${columns}) = (SELECT ${columns} FROM audit AS o WHERE o.number = ${a + b} - audit.number)
     WHERE number IN (${a}, ${b})`;
  const renumber = (first: number, by: number) => [
    `UPDATE audit SET number = -(number + ${by}) WHERE number >= ${first}`,
    'UPDATE audit SET number = -number WHERE number < 0',
  ];

  it('reports an unchanged log as intact, and returns its head', async () => {
    const verdict = await core().operate.verifyAudit();
    expect(verdict).to.deep.include({ intact: true, rows: 9, erased: 0, broken: null });
    expect(verdict.head).to.match(/^9\.[\w-]{43}\.[\w-]{43}$/);
    expect(await findBroken(verdict.head ?? '')).to.equal(null);
  });

  const [content, ids] = ['its content was changed', 'its ids differ from the ids in its content'];
  const altered = {
    'its content': [`content = replace(content, '"row":4', '"row":5')`, content],
    'its salt': ["salt = 'x'", content],
    'its salt to NULL': ['salt = NULL', content],
    'its digest': ["digest = 'x'", content],
    'its value': [
      "value = 'x'",
      'it does not follow the previous row, or was written under a hash key that is no longer set',
    ],
    'its target': ["target = 'key:5'", ids],
    'its actor': ["actor = 'system'", ids],
    'its entry id': ["entry_id = 'x'", ids],
    'its content to NULL': ['content = NULL', content],
    'its content and salt to NULL': [
      'content = NULL, salt = NULL',
      'its content is missing, and no row records the erasure of a user',
    ],
  } as const;
  for (const [field, [change, problem]] of Object.entries(altered)) {
    it(`names a row after a change of ${field}`, async () => {
      tamper(`UPDATE audit SET ${change} WHERE number = 4`);
      const { broken } = await core().operate.verifyAudit();
      expect(broken).to.deep.equal({ number: 4, fault: 'altered', problem });
    });
  }

  it('names a removed row, also if the later rows are renumbered', async () => {
    tamper('DELETE FROM audit WHERE number = 4');
    // The second head belongs to no row of the log.
    for (const recordedHead of [undefined, 'x'.repeat(43)])
      expect(await findBroken(recordedHead)).to.deep.equal({ number: 4, fault: 'removed' });
    tamper(...renumber(5, -1));
    expect(await findBroken()).to.deep.equal({ number: 4, fault: 'removed' });
  });

  it('names the first row if it was removed', async () => {
    tamper('DELETE FROM audit WHERE number = 1');
    expect(await findBroken()).to.deep.equal({ number: 1, fault: 'removed' });
  });

  for (const number of ['0', '-1', '-1152921504606846976']) {
    it(`names a row that was inserted before the first, as number ${number}`, async () => {
      tamper(
        `INSERT INTO audit SELECT ${number}, 'put in', target, actor, content, salt, digest, value
         FROM audit WHERE number = 5`,
      );
      expect(await findBroken()).to.deep.equal({ number: Number(number), fault: 'altered' });
    });
  }

  const allColumns = 'target, actor, content, salt, digest, value';
  for (const columns of [
    allColumns,
    'target, actor, content, salt, digest',
    'target, actor, content, salt',
    'value',
  ]) {
    it(`names the first of two rows that were swapped in ${columns}`, async () => {
      const ids = columns === 'value' ? columns : `entry_id, ${columns}`;
      if (columns !== 'value')
        tamper('DROP TABLE IF EXISTS kept', 'CREATE TABLE kept AS SELECT * FROM audit');
      if (columns === 'value') tamper(swap(ids, 3, 7));
      else {
        tamper(
          "UPDATE audit SET entry_id = 'k' || number WHERE number IN (3, 7)",
          `UPDATE audit SET (${ids}) = (SELECT ${ids} FROM kept WHERE kept.number = 10 - audit.number)
           WHERE number IN (3, 7)`,
        );
      }
      const fault = columns === 'value' ? 'altered' : 'reordered';
      expect(await findBroken()).to.deep.equal({ number: 3, fault });
    });
  }

  it('names a row that was moved to the end', async () => {
    tamper('UPDATE audit SET number = 10 WHERE number = 4');
    expect(await findBroken()).to.deep.equal({ number: 4, fault: 'reordered' });
  });

  it('names the first missing row if the end of the log was cut off', async () => {
    tamper('DELETE FROM audit WHERE number > 6');
    expect(await findBroken()).to.deep.equal({ number: 7, fault: 'cut off' });
    tamper('DELETE FROM audit');
    expect(await findBroken()).to.deep.equal({ number: 1, fault: 'cut off' });
  });

  it('detects a head that is missing, altered, or of another row', async () => {
    const findFault = async () => (await core().operate.verifyAudit()).broken;
    tamper('CREATE TABLE older AS SELECT * FROM audit_head');
    await core().operate.record('key.made', 'key:10', { row: 10 }, by());
    tamper('UPDATE audit_head SET (number, value, signature) = (SELECT number, value, signature FROM older)');
    expect(await findFault()).to.deep.equal({
      number: 9,
      fault: 'altered',
      problem: 'the signed head does not match the last row',
    });
    for (const change of ["signature = 'x'", 'number = 8']) {
      tamper(`UPDATE audit_head SET ${change}`);
      expect(await findFault()).to.include({
        fault: 'altered',
        problem: 'the signature of the head is invalid',
      });
    }
    tamper('DELETE FROM audit_head');
    expect(await findFault()).to.deep.equal({
      number: 10,
      fault: 'cut off',
      problem: 'the signed head is missing',
    });
  });

  it('detects by a recorded head that the log was cut off and got an older head', async () => {
    tamper('CREATE TABLE older AS SELECT * FROM audit_head');
    await core().operate.record('key.made', 'key:10', { row: 10 }, by());
    const { head } = await core().operate.verifyAudit();
    const [number = '', value = '', signature = ''] = head?.split('.') ?? [];
    tamper(
      'DELETE FROM audit WHERE number > 9',
      'UPDATE audit_head SET (number, value, signature) = (SELECT number, value, signature FROM older)',
    );
    expect(await findBroken()).to.equal(null);
    for (const recordedHead of [`${number}.${value}.${signature}`, `${value}.${signature}`, value]) {
      expect(await findBroken(recordedHead)).to.deep.equal({ number: 10, fault: 'cut off' });
    }
    await core().operate.record('key.made', 'key:10', { row: 'another' }, by());
    expect(await findBroken(head ?? '')).to.deep.equal({ number: 10, fault: 'altered' });
    for (const invalidHead of ['nonsense', `x${head}`, `${head}x`, `.${value}`])
      expect(await rejectionOf(() => core().operate.verifyAudit(invalidHead)), invalidHead).to.include({
        code: 'invalid_head',
        message: 'The head must be a head that this command or the log printed.',
      });
  });

  it('accepts the rows that the deletion of a user emptied, and no other emptied row', async () => {
    const { id, email } = await core().signUp('ada@example.com');
    await core().operate.setTier(email, { tier: 'pro' }, by());
    await core().settle();
    await core().operate.deleteUser(id, by());
    expect(await core().operate.verifyAudit()).to.deep.include({ intact: true, erased: 1, rows: 12 });
    tamper(`UPDATE audit SET content = NULL, salt = NULL WHERE number = 12`);
    expect(await findBroken()).to.deep.equal({ number: 12, fault: 'altered' });
  });

  it('reports an emptied row whose target and actor were changed to a deleted user', async () => {
    const { id, email } = await core().signUp('ada@example.com');
    await core().operate.setTier(email, { tier: 'pro' }, by());
    await core().settle();
    await core().operate.deleteUser(id, by());
    tamper(
      `UPDATE audit SET content = NULL, salt = NULL, target = '${id}', actor = '${id}' WHERE number = 2`,
    );
    expect(await findBroken()).to.deep.equal({ number: 2, fault: 'altered' });
  });

  it('accepts rows under an older hash key only while that key is set', async () => {
    const [older, newer] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const under = (keys: readonly Uint8Array[]) =>
      createAccounts({ ...core().ports, digest: makeDigest(keys) }).operate;
    await under([newer, older]).record('key.made', 'key:10', { row: 10 }, by());
    expect(await under([newer, older]).verifyAudit()).to.include({ intact: true, rows: 10 });
    const alone = await under([newer]).verifyAudit();
    expect(alone.broken).to.include({ number: 1, fault: 'altered' });
    expect(alone.broken?.problem).to.include('hash key');
  });

  it('reports a growing log as intact', async () => {
    let growing = true;
    const grow = async () => {
      for (let row = 10; growing; row += 1) {
        await core().operate.record('key.made', `key:${row}`, { row }, by());
      }
    };
    const writing = grow();
    for (let count = 0; count < 50; count += 1) expect(await findBroken()).to.equal(null);
    growing = false;
    await writing;
  });
});
