import { expect } from 'chai';
import { makeFlowCookies } from '../../../../servers/accounts/providers/flow-cookies.ts';
import { provider, providerIdentity } from '../../../support/scripted-providers.ts';
import type { Reply } from '../../../support/service.ts';
import { beginQuery, locationOf, newPkcePair, REDIRECT, STATE, useFlows } from './flows.ts';

/** Expects an error page in place of a redirect. */
const expectPage = (reply: Reply, status: number, code: string) => {
  expect([reply.status, reply.headers.get('location')], code).to.deep.equal([status, null]);
  expect(reply.headers.get('content-type')).to.equal('text/html; charset=utf-8');
  expect(String(reply.body)).to.include(`<code>${code}</code>`);
  expectQuiet(reply);
};

/** Expects that caches store nothing and the next site receives no referrer. */
const expectQuiet = ({ headers }: Reply) =>
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).to.deep.equal([
    'no-store',
    'no-referrer',
  ]);

describe('The navigation to a provider and back', () => {
  const flows = useFlows([provider(), provider({ id: 'form', formPost: true })]);
  const { service, base, jar } = flows;
  const pkce = newPkcePair();
  /** Sends HEAD, as link previews do. */
  const sendHead = (path: string, headers: Record<string, string> = {}) =>
    fetch(service().url + path, { method: 'HEAD', headers, redirect: 'manual' });

  it('redirects to the provider, and seals the flow in its own cookie', async () => {
    const reply = await jar().go(`${base}/begin?${beginQuery(pkce)}`);
    expect(reply.status).to.equal(303);
    expect(locationOf(reply).origin).to.equal('https://id.example');
    expectQuiet(reply);
    const [line = '', ...otherLines] = reply.headers.getSetCookie();
    expect(otherLines).to.deep.equal([]);
    const name = locationOf(reply).searchParams.get('state')?.slice(0, 8);
    const attributes = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=600';
    expect(line).to.match(new RegExp(`^gh-flow-${name}=[^;]{200,3000}; ${attributes}$`));
    for (const plaintext of [STATE, 'app.example', pkce.challenge]) expect(line).not.to.include(plaintext);
  });

  it('sets a cookie with SameSite=None for a provider that answers with a form post', async () => {
    const reply = await jar().go(`/api/auth/providers/form/begin?${beginQuery(pkce)}`);
    const [line] = reply.headers.getSetCookie();
    expect(line).to.match(/; Path=\/; HttpOnly; Secure; SameSite=None; Max-Age=600$/);
  });

  it('keeps the cookies of five flows, and clears the oldest if a sixth begins', async () => {
    const browser = jar();
    const names: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      await browser.go(`${base}/begin?${beginQuery(pkce)}`);
      names.push([...browser.cookies.keys()].at(-1) ?? '');
    }
    expect([...browser.cookies.keys()]).to.deep.equal(names.slice(2));
  });

  it('clears the cookies of old flows that would make the request headers too long', async () => {
    const browser = jar();
    for (let count = 0; count < 7; count += 1) {
      const { status } = await browser.go(`${base}/begin?${beginQuery(pkce, { state: 'x'.repeat(512) })}`);
      expect(status).to.equal(303);
    }
    const length = [...browser.cookies.values()].join('').length;
    expect(browser.cookies.size).to.be.within(2, 5);
    expect(length).to.be.at.most(8_192);
    // Cookies of this name that the service did not set must not block the next flow.
    for (const place of [1, 2, 3]) browser.cookies.set(`gh-flow-long${place}000`, 'y'.repeat(3_000));
    expect((await browser.go(`${base}/begin?${beginQuery(pkce)}`)).status).to.equal(303);
    expect([...browser.cookies.values()].join('').length).to.be.at.most(8_192);
  });

  it('refuses to begin by HEAD, and does not spend the ticket', async () => {
    const { token } = await service().signUp();
    const body = { redirectUri: REDIRECT, challenge: pkce.challenge, state: STATE };
    const { url } = (await service().post(`${base}/link`, body, { token })).body;
    const path = String(url).slice(service().url.length);
    const head = await sendHead(path);
    expect([head.status, head.headers.get('allow')]).to.deep.equal([405, 'GET, OPTIONS']);
    expect((await jar().go(path)).status).to.equal(303);
    expect((await jar().go(path)).status).to.equal(401);
  });

  it('refuses the callback by HEAD, and does not end the flow', async () => {
    const browser = jar();
    const callbackQuery = await flows.beginFlow(providerIdentity(), browser, beginQuery(pkce));
    const Cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const head = await sendHead(`${base}/callback?${callbackQuery}`, { Cookie });
    expect(head.status).to.equal(405);
    expect((await browser.go(`${base}/callback?${callbackQuery}`)).status).to.equal(303);
  });

  it('shows an error page if the flow cannot begin', async () => {
    const refusals: readonly (readonly [string, number, string])[] = [
      [beginQuery(pkce, { challengeMethod: 'plain' }), 400, 'invalid_challenge'],
      [`redirectUri=${encodeURIComponent(REDIRECT)}&state=${STATE}`, 400, 'invalid_challenge'],
      [beginQuery(pkce, { state: 'short' }), 400, 'invalid_state'],
      [beginQuery(pkce, { redirectUri: 'https://evil.example/' }), 400, 'invalid_redirect'],
      [`${beginQuery(pkce)}&state=${STATE}`, 400, 'invalid_request'],
      [`${beginQuery(pkce)}&ticket=x`, 400, 'invalid_request'],
      ['ticket=x', 401, 'invalid_ticket'],
      ['ticket=', 400, 'invalid_request'],
      ['', 400, 'invalid_challenge'],
    ];
    for (const [query, status, code] of refusals) {
      const reply = await jar().go(`${base}/begin?${query}`);
      expectPage(reply, status, code);
      expect(reply.headers.getSetCookie()).to.deep.equal([]);
    }
    for (const id of ['nobody', 'n'.repeat(1_000)]) {
      const reply = await jar().go(`/api/auth/providers/${id}/begin?${beginQuery(pkce)}`);
      expectPage(reply, 404, 'provider_not_found');
    }
  });

  it('redirects to the client with its state and a code, and clears the cookie', async () => {
    const { browser, callbackReply } = await flows.runFlow();
    expect(callbackReply.status).to.equal(303);
    expectQuiet(callbackReply);
    expect(locationOf(callbackReply).href.split('?')[0]).to.equal(REDIRECT);
    expect([...locationOf(callbackReply).searchParams.keys()]).to.deep.equal(['code', 'state']);
    expect(locationOf(callbackReply).searchParams.get('state')).to.equal(STATE);
    expect([...browser.cookies]).to.deep.equal([]);
    expect(callbackReply.headers.getSetCookie()[0]).to.match(
      /^gh-flow-\S{8}=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/,
    );
  });

  it('accepts the form post of a provider that uses it, and refuses any other form', async () => {
    const path = '/api/auth/providers/form';
    const beginReply = await jar().go(`${path}/begin?${beginQuery(pkce)}`);
    const state = locationOf(beginReply).searchParams.get('state') ?? '';
    const [name = '', value = ''] = (beginReply.headers.getSetCookie()[0] ?? '').split(/[=;]/);
    const code = flows.scripted.script(providerIdentity({ provider: 'form', subject: 'by-form' }));
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
    const reply = await send(form, `${FORM}; charset=utf-8`);
    expect([...locationOf(reply).searchParams.keys()]).to.deep.equal(['code', 'state']);
  });

  it('refuses a callback with repeated parameters, and keeps the cookie', async () => {
    const browser = jar();
    const callbackQuery = await flows.beginFlow(providerIdentity(), browser, beginQuery(pkce));
    const [name = ''] = browser.cookies.keys();
    const reply = await browser.go(`${base}/callback?${callbackQuery}&${callbackQuery}`);
    expectPage(reply, 400, 'flow_lost');
    expect([...browser.cookies.keys()]).to.deep.equal([name]);
  });

  it('shows an error page for a callback without a flow in this browser', async () => {
    const { callbackQuery, browser } = await flows.runFlow();
    for (const query of ['', callbackQuery, 'state=x', 'state=short&code=y', `${callbackQuery}&state=z`])
      expectPage(await browser.go(`${base}/callback?${query}`), 400, 'flow_lost');
  });
});

