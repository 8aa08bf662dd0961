import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStrictS3, type StrictS3, s3Settings } from '../../../support/servers/aws/strict-s3.ts';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { sample, setAvatar, show, smallestPng, upload } from './avatars.ts';

describe('An avatar in a bucket', () => {
  let s3: StrictS3;
  let service: TestService;
  before(async () => {
    s3 = await openStrictS3();
    service = await openTestService({ ...s3Settings(s3), METRICS_PORT: '0' }, undefined, { observed: true });
  });
  afterEach(async () => {
    s3.fault = undefined;
    service.checkAnswers();
    await until(async () => (await down()) === undefined);
  });
  after(async () => {
    await service.close();
    await s3.close();
  });

  const keysOf = ({ id }: Pick<User, 'id'>) => [...s3.stored.keys()].filter((key) => key.includes(id));
  const me = async ({ token }: User) =>
    (await service.request('GET', '/api/auth/me', { token })).body.user?.avatar;
  const down = async () => (await service.request('GET', '/health')).body.down;
  const breakDown = async (user: User) => {
    s3.fault = (response) => response.destroy();
    await until(async () => {
      await show(service, user);
      return (await down()) !== undefined;
    });
  };

  it('is stored only there, and is deleted once it is replaced or removed', async () => {
    const user = await service.signUp();
    const first = await setAvatar(service, user);
    expect(keysOf(user)).to.deep.equal([`pictures/${first}`]);
    expect(existsSync(join(service.folder, 'objects'))).to.equal(false);
    expect((await show(service, user)).bytes).to.deep.equal(smallestPng);

    const second = await setAvatar(service, user, sample('a grey JPEG of 8 x 8'));
    await until(() => keysOf(user).length === 1);
    expect(keysOf(user)).to.deep.equal([`pictures/${second}`]);
    expect((await show(service, user)).headers.get('content-type')).to.equal('image/jpeg');

    const removed = await service.request('DELETE', '/api/avatar', { token: user.token });
    expect(removed.status).to.equal(200);
    await until(() => keysOf(user).length === 0);
    expect((await show(service, user)).status).to.equal(404);
  });

  it('is deleted with the account, as is every other object of the user', async () => {
    const [deleted, other] = [await service.signUp(), await service.signUp()];
    for (const user of [deleted, other]) await setAvatar(service, user);
    s3.stored.set(`pictures/${deleted.id}/avatar_1.png`, { bytes: Buffer.from(''), mark: '', storedAt: 0 });
    const { password, token } = deleted;
    expect((await service.post('/api/auth/delete-account', { password }, { token })).status).to.equal(200);
    await until(() => keysOf(deleted).length === 0);
    expect(keysOf(other)).to.have.length(1);
  });

  it('answers 503 while the bucket is down, stays unchanged, and blocks no other route', async () => {
    const user = await service.signUp();
    const path = await setAvatar(service, user);
    await breakDown(user);
    expect(await down()).to.deep.equal(['objects']);
    for (const refused of [
      await upload(service, user, sample('a grey JPEG of 8 x 8')),
      await show(service, user),
    ]) {
      expect(refused.status).to.equal(503);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
      if ('body' in refused) expect(refused.body.code).to.equal('store_unavailable');
    }
    expect(await me(user)).to.equal(path);
    expect((await service.request('GET', '/health/ready')).status).to.equal(200);
    const { email, password } = user;
    expect((await service.post('/api/auth/login', { email, password })).status).to.equal(200);
    const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text();
    expect(metrics).to.include('gatehouse_dependency_up{dependency="objects"} 0');
    expect(metrics).to.match(/store="objects",method="put",outcome="unavailable"/);

    s3.fault = undefined;
    await until(async () => (await show(service, user)).status === 200);
    expect(keysOf(user)).to.deep.equal([`pictures/${path}`]);
    expect((await upload(service, user, sample('a grey JPEG of 8 x 8'))).status).to.equal(200);
  });

  it('is deleted once the bucket is back, if it was down at the removal', async () => {
    const user = await service.signUp();
    await setAvatar(service, user);
    await breakDown(user);
    expect((await service.request('DELETE', '/api/avatar', { token: user.token })).status).to.equal(200);
    expect((await show(service, user)).status).to.equal(404);
    expect(keysOf(user)).to.have.length(1);
    s3.fault = undefined;
    await until(() => keysOf(user).length === 0);
  });

  it('leaves no secret and no path in the log', () => {
    const log = JSON.stringify(service.log.lines);
    for (const secret of [s3Settings(s3).AWS_SECRET_ACCESS_KEY, s3Settings(s3).AWS_ACCESS_KEY_ID, 'avatar_'])
      expect(log).to.not.include(secret);
    expect(readdirSync(service.folder)).to.not.include('objects');
  });
});
