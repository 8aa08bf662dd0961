import { expect } from 'chai';
import { CoreError, type Operator } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { by as anonymous, type Operated, useOperated } from './open-operated.ts';

const by: Operator = { actor: 'operator:cli', person: ' Zoë ' };
const REASON = 'asked for';

const line = (email: string) => JSON.stringify({ email, tier: 'pro' });
const options = {
  dryRun: false,
  pause: async () => undefined,
  onBad: () => undefined,
  onProgress: () => undefined,
};

async function* lines(email: string) {
  yield line(email);
}

/** Each act of an operator upon a user, by what it is. */
const acts: Readonly<Record<string, (operate: Operated['operate'], user: string) => Promise<unknown>>> = {
  ban: (operate, user) => operate.ban(user, { reason: REASON, until: null }, by),
  unban: (operate, user) => operate.unban(user, by),
  disable: (operate, user) => operate.disable(user, { reason: REASON, until: null }, by),
  enable: (operate, user) => operate.enable(user, by),
  unlock: (operate, user) => operate.unlock(user, by),
  'log out': (operate, user) => operate.endSessions(user, by),
  'send a reset code to': (operate, user) => operate.sendReset(user, by),
  'set the email of': (operate, user) => operate.setEmail(user, 'ada@new.example', { ...by, reason: REASON }),
  'create a user beside': (operate) => operate.createUser({ email: 'new@example.com' }, by),
  export: (operate, user) => operate.exportUser(user, by),
  'set the tier of': (operate, user) => operate.setTier(user, { tier: 'pro' }, by),
  'clear the tier of': (operate, user) => operate.clearTier(user, by),
  appoint: (operate, user) => operate.appoint(user, 'dev', by),
  dismiss: (operate, user) => operate.dismiss(user, by),
  'import a user beside': (operate) => operate.importUsers(lines('grace@example.com'), options, by),
  'record something about': (operate, user) => operate.record('files.deleted', user, {}, by),
  delete: (operate, user) => operate.deleteUser(user, by),
};

describe('The audit log', () => {
  const operated = useOperated();

  const allRows = async () => {
    const { operate, settle } = operated();
    await settle();
    const rows = [];
    for await (const row of operate.listAudit({})) rows.push(row);
    return rows;
  };

  it('names the person of every act', async () => {
    const { operate, signUp } = operated();
    const { id } = await signUp('ada@example.com');
    let before = (await allRows()).length;
    for (const [name, act] of Object.entries(acts)) {
      await act(operate, id);
      const rows = await allRows();
      // What is erased with a user says no more than who acted; the row that says that they went is kept.
      const created = rows.slice(before).filter(({ actor }) => actor === 'operator:cli');
      expect(created, name).not.to.deep.equal([]);
      for (const { person } of created) expect(person, name).to.equal('Zoë');
      before = rows.length;
    }
    expect((await operate.verifyAudit()).intact).to.equal(true);
  });

  it('is listed by person as by actor, and names nobody where nobody was named', async () => {
    const { operate, signUp, settle } = operated();
    const { id } = await signUp('ada@example.com');
    await operate.unlock(id, by);
    await operate.unlock(id, anonymous());
    await settle();
    const listed = async (actor: string) => {
      const people = [];
      for await (const { person } of operate.listAudit({ actor })) people.push(person);
      return people;
    };
    expect(await listed('Zoë')).to.deep.equal(['Zoë']);
    expect(await listed('operator:cli')).to.deep.equal(['Zoë', null]);
    expect(await listed('system')).to.deep.equal([null]);
  });

  it('takes no name that says nothing, is too long or could forge a line', async () => {
    const { operate, signUp } = operated();
    const { id } = await signUp('ada@example.com');
    for (const person of ['', '  ', 'x'.repeat(65), 'ada\nroot', '\u001b[31m']) {
      const error = await rejectionOf(() => operate.unlock(id, { actor: 'operator:cli', person }));
      expect(error).to.be.instanceOf(CoreError).and.include({ code: 'invalid_person' });
    }
  });
});
