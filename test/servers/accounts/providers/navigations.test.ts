import { expect } from 'chai';
import { makeFlowCookies } from '../../../../servers/accounts/providers/flow-cookies.ts';
import { person, provider } from '../../../support/scripted-providers.ts';
import type { Reply } from '../../../support/service.ts';
import { beginQuery, locationOf, newHalf, REDIRECT, STATE, useTrips } from './flows.ts';

/** A small page, in place of a redirect. */
const expectPage = (reply: Reply, status: number, code: string) => {
  expect([reply.status, reply.headers.get('location')], code).to.deep.equal([status, null]);
  expect(reply.headers.get('content-type')).to.equal('text/html; charset=utf-8');
  expect(String(reply.body)).to.include(`<code>${code}</code>`);
  expectQuiet(reply);
};

/** Nothing is kept, and the next site learns nothing of this one's address. */
const expectQuiet = ({ headers }: Reply) =>
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).to.deep.equal([
    'no-store',
    'no-referrer',
  ]);

describe('A navigation to a provider', () => {
  const trips = useTrips([provider(), provider({ id: 'form', formPost: true })]);
  const { service, base, jar } = trips;
  const half = newHalf();
  /** As what shows addresses to people beforehand does. */
  const lookAt = (path: string, headers: Record<string, string> = {}) =>
    fetch(service().url + path, { method: 'HEAD', headers, redirect: 'manual' });

  it('goes to the provider, with the trip sealed in a cookie of its own', async () => {
    const reply = await jar().go(`${base}/begin?${beginQuery(half)}`);
    expect(reply.status).to.equal(303);
    expect(locationOf(reply).origin).to.equal('https://id.example');
    expectQuiet(reply);
    const [line = '', ...others] = reply.headers.getSetCookie();
    expect(others).to.deep.equal([]);
    const name = locationOf(reply).searchParams.get('state')?.slice(0, 8);
    const attributes = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=600';
    expect(line).to.match(new RegExp(`^gh-flow-${name}=[^;]{200,3000}; ${attributes}$`));
    for (const open of [STATE, 'app.example', half.challenge]) expect(line).not.to.include(open);
  });

  it('keeps a trip that ends with the form of another site in a cookie that comes with one', async () => {
    const reply = await jar().go(`/api/auth/providers/form/begin?${beginQuery(half)}`);
    const [line] = reply.headers.getSetCookie();
    expect(line).to.match(/; Path=\/; HttpOnly; Secure; SameSite=None; Max-Age=600$/);
  });

  it('keeps five trips, and lets go of the oldest with the sixth', async () => {
    const browser = jar();
    const names: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      await browser.go(`${base}/begin?${beginQuery(half)}`);
      names.push([...browser.kept.keys()].at(-1) ?? '');
    }
    expect([...browser.kept.keys()]).to.deep.equal(names.slice(2));
  });

  it('lets go of old trips that would make the head of a request too long', async () => {
    const browser = jar();
    for (let count = 0; count < 7; count += 1) {
      const { status } = await browser.go(`${base}/begin?${beginQuery(half, { state: 'x'.repeat(512) })}`);
      expect(status).to.equal(303);
    }
    const length = [...browser.kept.values()].join('').length;
    expect(browser.kept.size).to.be.within(2, 5);
    expect(length).to.be.at.most(8_192);
    // Whoever puts cookies of this name there by another way gets rid of none but them.
    for (const place of [1, 2, 3]) browser.kept.set(`gh-flow-long${place}000`, 'y'.repeat(3_000));
    expect((await browser.go(`${base}/begin?${beginQuery(half)}`)).status).to.equal(303);
    expect([...browser.kept.values()].join('').length).to.be.at.most(8_192);
  });

  it('is not begun, and its ticket not spent, by HEAD', async () => {
    const { token } = await service().signUp();
    const body = { redirectUri: REDIRECT, challenge: half.challenge, state: STATE };
    const { url } = (await service().post(`${base}/link`, body, { token })).body;
    const path = String(url).slice(service().url.length);
    const head = await lookAt(path);
    expect([head.status, head.headers.get('allow')]).to.deep.equal([405, 'GET, OPTIONS']);
    expect((await jar().go(path)).status).to.equal(303);
    expect((await jar().go(path)).status).to.equal(401);
  });

  it('is not ended by HEAD', async () => {
    const browser = jar();
    const answer = await trips.setOut(person(), browser, beginQuery(half));
    const Cookie = [...browser.kept].map((pair) => pair.join('=')).join('; ');
    const head = await lookAt(`${base}/callback?${answer}`, { Cookie });
    expect(head.status).to.equal(405);
    expect((await browser.go(`${base}/callback?${answer}`)).status).to.equal(303);
  });

  it('shows a page where it cannot begin', async () => {
    const wrong: readonly (readonly [string, number, string])[] = [
      [beginQuery(half, { challengeMethod: 'plain' }), 400, 'invalid_challenge'],
      [`redirectUri=${encodeURIComponent(REDIRECT)}&state=${STATE}`, 400, 'invalid_challenge'],
      [beginQuery(half, { state: 'short' }), 400, 'invalid_state'],
      [beginQuery(half, { redirectUri: 'https://evil.example/' }), 400, 'invalid_redirect'],
      [`${beginQuery(half)}&state=${STATE}`, 400, 'invalid_request'],
      [`${beginQuery(half)}&ticket=x`, 400, 'invalid_request'],
      ['ticket=x', 401, 'invalid_ticket'],
      ['ticket=', 400, 'invalid_request'],
      ['', 400, 'invalid_challenge'],
    ];
    for (const [query, status, code] of wrong) {
      const reply = await jar().go(`${base}/begin?${query}`);
      expectPage(reply, status, code);
      expect(reply.headers.getSetCookie()).to.deep.equal([]);
    }
    for (const id of ['nobody', 'n'.repeat(1_000)]) {
      const reply = await jar().go(`/api/auth/providers/${id}/begin?${beginQuery(half)}`);
      expectPage(reply, 404, 'provider_not_found');
    }
  });

  it('comes back to the client with its state and a code, and lets go of the cookie', async () => {
    const { browser, back } = await trips.travel();
    expect(back.status).to.equal(303);
    expectQuiet(back);
    expect(locationOf(back).href.split('?')[0]).to.equal(REDIRECT);
    expect([...locationOf(back).searchParams.keys()]).to.deep.equal(['code', 'state']);
    expect(locationOf(back).searchParams.get('state')).to.equal(STATE);
    expect([...browser.kept]).to.deep.equal([]);
    expect(back.headers.getSetCookie()[0]).to.match(
      /^gh-flow-\S{8}=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/,
    );
  });

  it('comes back with the form of a provider that answers so, and by no form from another', async () => {
    const path = '/api/auth/providers/form';
    const set = await jar().go(`${path}/begin?${beginQuery(half)}`);
    const state = locationOf(set).searchParams.get('state') ?? '';
    const [name = '', value = ''] = (set.headers.getSetCookie()[0] ?? '').split(/[=;]/);
    const code = trips.scripted.script(person({ provider: 'form', subject: 'by-form' }));
    const send = (body: string, type: string) =>
      service().request('POST', `${path}/callback`, {
        body,
        headers: { Cookie: `${name}=${value}`, 'Content-Type': type },
      });
    const form = `state=${state}&code=${code}`;
    expectPage(await send('{}', 'application/json'), 415, 'unsupported_media_type');
    expectPage(await send(`${form}&more=${'x'.repeat(16_384)}`, FORM), 413, 'too_large');
    expectPage(await jar().go(`${base}/callback`, form), 405, 'method_not_allowed');
    expectPage(await jar().go('/api/auth/providers/nobody/callback', form), 404, 'provider_not_found');
    const back = await send(form, `${FORM}; charset=utf-8`);
    expect([...locationOf(back).searchParams.keys()]).to.deep.equal(['code', 'state']);
  });

  it('brings each parameter to the core as often as it came', async () => {
    const browser = jar();
    const answer = await trips.setOut(person(), browser, beginQuery(half));
    const [name = ''] = browser.kept.keys();
    const twice = await browser.go(`${base}/callback?${answer}&${answer}`);
    expectPage(twice, 400, 'flow_lost');
    expect([...browser.kept.keys()]).to.deep.equal([name]);
  });

  it('shows a page where the browser has not begun what comes back', async () => {
    const { answer, browser } = await trips.travel();
    for (const query of ['', answer, 'state=x', 'state=short&code=y', `${answer}&state=z`])
      expectPage(await browser.go(`${base}/callback?${query}`), 400, 'flow_lost');
  });
});

