import { expect } from 'chai';
import { CoreError, type Operator } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { by as anonymous, useOperated } from './open-operated.ts';

const by: Operator = { actor: 'operator:cli', person: ' Zoë ' };

describe('The audit log', () => {
  const operated = useOperated();

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
    for (const person of ['', '  ', 'x'.repeat(65), 'ada\nroot', '\u001b[31m', 'ada\u200f']) {
      const error = await rejectionOf(() => operate.unlock(id, { actor: 'operator:cli', person }));
      expect(error).to.be.instanceOf(CoreError).and.include({ code: 'invalid_person' });
    }
  });
});
