import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type User, useService } from '../../../support/service.ts';

const OPERATOR = { isOperatorTeam: true, operatorTeamRole: 'founder' };

describe('The entitlement of the caller', () => {
  const service = useService({ SELF_ENTITLEMENT: 'trust' });
  const secret = () => readFileSync(join(service().folder, 'internal-secret'), 'utf8').trim();
  const set = ({ token }: User, body: object, headers: Record<string, string> = {}) =>
    service().post('/api/services', { service: 'DROP', ...body }, { token, headers });
  const list = ({ token }: User, query = '') => service().request('GET', `/api/services${query}`, { token });

  it('is absent at first, and is created by the first post', async () => {
    const user = await service().signUp();
    expect((await list(user)).body).to.deep.equal({ entitlements: [] });
    const { status, body } = await set(user, { metadata: { theme: 'dark' } });
    expect(status).to.equal(200);
    expect(body.entitlement).to.have.all.keys(
      ...['id', 'userId', 'service', 'tier', 'isPremium', 'connected', 'accessFlags', 'metadata'],
      ...['customStorageLimit', 'customApiKeyLimit', 'createdAt', 'updatedAt'],
    );
    expect(body.entitlement).to.deep.include({
      userId: user.id,
      service: 'DROP',
      tier: 'free',
      isPremium: false,
      connected: false,
      metadata: { theme: 'dark' },
      customStorageLimit: null,
    });
    expect((await list(user, '?service=DROP')).body).to.deep.equal({ entitlements: [body.entitlement] });
  });

  it('accepts all members of a body with the internal secret, and from a founder', async () => {
    const user = await service().signUp();
    const { status, body } = await set(
      user,
      { tier: 'enterprise', accessFlags: OPERATOR, customStorageLimit: 5 },
      { 'x-internal-secret': secret() },
    );
    expect(status).to.equal(200);
    expect(body.entitlement).to.deep.include({
      tier: 'enterprise',
      isPremium: true,
      accessFlags: OPERATOR,
      customStorageLimit: 5,
    });
    // The user is a founder now, and sets all members by token. The two operator keys stay if they are left out.
    const flags = await set(user, { accessFlags: { beta: true } });
    expect(flags.body.entitlement?.accessFlags).to.deep.equal({ beta: true, ...OPERATOR });
    const again = await set(user, { tier: 'pro', accessFlags: { ...OPERATOR, beta: true } });
    expect(again.body.entitlement).to.deep.include({
      tier: 'pro',
      accessFlags: { ...OPERATOR, beta: true },
    });
  });

  it('refuses a wrong internal secret beside the token, before it reads the body', async () => {
    const user = await service().signUp();
    for (const value of ['wrong', '']) {
      const { status, body, headers } = await set(user, { tier: 5 }, { 'x-internal-secret': value });
      expect([status, body.code], value).to.deep.equal([401, 'invalid_secret']);
      expect(headers.get('www-authenticate')).to.equal('Internal-Secret');
    }
    expect((await list(user)).body).to.deep.equal({ entitlements: [] });
  });

  it('has the granted tier in the profile, at login and at introspection', async () => {
    const user = await service().signUp();
    await set(user, { tier: 'pro' }, { 'x-internal-secret': secret() });
    const me = await service().request('GET', '/api/auth/me', { token: user.token });
    expect(me.body.user?.serviceAccess).to.have.length(1);
    expect(me.body.user?.serviceAccess?.[0]).to.deep.include({
      service: 'DROP',
      tier: 'pro',
      isPremium: true,
    });
    const login = await service().post('/api/auth/login', { email: user.email, password: user.password });
    expect(login.body.services).to.deep.equal([
      { service: 'DROP', tier: 'pro', isPremium: true, connected: false },
    ]);
    const introspection = await service().post(
      '/api/auth/introspect',
      { token: user.token },
      { headers: { 'x-internal-secret': secret() } },
    );
    expect(introspection.body).to.deep.include({ active: true, tier: 'pro', isPremium: true });
  });

  it('refuses other services, unknown tiers and wrong types', async () => {
    const user = await service().signUp();
    for (const [body, code] of [
      [{ service: 'DRIVE' }, 'unsupported_service'],
      [{ tier: 'gold' }, 'unknown_tier'],
      [{ metadata: [] }, 'invalid_request'],
      [{ customStorageLimit: 1.5 }, 'invalid_limit'],
    ] as const) {
      const reply = await set(user, body);
      expect([reply.status, reply.body.code], JSON.stringify(body)).to.deep.equal([400, code]);
    }
    expect((await list(user, '?service=DRIVE')).status).to.equal(400);
  });
});

describe('Connections', () => {
  const service = useService({ SELF_ENTITLEMENT: 'trust' });
  const records = useRecords(service);
  const body = { service: 'DROP' };

  it('require an entitlement', async () => {
    const { token } = await service().signUp();
    const check = await service().request('GET', '/api/connect/check?service=DROP', { token });
    expect(check.status).to.equal(200);
    expect(check.body).to.have.all.keys('connected', 'service', 'message');
    expect(check.body.connected).to.equal(false);
    for (const path of ['/api/connect/connect', '/api/connect/disconnect']) {
      const reply = await service().post(path, body, { token });
      expect([reply.status, reply.body.code]).to.deep.equal([404, 'entitlement_not_found']);
    }
  });

  it('are opened, shown and closed, and the entitlement stays', async () => {
    const { token, email } = await service().signUp();
    await service().post('/api/services', { ...body, tier: 'pro' }, { token });
    const access = { service: 'DROP', tier: 'pro', isPremium: true };
    const check = async () =>
      (await service().request('GET', '/api/connect/check?service=DROP', { token })).body;

    expect(await check()).to.have.all.keys('connected', 'service', 'tier', 'isPremium', 'message');
    const opened = await service().post('/api/connect/connect', body, { token });
    expect(opened.body).to.deep.include({ connected: true, ...access });
    expect(opened.body).to.have.property('message');
    expect(await check()).to.deep.equal({ connected: true, ...access });
    const again = await service().post('/api/connect/connect', body, { token });
    expect(again.status).to.equal(200);
    expect(again.body).to.have.all.keys('connected', 'service', 'message');
    const closed = await service().post('/api/connect/disconnect', body, { token });
    expect(closed.body).to.deep.include({ connected: false, ...access });
    expect((await records().accountOf(email)).entitlements[0]).to.deep.include({ connected: false });
  });

  it('are checked for the service DROP alone', async () => {
    const { token } = await service().signUp();
    for (const query of ['', '?service=DRIVE', '?service=DROP&service=DROP']) {
      expect((await service().request('GET', `/api/connect/check${query}`, { token })).status).to.equal(400);
    }
  });
});
