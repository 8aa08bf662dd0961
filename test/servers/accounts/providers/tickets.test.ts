import { expect } from 'chai';
import { person, provider } from '../../../support/scripted-providers.ts';
import { openPage } from '../cookies/jar.ts';
import { locationOf, newHalf, REDIRECT, STATE, useTrips } from './flows.ts';

describe('A ticket of a session in a cookie', () => {
  const { service, base, jar, scripted } = useTrips([provider()], { COOKIE_SESSIONS: 'on' });

  /** Asks for a ticket from a page of this origin. */
  const askFrom = async (origin: string, path = '/api/auth/providers/example/link') => {
    const page = openPage(service());
    await page.logIn(await service().signUp());
    const half = newHalf();
    const body = { redirectUri: REDIRECT, challenge: half.challenge, state: STATE };
    const { url } = (await page.send('POST', path, { body, headers: { Origin: origin } })).body;
    return { page, half, begin: `${base}/begin${new URL(String(url)).search}` };
  };
  const go = (path: string, value: string) =>
    service().request('GET', path, value === '' ? {} : { headers: { Cookie: `gatehouse=${value}` } });

  it('works in the browser with that cookie alone, and others cannot use it up', async () => {
    for (const path of ['/api/auth/providers/example/link', '/api/auth/reauthenticate/example']) {
      const { page, begin } = await askFrom(service().url, path);
      const stranger = openPage(service());
      await stranger.logIn(await service().signUp());
      const [user = '', session = '', secret = ''] = page.value().split('.');
      const madeUp = [user, session, secret, 'x'.repeat(22)].join('.');
      for (const value of ['', stranger.value(), madeUp]) {
        const reply = await go(begin, value);
        expect([reply.status, reply.headers.get('location')]).to.deep.equal([401, null]);
        expect(reply.headers.getSetCookie()).to.deep.equal([]);
      }
      expect((await go(begin, page.value())).status).to.equal(303);
    }
  });

  it('links what its own browser brings', async () => {
    const { page, half, begin } = await askFrom(service().url);
    const browser = jar();
    browser.kept.set('gatehouse', page.value());
    const state = locationOf(await browser.go(begin)).searchParams.get('state') ?? '';
    const back = await browser.go(`${base}/callback?state=${state}&code=${scripted.script(person())}`);
    const code = locationOf(back).searchParams.get('code') ?? '';
    const { body } = await page.post('providers/link/confirm', { code, verifier: half.verifier });
    expect(body.oauthAccounts).to.have.length(1);
  });

  it('works in any browser, once, where a page of another origin passes the call on', async () => {
    const { begin } = await askFrom('https://site.example');
    expect((await go(begin, '')).status).to.equal(303);
    expect((await go(begin, '')).status).to.equal(401);
  });
});
