import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { sample, setAvatar, show, smallestPng, storedFor, upload } from './avatars.ts';

describe('The avatar', () => {
  const service = useService();
  const records = useRecords(service);
  const remove = (token: string) => service().request('DELETE', '/api/avatar', { token });

  it('is stored, shown with its type, and named by its path in the profile and at login', async () => {
    const user = await service().signUp();
    const from = service().clock.now();
    const { status, body } = await upload(service(), user, sample('a lossy WebP'));
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('avatar', 'message');
    const [, id, time, ending] = /^([^/]+)\/avatar_(\d+)\.(\w+)$/.exec(String(body.avatar)) ?? [];
    expect([id, ending]).to.deep.equal([user.id, 'webp']);
    expect(Number(time)).to.be.within(from, service().clock.now());

    const shown = await show(service(), user);
    expect(shown.status).to.equal(200);
    expect(shown.headers.get('content-type')).to.equal('image/webp');
    expect(shown.headers.get('content-length')).to.equal(String(shown.bytes.length));
    expect(shown.bytes).to.deep.equal(sample('a lossy WebP'));
    const profile = await service().request('GET', '/api/auth/me', { token: user.token });
    const login = await service().post('/api/auth/login', { email: user.email, password: user.password });
    for (const { user: owner } of [profile.body, login.body]) expect(owner?.avatar).to.equal(body.avatar);
  });

  it('has headers that forbid scripts in it and shared caching', async () => {
    const user = await service().signUp();
    await setAvatar(service(), user);
    const { headers } = await show(service(), user);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
    expect(headers.get('content-disposition')).to.equal('inline');
    expect(headers.get('cache-control')).to.equal('private, no-cache');
  });

  it('is sent again only if its ETag has changed', async () => {
    const user = await service().signUp();
    await setAvatar(service(), user);
    const tag = (await show(service(), user)).headers.get('etag') ?? '';
    expect(tag).to.match(/^"[\w-]{43}"$/);
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const same = await show(service(), user, { 'If-None-Match': header });
      expect([same.status, same.bytes.length], header).to.deep.equal([304, 0]);
      expect(same.headers.get('etag')).to.equal(tag);
      expect(same.headers.get('cache-control')).to.equal('private, no-cache');
      expect(same.headers.get('content-security-policy')).to.include('sandbox');
    }
    await setAvatar(service(), user);
    const next = await show(service(), user, { 'If-None-Match': tag });
    expect(next.status).to.equal(200);
    expect(next.headers.get('etag')).not.to.equal(tag);
    expect((await show(service(), user, { 'If-None-Match': tag.slice(1, -1) })).status).to.equal(200);
  });

  it('is one of two concurrent uploads, and the other is deleted', async () => {
    const user = await service().signUp();
    const paths = new Set<string>();
    // A user may upload two at once.
    for (let pair = 1; pair <= 10; pair += 1) {
      const both = [setAvatar(service(), user), setAvatar(service(), user)];
      for (const path of await Promise.all(both)) paths.add(path);
      expect(paths.size).to.equal(pair * 2);
    }
    expect((await show(service(), user)).status).to.equal(200);
    await until(async () => (await storedFor(service(), user)).length === 1);
    const { avatar } = await records().accountOf(user.email);
    expect(await storedFor(service(), user)).to.deep.equal([avatar]);
  });

  it('is deleted once it is removed, and its route then answers 404', async () => {
    const user = await service().signUp();
    expect((await remove(user.token)).status).to.equal(200);
    await setAvatar(service(), user);
    const { status, body } = await remove(user.token);
    expect([status, Object.keys(body)]).to.deep.equal([200, ['message']]);
    const reply = await service().request('GET', '/api/avatar', { token: user.token });
    expect([reply.status, reply.body.code]).to.deep.equal([404, 'avatar_not_found']);
    expect(reply.headers.get('content-type')).to.match(/^application\/json/);
    await until(async () => (await storedFor(service(), user)).length === 0);
    const { body: profile } = await service().request('GET', '/api/auth/me', { token: user.token });
    expect(profile.user?.avatar).to.equal(null);
    expect((await remove(user.token)).status).to.equal(200);
  });

  it('redirects the owner if it is a URL, until an upload replaces it', async () => {
    const user = await service().signUp();
    for (const url of ['https://images.example.com/a/b?c=d&e=%C4%85', 'HTTP://images.example.com/ą.png']) {
      await records().change(user.email, { avatar: url });
      const { href } = new URL(url);
      // A process may see a change by another one up to a second later.
      await until(async () => (await show(service(), user)).headers.get('location') === href);
      const { status, headers, bytes } = await show(service(), user);
      expect([status, headers.get('location')]).to.deep.equal([302, href]);
      expect(headers.get('cache-control')).to.equal('private, no-cache');
      expect(Buffer.from(bytes).toString()).not.to.include('<');
    }
    const path = await setAvatar(service(), user);
    expect((await show(service(), user)).bytes).to.deep.equal(smallestPng);
    expect(await storedFor(service(), user)).to.deep.equal([path]);
    await records().change(user.email, { avatar: 'https://images.example.com/a' });
    expect((await remove(user.token)).status).to.equal(200);
    expect((await show(service(), user)).status).to.equal(404);
  });
});
