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

  it('are shells with a strict policy, in the language of the browser', async () => {
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

  it('accept the parameters `state` and `standing`, since the console has no authorization queries', async () => {
    for (const path of ['/mails?state=dead', '/deliveries?standing=dead'])
      expect((await get(path)).status, path).to.equal(200);
  });

  it('contain the address of the account pages, the command for the first operator, and the tiers', async () => {
    const { console, trial } = configIn((await get('/sign-in')).text);
    expect(console.accounts).to.equal(service().url);
    expect(console.grant).to.equal('npx --no gatehouse operator grant EMAIL founder');
    expect(console.tiers).to.include('free');
    expect(trial).to.equal(null);
  });

  it('link existing files that may be cached forever', async () => {
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

  it('exist only at the listener of the console, which has no pages of accounts', async () => {
    for (const path of ['/users', '/audit', '/console/files/main.js'])
      expect((await get(path, {}, service().url)).status, path).to.equal(404);
    for (const path of ['/account', '/account/sign-in', '/billing/success'])
      expect((await get(path)).status, path).to.equal(404);
  });

  it('include a 404 page for an unknown path in a browser', async () => {
    const page = await get('/nowhere', { Accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
  });

  it('are linked from the home page of accounts outside production', async () => {
    const { text } = await get('/', {}, service().url);
    expect(configIn(text).trial.console).to.equal(service().consoleUrl);
  });
});
