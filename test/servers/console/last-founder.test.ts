import { expect } from 'chai';
import { type User, useService } from '../../support/service.ts';
import { logIn, turnOnFactor } from '../accounts/second-factor/factor.ts';
import { makeOperator, outcome, signIn, type TestOperator } from './opened.ts';

const NO_OPERATOR = { service: 'DROP', accessFlags: { isOperatorTeam: false } };
const LAST = [409, 'last_founder'];

describe('The last founder, over the API of accounts', () => {
  const service = useService();
  let eve: TestOperator;
  let token = '';

  beforeEach(async () => {
    eve = await makeOperator(service());
    ({ token } = await tokenOf(eve));
  });
  // Each test begins without a founder.
  afterEach(() =>
    service()
      .composition.accounts.operate.dismiss(eve.user.id, { actor: 'operator:test' })
      .catch(() => undefined),
  );

  const tokenOf = async ({ user, app }: TestOperator) => {
    const { body } = await logIn(service(), user, { verificationCode: app.fresh() });
    return { token: String(body.token) };
  };
  const patch = ({ id }: Pick<User, 'id'>, headers?: Record<string, string>) =>
    service().request('PATCH', `/api/admin/users/${id}`, {
      body: NO_OPERATOR,
      ...(headers === undefined ? { token } : { headers }),
    });
  const isFounder = async () => {
    const { entitlements } = await service().composition.accounts.operate.showUser(eve.user.id);
    return entitlements[0]?.accessFlags.operatorTeamRole === 'founder';
  };
  const remove = async ({ user, app }: TestOperator, given: string) =>
    service().post(
      '/api/auth/delete-account',
      { password: user.password, verificationCode: app.fresh() },
      { token: given },
    );

  it('stays a founder, whatever a founder says of the role', async () => {
    expect(outcome(await patch(eve.user))).to.deep.equal(LAST);
    expect(outcome(await service().post('/api/services', NO_OPERATOR, { token }))).to.deep.equal(LAST);
    // Nor does another one go on the way.
    const dan = await makeOperator(service());
    expect((await patch(dan.user)).status).to.equal(200);
    expect(outcome(await patch(eve.user))).to.deep.equal(LAST);
    expect(await isFounder()).to.equal(true);
  });

  it('keeps the account, and the session that asked', async () => {
    expect(outcome(await remove(eve, token))).to.deep.equal(LAST);
    expect((await service().request('GET', '/api/auth/me', { token })).status).to.equal(200);
    const dan = await makeOperator(service());
    expect((await remove(eve, token)).status).to.equal(200);
    expect(outcome(await remove(dan, (await tokenOf(dan)).token))).to.deep.equal(LAST);
    await service().composition.accounts.operate.dismiss(dan.user.id, { actor: 'operator:test' });
    expect((await remove(dan, (await tokenOf(dan)).token)).status).to.equal(200);
  });

  it('goes at the word of whoever can appoint anew', async () => {
    const [secret = ''] = service().composition.internalSecrets;
    expect((await patch(eve.user, { 'x-internal-secret': secret })).status).to.equal(200);
    expect(await isFounder()).to.equal(false);
  });

  it('may switch the second factor off, and is let in again once it is on', async () => {
    const off = { enable: false, verificationCode: eve.app.fresh() };
    expect((await service().post('/api/auth/2fa', off, { token })).status).to.equal(200);
    expect(await isFounder()).to.equal(true);
    const app = await turnOnFactor(service(), { token });
    expect((await signIn(service(), { user: eve.user, app })).status).to.equal(200);
  });
});