const FORM = 'application/x-www-form-urlencoded';

describe('The cookies of trips', () => {
  const keep = { name: 'abcdefgh', value: 'v', seconds: 600, crossSite: false };

  it('are this host’s alone, over https', () => {
    const cookies = makeFlowCookies(true);
    expect(cookies.storeLines(keep)).to.deep.equal([
      '__Host-gh-flow-abcdefgh=v; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=600',
    ]);
    expect(cookies.clearLines('abcdefgh')).to.deep.equal([
      '__Host-gh-flow-abcdefgh=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0',
    ]);
    for (const other of ['gh-flow-abcdefgh', '\u00a0__Host-gh-flow-abcdefgh'])
      expect(cookies.find('abcdefgh', `${other}=x; __Host-gh-flow-abcdefgh=v==; a=b`)).to.equal('v==');
  });

  it('are cleared beyond five without https, too, whichever provider stored them', () => {
    const sent = ['a', 'b', 'c', 'd', 'e'].map((name) => `gh-flow-${name}=x`).join('; ');
    for (const crossSite of [false, true])
      expect(makeFlowCookies(false).storeLines({ ...keep, crossSite }, sent)).to.deep.equal([
        'gh-flow-a=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
        'gh-flow-a=; Path=/; HttpOnly; Secure; SameSite=None; Max-Age=0',
        `gh-flow-abcdefgh=v; Path=/; HttpOnly;${crossSite ? ' Secure; SameSite=None' : ' SameSite=Lax'}; Max-Age=600`,
      ]);
  });

  it('are nobody’s where two of one name came', () => {
    expect(makeFlowCookies(false).find('abcdefgh', 'gh-flow-abcdefgh=1; gh-flow-abcdefgh=2')).to.equal(
      undefined,
    );
  });
});
