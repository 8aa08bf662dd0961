import { expect } from 'chai';
import { provider, providerIdentity } from '../../../support/scripted-providers.ts';
import { openPage } from '../cookies/jar.ts';
import { locationOf, newPkcePair, REDIRECT, STATE, useFlows } from './flows.ts';

describe('A ticket that a session in a cookie requests', () => {
  const { service, base, jar, scripted } = useFlows([provider()], { COOKIE_SESSIONS: 'on' });

  /** Requests a ticket from a page of this origin. */
  const requestFrom = async (origin: string, path = '/api/auth/providers/example/link') => {
    const page = openPage(service());
    await page.logIn(await service().signUp());
    const pkce = newPkcePair();
    const body = { redirectUri: REDIRECT, challenge: pkce.challenge, state: STATE };
    const { url } = (await page.send('POST', path, { body, headers: { Origin: origin } })).body;
    return { page, pkce, begin: `${base}/begin${new URL(String(url)).search}` };
  };
  const go = (path: string, value: string) =>
    service().request('GET', path, value === '' ? {} : { headers: { Cookie: `gatehouse=${value}` } });

  it('is accepted only with the cookie of its session, and is not spent without it', async () => {
    for (const path of ['/api/auth/providers/example/link', '/api/auth/reauthenticate/example']) {
      const { page, begin } = await requestFrom(service().url, path);
      const stranger = openPage(service());
      await stranger.logIn(await service().signUp());
      const [user = '', session = '', secret = ''] = page.value().split('.');
      const forged = [user, session, secret, 'x'.repeat(22)].join('.');
      for (const value of ['', stranger.value(), forged]) {
        const reply = await go(begin, value);
        expect([reply.status, reply.headers.get('location')]).to.deep.equal([401, null]);
        expect(reply.headers.getSetCookie()).to.deep.equal([]);
      }
      expect((await go(begin, page.value())).status).to.equal(303);
    }
  });

  it('links an identity in the browser of its session', async () => {
    const { page, pkce, begin } = await requestFrom(service().url);
    const browser = jar();
    browser.cookies.set('gatehouse', page.value());
    const state = locationOf(await browser.go(begin)).searchParams.get('state') ?? '';
    const reply = await browser.go(
      `${base}/callback?state=${state}&code=${scripted.script(providerIdentity())}`,
    );
    const code = locationOf(reply).searchParams.get('code') ?? '';
    const { body } = await page.post('providers/link/confirm', { code, verifier: pkce.verifier });
    expect(body.oauthAccounts).to.have.length(1);
  });

  it('is accepted once in any browser if a page of another origin requests it', async () => {
    const { begin } = await requestFrom('https://site.example');
    expect((await go(begin, '')).status).to.equal(303);
    expect((await go(begin, '')).status).to.equal(401);
  });
});
