import { expect } from 'chai';
import { CoreError, type Operator } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { by as anonymous, useAdminAccounts } from './open-admin-accounts.ts';

const by: Operator = { actor: 'operator:cli', person: ' Zoë ' };

describe('The person in audit rows', () => {
  const core = useAdminAccounts();

  it('is matched by the actor filter, and is null if the operator gave no name', async () => {
    const { operate, signUp, settle } = core();
    const { id } = await signUp('ada@example.com');
    await operate.unlock(id, by);
    await operate.unlock(id, anonymous());
    await settle();
    const personsOf = async (actor: string) => {
      const persons = [];
      for await (const { person } of operate.listAudit({ actor })) persons.push(person);
      return persons;
    };
    expect(await personsOf('Zoë')).to.deep.equal(['Zoë']);
    expect(await personsOf('operator:cli')).to.deep.equal(['Zoë', null]);
    expect(await personsOf('system')).to.deep.equal([null]);
  });

  it('is refused if blank, too long, or with control or direction characters', async () => {
    const { operate, signUp } = core();
    const { id } = await signUp('ada@example.com');
    for (const person of ['', '  ', 'x'.repeat(65), 'ada\nroot', '\u001b[31m', 'ada\u200f']) {
      const error = await rejectionOf(() => operate.unlock(id, { actor: 'operator:cli', person }));
      expect(error).to.be.instanceOf(CoreError).and.include({ code: 'invalid_person' });
    }
  });
});
