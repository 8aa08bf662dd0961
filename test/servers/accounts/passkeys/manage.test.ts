import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './person.ts';

const LAST = [409, 'last_sign_in_method'];

describe('The last way to sign in', () => {
  const service = useService(PASSKEYS_ON);
  const records = useRecords(service);
  const { add, list, remove } = makePasskeyCalls(service);

  const withoutPassword = async () => {
    const user = await service().signUp();
    await records().change(user.email, { passwordHash: null });
    return user;
  };

  it('is not removed, and any other is', async () => {
    const user = await withoutPassword();
    const [one, other] = [await add(user), await add(user)];
    expect((await remove(user, one.id)).body.passkeys).to.have.length(1);
    expect(outcome(await remove(user, other.id))).to.deep.equal(LAST);
    expect((await list(user)).body.passkeys).to.have.length(1);
  });

  it('is removed by nobody else, and not without a fresh proof', async () => {
    const [user, other] = [await service().signUp(), await service().signUp()];
    const { id } = await add(user);
    expect(outcome(await remove(other, id))).to.deep.equal([404, 'passkey_not_found']);
    service().clock.advance(11 * 60_000);
    expect(outcome(await remove(user, id))).to.deep.equal([403, 'fresh_authentication_needed']);
  });

  it('is left by 50 removals of two at once (B9)', async () => {
    const user = await withoutPassword();
    const ids = [(await add(user)).id, (await add(user)).id];
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => remove(user, ids[at % 2] ?? '')));
    // A store that answers late is 503, and the removal may have been made: at most one says so.
    const told = replies.filter(({ status }) => status !== 503);
    expect(told.filter(({ status }) => status === 200)).to.have.length.at.most(1);
    const codes = new Set(told.map(({ status, body }) => `${status} ${body.code ?? ''}`));
    expect(['200 ', '404 passkey_not_found', '409 last_sign_in_method']).to.include.members([...codes]);
    expect((await list(user)).body.passkeys).to.have.length(1);
  });
});
