import { expect } from 'chai';
import { type TestService, type User, useService } from '../../../support/service.ts';
import { turnOnFactor } from './factor.ts';

const makeOperator = async (service: TestService): Promise<User> => {
  const user = await service.signUp();
  const [secret = ''] = service.composition.internalSecrets;
  await service.request('PATCH', `/api/admin/users/${user.id}`, {
    headers: { 'x-internal-secret': secret },
    body: { service: 'DROP', accessFlags: { isOperatorTeam: true, operatorTeamRole: 'founder' } },
  });
  return user;
};

describe('The setting OPERATORS_NEED_2FA', () => {
  const service = useService({ OPERATORS_NEED_2FA: 'on', SELF_ENTITLEMENT: 'ignore' });
  const stats = ({ token }: User) => service().request('GET', '/api/admin/users/stats', { token });
  const claim = ({ token }: User) =>
    service().post('/api/services', { service: 'DROP', tier: 'pro' }, { token });

  it('refuses operators without a second factor', async () => {
    const operator = await makeOperator(service());
    const refused = await stats(operator);
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'second_factor_required']);

    await turnOnFactor(service(), operator);
    expect((await stats(operator)).status).to.equal(200);
  });

  it('lets operators set their own tier only with a second factor', async () => {
    const operator = await makeOperator(service());
    expect((await claim(operator)).body.entitlement?.tier).to.equal('free');
    await turnOnFactor(service(), operator);
    expect((await claim(operator)).body.entitlement?.tier).to.equal('pro');
  });

  it('does not change the refusal of users who are no operators', async () => {
    const user = await service().signUp();
    const expectRefusal = async () => {
      const { status, body } = await stats(user);
      expect([status, body.code]).to.deep.equal([403, 'operators_only']);
    };
    await expectRefusal();
    await turnOnFactor(service(), user);
    await expectRefusal();
    const lines = service().log.lines.filter(({ fields }) => fields.userId === user.id);
    const reasons = lines.flatMap(({ fields }) => fields.reason ?? []);
    expect(reasons).to.deep.equal(['operators_only', 'operators_only']);
  });
});
