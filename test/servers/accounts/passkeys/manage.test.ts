import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './passkey-calls.ts';

const LAST = [409, 'last_sign_in_method'];

describe('The removal of a passkey', () => {
  const service = useService(PASSKEYS_ON);
  const records = useRecords(service);
  const { add, list, remove } = makePasskeyCalls(service);

  const signUpWithoutPassword = async () => {
    const user = await service().signUp();
    await records().change(user.email, { passwordHash: null });
    return user;
  };

  it('is refused for the last sign-in method', async () => {
    const user = await signUpWithoutPassword();
    const [first, second] = [await add(user), await add(user)];
    expect((await remove(user, first.id)).body.passkeys).to.have.length(1);
    expect(outcome(await remove(user, second.id))).to.deep.equal(LAST);
    expect((await list(user)).body.passkeys).to.have.length(1);
  });

  it('is refused for another user, and without a fresh proof', async () => {
    const [user, other] = [await service().signUp(), await service().signUp()];
    const { id } = await add(user);
    expect(outcome(await remove(other, id))).to.deep.equal([404, 'passkey_not_found']);
    service().clock.advance(11 * 60_000);
    expect(outcome(await remove(user, id))).to.deep.equal([403, 'fresh_authentication_needed']);
  });

  it('leaves one of two passkeys after 50 concurrent calls (B9)', async () => {
    const user = await signUpWithoutPassword();
    const ids = [(await add(user)).id, (await add(user)).id];
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => remove(user, ids[at % 2] ?? '')));
    // A slow store leads to 503, and the removal may still happen: at most one call returns 200.
    const decided = replies.filter(({ status }) => status !== 503);
    expect(decided.filter(({ status }) => status === 200)).to.have.length.at.most(1);
    const codes = new Set(decided.map(({ status, body }) => `${status} ${body.code ?? ''}`));
    expect(['200 ', '404 passkey_not_found', '409 last_sign_in_method']).to.include.members([...codes]);
    expect((await list(user)).body.passkeys).to.have.length(1);
  });
});
