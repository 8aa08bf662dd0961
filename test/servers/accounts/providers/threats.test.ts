import { expect } from 'chai';
import { ROUNDS } from '../../../support/rounds.ts';
import { person, provider } from '../../../support/scripted-providers.ts';
import { openStorePorts } from '../../../support/store-ports.ts';
import { openPage } from '../cookies/jar.ts';
import { beginQuery, locationOf, newHalf, REDIRECT, STATE, useTrips } from './flows.ts';

/** Spellings of an address that is no entry of the setting, though some readers of addresses would take it for one. */
const ELSEWHERE: readonly string[] = [
  'https://evil.example/signed-in',
  'https://app.example/signed-in/',
  'https://app.example/signed-in?x=1',
  'https://app.example/signed-in#x',
  'https://app.example/signed-in/../evil',
  'https://app.example/%73igned-in',
  'https://app.example:443/signed-in',
  'https://APP.example/signed-in',
  'HTTPS://app.example/signed-in',
  'https://app.example./signed-in',
  'https://app.example@evil.example/signed-in',
  'https://evil.example\\@app.example/signed-in',
  'https://app.example.evil.example/signed-in',
  '//app.example/signed-in',
  '/signed-in',
  'http://app.example/signed-in',
  ' https://app.example/signed-in',
  'https://app.example/signed-in\n',
  'https://app.example\u3002evil.example/signed-in',
  'javascript:alert(1)//https://app.example/signed-in',
  'http://127.0.0.1:80@evil.example/native',
  'http://localhost:4000/native',
  'http://127.0.0.1:4000/native/',
  'http://127.0.0.1:99999/native',
];

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

  it('A7: the answer of one provider at the callback of another', async () => {
    const browser = jar();
    const answer = await trips.setOut(somebody(), browser, beginQuery(newHalf()));
    await isLost(browser.go(`/api/auth/providers/other/callback?${answer}`));
    expect([...browser.kept]).to.deep.equal([]);
  });

  it('A8: a code with another verifier, a challenge that is stripped or plain', async () => {
    for (const change of [{ challenge: '' }, { challengeMethod: 'plain' }, { challengeMethod: '' }]) {
      const reply = await jar().go(`${base}/begin?${beginQuery(newHalf(), change)}`);
      expect([reply.status, reply.headers.get('location')]).to.deep.equal([400, null]);
      expect(String(reply.body)).to.include('invalid_challenge');
    }
    const { code, verifier } = await travel(somebody());
    expect((await exchange(code, newHalf().verifier)).status).to.equal(401);
    expect((await exchange(code, verifier)).status).to.equal(401);
  });

  it('A10: an address that is spelled like one of ours', async () => {
    for (const redirectUri of ELSEWHERE) {
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

  it('A13: a stolen token adds no identity, and takes none away', async () => {
    const { token } = await service().signUp();
    service().clock.advance(601_000);
    const body = { redirectUri: REDIRECT, challenge: newHalf().challenge, state: STATE };
    const send = service().request;
    for (const reply of [
      await send('POST', '/api/auth/providers/example/link', { token, body }),
      await send('POST', '/api/auth/providers/link/confirm', { token, body: { linkToken: 'x' } }),
      await send('DELETE', '/api/auth/providers/example/accounts/x', { token }),
    ])
      expect([reply.status, reply.body.code]).to.deep.equal([403, 'fresh_authentication_needed']);
  });

  it('a leaked ticket links nothing: its second use ends the flow of the first, whoever was first', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { token } = await service().signUp();
      const half = newHalf();
      const body = { redirectUri: REDIRECT, challenge: half.challenge, state: STATE };
      const { url } = (await service().post('/api/auth/providers/example/link', body, { token })).body;
      const stranger = await travel(somebody(), half, String(url));
      expect(stranger.code).to.have.length(87);
      const uses = await Promise.all(
        Array.from({ length: 5 }, () => jar().go(`${base}/begin${new URL(String(url)).search}`)),
      );
      for (const reply of uses) {
        expect([reply.status, reply.headers.get('location')]).to.deep.equal([401, null]);
        expect(String(reply.body)).to.include('invalid_ticket');
      }
      const { code, verifier } = stranger;
      const confirm = await service().post('/api/auth/providers/link/confirm', { code, verifier }, { token });
      expect([confirm.status, confirm.body.code]).to.deep.equal([401, 'invalid_flow']);
      const { oauthAccounts } = (await service().request('GET', '/api/auth/me', { token })).body.user ?? {};
      expect(oauthAccounts).to.deep.equal([]);
    }
  });

  it('A14: a flood of begins and of callbacks stores nothing', async () => {
    const { flows, close } = openStorePorts(service().folder);
    const stored = () => flows.sweep(Number.MAX_SAFE_INTEGER, 100_000);
    await stored();
    const most = process.env.LONG === undefined ? 200 : 10_000;
    const query = beginQuery(newHalf());
    for (let count = 0; count < most; count += 1) {
      await jar().go(`${base}/begin?${query}`);
      if (count % 10 === 0) await jar().go(`${base}/callback?state=${'x'.repeat(43)}&code=y`);
    }
    expect(await stored()).to.equal(0);
    await close();
  }).timeout(120_000);

  it('A16: the identity of who was deleted revives nothing', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const said = somebody();
      const login = async () => (await trips.signIn(said)).body;
      const first = await login();
      const token = String(first.token);
      const tier = { body: { service: 'DROP', tier: 'pro' }, token };
      expect((await service().request('POST', '/api/services', tier)).status).to.equal(200);
      expect((await service().post('/api/auth/delete-account', {}, { token })).status).to.equal(200);
      const again = await login();
      expect(again.user?.id).to.be.a('string').and.not.to.equal(first.user?.id);
      const [service0] = again.services as unknown as readonly { tier: string }[];
      expect(service0?.tier ?? 'free').to.equal('free');
    }
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
