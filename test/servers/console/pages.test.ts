import { expect } from 'chai';
import { useService } from '../../support/service.ts';

describe('The pages of the console', () => {
  const service = useService({ PAGES: 'on', PRODUCT_NAME: 'Drop' });
  const get = async (path: string, headers: Record<string, string> = {}, at = service().consoleUrl) => {
    const answer = await fetch(at + path, { headers });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const configIn = (text: string) =>
    JSON.parse(/<script type="application\/json" id="config">(.*?)<\/script>/s.exec(text)?.[1] ?? '');

  it('are shells under a policy of their own origin alone', async () => {
    for (const path of ['/', '/sign-in', '/users', '/users/0199a0a0-0000-7000-8000-000000000000', '/keys']) {
      const { status, text, headers } = await get(path);
      expect(status, path).to.equal(200);
      expect(text).to.match(/^<!doctype html>/);
      expect(headers.get('content-security-policy')).to.include("trusted-types 'none'");
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('cache-control')).to.equal('no-store');
    }
    expect((await get('/users', { 'Accept-Language': 'pl' })).text).to.include('<html lang="pl"');
  });

  it('keep what an operator looks for in the address, whatever an app would say by it', async () => {
    for (const path of ['/mails?state=dead', '/deliveries?standing=dead'])
      expect((await get(path)).status, path).to.equal(200);
  });

  it('are told where accounts are looked after, and how the first operator is made while trying out', async () => {
    const { console, trial } = configIn((await get('/sign-in')).text);
    expect(console.accounts).to.equal(service().url);
    expect(console.grant).to.equal('npx --no gatehouse operator grant EMAIL founder');
    expect(console.tiers).to.include('free');
    expect(trial).to.equal(null);
  });

  it('name files that are there, packed, for good', async () => {
    const { text } = await get('/');
    const files = [...text.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).to.be.above(4);
    for (const path of files) {
      const { status, headers } = await get(path, { 'Accept-Encoding': 'br' });
      expect(status, path).to.equal(200);
      expect(headers.get('cache-control')).to.include('immutable');
    }
    expect((await get('/console/files/main.js')).status).to.equal(404);
  });

  it('are at no other listener, and the console has no page of accounts', async () => {
    for (const path of ['/users', '/audit', '/console/files/main.js'])
      expect((await get(path, {}, service().url)).status, path).to.equal(404);
    for (const path of ['/account', '/account/sign-in', '/billing/success'])
      expect((await get(path)).status, path).to.equal(404);
  });

  it('answer a wrong path as a page where a browser asks', async () => {
    const page = await get('/nowhere', { Accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
  });

  it('are linked from the home page of accounts while trying out', async () => {
    const { text } = await get('/', {}, service().url);
    expect(configIn(text).trial.console).to.equal(service().consoleUrl);
  });
});