const FORM = 'application/x-www-form-urlencoded';

describe('The cookies of flows', () => {
  const cookie = { name: 'abcdefgh', value: 'v', seconds: 600, crossSite: false };

  it('have the __Host- prefix over https, and are found by it', () => {
    const cookies = makeFlowCookies(true);
    expect(cookies.storeLines(cookie)).to.deep.equal([
      '__Host-gh-flow-abcdefgh=v; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=600',
    ]);
    expect(cookies.clearLines('abcdefgh')).to.deep.equal([
      '__Host-gh-flow-abcdefgh=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0',
    ]);
    for (const foreignName of ['gh-flow-abcdefgh', '\u00a0__Host-gh-flow-abcdefgh'])
      expect(cookies.find('abcdefgh', `${foreignName}=x; __Host-gh-flow-abcdefgh=v==; a=b`)).to.equal('v==');
  });

  it('are cleared beyond five over http as well, same-site and cross-site', () => {
    const header = ['a', 'b', 'c', 'd', 'e'].map((name) => `gh-flow-${name}=x`).join('; ');
    for (const crossSite of [false, true])
      expect(makeFlowCookies(false).storeLines({ ...cookie, crossSite }, header)).to.deep.equal([
        'gh-flow-a=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
        'gh-flow-a=; Path=/; HttpOnly; Secure; SameSite=None; Max-Age=0',
        `gh-flow-abcdefgh=v; Path=/; HttpOnly;${crossSite ? ' Secure; SameSite=None' : ' SameSite=Lax'}; Max-Age=600`,
      ]);
  });

  it('are ignored if a name occurs twice', () => {
    expect(makeFlowCookies(false).find('abcdefgh', 'gh-flow-abcdefgh=1; gh-flow-abcdefgh=2')).to.equal(
      undefined,
    );
  });
});
