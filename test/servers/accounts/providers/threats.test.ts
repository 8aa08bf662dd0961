import { expect } from 'chai';
import { person, provider } from '../../../support/scripted-providers.ts';
import { openPage } from '../cookies/jar.ts';
import { beginQuery, locationOf, newHalf, REDIRECT, STATE, useTrips } from './flows.ts';

describe('A threat to sign-in with providers', () => {
  const trips = useTrips([provider(), provider({ id: 'other' })], {
    SIGN_IN_REDIRECTS: `${REDIRECT},http://127.0.0.1/native`,
  });
  const { service, base, jar, exchange, travel, travelFor } = trips;
  let made = 0;
  const somebody = () => {
    made += 1;
    return person({ subject: `s${made}`, email: `s${made}@example.com` });
  };
  /** Everything that says `flow_lost`, and goes nowhere. */
  const isLost = async (going: ReturnType<ReturnType<typeof jar>['go']>) => {
    const reply = await going;
    expect([reply.status, reply.headers.get('location')]).to.deep.equal([400, null]);
    expect(String(reply.body)).to.include('flow_lost').and.not.to.include('code=');
  };

  it('A5: the attacker’s answer in the victim’s browser, and the attacker’s code in the victim’s app', async () => {
    const attacker = jar();
    const answer = await trips.setOut(somebody(), attacker, beginQuery(newHalf()));
    await isLost(jar().go(`${base}/callback?${answer}`));
    const victim = jar();
    await trips.setOut(somebody(), victim, beginQuery(newHalf()));
    await isLost(victim.go(`${base}/callback?${answer}`));

    const { code } = await travel(somebody());
    const reply = await exchange(code, newHalf().verifier);
    expect([reply.status, reply.body.code]).to.deep.equal([401, 'invalid_flow']);
  });

  it('A6: the victim goes on with what the attacker has begun', async () => {
    // The address at the provider, sent to the victim: the cookie is in the attacker’s browser.
    const half = newHalf();
    const answer = await trips.setOut(somebody(), jar(), beginQuery(half));
    await isLost(jar().go(`${base}/callback?${answer}`));

    // The address of `begin`: the code comes to the victim’s app, which has no verifier for this state.
    const whole = await travel(somebody(), half);
    expect((await exchange(whole.code, newHalf().verifier)).status).to.equal(401);
    expect((await exchange(whole.code, half.verifier)).status).to.equal(401);

    // The address of a link into the attacker’s account: the code is worth nothing to another session.
    const [attacker, victim] = [await service().signUp(), await service().signUp()];
    const link = await travelFor(attacker.token, '/api/auth/providers/example/link', somebody());
    const body = { code: link.code, verifier: link.verifier };
    const confirm = { token: victim.token };
    expect((await service().post('/api/auth/providers/link/confirm', body, confirm)).status).to.equal(401);
  });

  it('A10: an address that is spelled like one of ours', async () => {
    for (const redirectUri of [`${REDIRECT}/`, 'https://app.example@evil.example/signed-in']) {
      const reply = await jar().go(`${base}/begin?${beginQuery(newHalf(), { redirectUri })}`);
      expect([reply.status, reply.headers.get('location')], redirectUri).to.deep.equal([400, null]);
      expect(String(reply.body), redirectUri).to.include('invalid_redirect');
      expect(reply.headers.getSetCookie()).to.deep.equal([]);
    }
    for (const redirectUri of [REDIRECT, 'http://127.0.0.1:51004/native', 'http://127.0.0.1/native'])
      expect(
        (await jar().go(`${base}/begin?${beginQuery(newHalf(), { redirectUri })}`)).status,
        redirectUri,
      ).to.equal(303);
  });

  it('A16: a link that was begun is kept over the email step of another sign-in', async () => {
    const { token } = await service().signUp();
    const link = await travelFor(token, '/api/auth/providers/example/link', somebody());
    const asked = await trips.signIn(person({ subject: 'step', email: null, emailVerified: false }));
    const { signUpToken } = asked.body;
    const email = 'step@example.com';
    expect((await service().post('/api/auth/providers/sign-up', { signUpToken, email })).status).to.equal(
      200,
    );
    const body = { code: link.code, verifier: link.verifier };
    expect((await service().post('/api/auth/providers/link/confirm', body, { token })).status).to.equal(200);
  });
});

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
