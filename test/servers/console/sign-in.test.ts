import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { signUpWithFactor } from '../accounts/second-factor/factor.ts';
import { askConsole, cookieOf, makeOperator, operatorAt, signIn } from './opened.ts';

describe('Signing in to the console', () => {
  const service = useService({ PAGES: 'on' });

  it('gives operators with a second factor a cookie of the console’s own', async () => {
    const answer = await signIn(service(), await makeOperator(service(), 'dev'));
    expect(answer.status).to.equal(200);
    const [line = ''] = answer.headers.getSetCookie();
    expect(line).to.match(/^gatehouse-console=[^;]+; Path=\/api; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(answer.body).not.to.have.any.keys('token', 'refreshToken', 'cookie');
  });

  it('refuses who is no operator, once password and code are proved', async () => {
    const answer = await signIn(service(), await signUpWithFactor(service()));
    expect([answer.status, answer.body.code]).to.deep.equal([403, 'operators_only']);
    expect(cookieOf(answer)).to.equal(undefined);
  });

  it('refuses an operator without a second factor', async () => {
    const user = await service().signUp();
    await service().composition.accounts.operate.appoint(user.id, 'founder', { actor: 'operator:test' });
    const { email, password } = user;
    const answer = await askConsole(service(), 'POST', '/api/admin/sign-in', { body: { email, password } });
    expect([answer.status, answer.body.code]).to.deep.equal([403, 'two_factor_required']);
  });

  it('shows operators their own account', async () => {
    const eve = await operatorAt(service());
    const { status, body } = await eve.get('/api/auth/me');
    expect([status, body.user?.email]).to.deep.equal([200, eve.user.email]);
  });
});
