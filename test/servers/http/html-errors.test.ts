import { expect } from 'chai';
import { DEFAULT_COLOUR } from '../../../core/branding/index.ts';
import { CoreError, unavailable } from '../../../core/index.ts';
import { makeErrorPages } from '../../../servers/http/page/error-page.ts';
import { tryAgainIn } from '../../../servers/http/page/error-texts.ts';
import { makePages } from '../../../servers/http/page/page.ts';
import { ask, type Started, sendRaw, startApp, testRoute } from './start-app.ts';

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const JAVA = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
const NAVIGATION = { Accept: CHROME, 'Sec-Fetch-Mode': 'navigate' };

const BRANDING = {
  ...{ productName: 'Drop', brandColour: DEFAULT_COLOUR, signInPath: '/account/sign-in' },
  ...{ supportUrl: 'https://help.example/?a=1&b="2"', termsUrl: null, privacyUrl: null },
};

const failing = (path: string, error: unknown) =>
  testRoute({
    path,
    run: async () => {
      throw error;
    },
  });

describe('An error response', () => {
  let app: Started;
  before(async () => {
    app = await startApp(
      [
        failing('/later', unavailable('busy', 'Busy.', 40)),
        failing('/much-later', new CoreError('throttled', 'login_held', 'Held.', { retryAfter: 86_400 })),
        failing('/broken', new Error('secret detail')),
        failing('/api/auth/me', new CoreError('unauthenticated', 'invalid_token', '<script>')),
      ],
      { errorPage: makeErrorPages(BRANDING, makePages(BRANDING)) },
    );
  });
  after(() => app.close());

  const type = async (path: string, headers: Record<string, string>) =>
    (await ask(`${app.url}${path}`, { headers })).headers['content-type'];

  it('is also a page if the request target is not a URL', async () => {
    const response = await sendRaw(
      app.port,
      `GET http://[ HTTP/1.1\r\nHost: a\r\nAccept: ${CHROME}\r\nConnection: close\r\n\r\n`,
    );
    expect(response)
      .to.match(/^HTTP\/1\.1 400 /)
      .and.include('<code>invalid_http</code>');
    expect(response).to.include('X-Content-Type-Options: nosniff');
  });

  it('is a page for a browser, with the status and headers of the error', async () => {
    const reply = await ask(`${app.url}/later`, { headers: { Accept: CHROME, 'X-Request-Id': 'abc-1' } });
    expect(reply.status).to.equal(503);
    expect(reply.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'retry-after': '40',
      vary: 'Accept',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(reply.text).to.include('Temporarily unavailable').and.include('Try again in 40 seconds.');
    expect(reply.text).to.include('<html lang="en">').and.include('<code>busy</code>');
    expect(reply.text).to.include('abc-1').and.include('<a href="/">').and.not.include('<script');
    expect(reply.text.match(/<h1>/g)).to.have.length(1);
    expect(reply.text).to.include('href="https://help.example/?a=1&amp;b=&quot;2&quot;"');
  });

  it('has a content security policy that allows only the style of the page', async () => {
    const { headers } = await ask(`${app.url}/later`, { headers: { Accept: CHROME } });
    expect(headers['content-security-policy']).to.match(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });

  it('is in Polish if the browser prefers Polish', async () => {
    const { text } = await ask(`${app.url}/much-later`, {
      headers: { Accept: CHROME, 'Accept-Language': 'pl,en;q=0.5' },
    });
    expect(text).to.include('<html lang="pl">').and.include('Zbyt wiele żądań');
    expect(text).to.include('Spróbuj ponownie za 24 godziny.');
    expect(tryAgainIn(1, 'pl')).to.equal('Spróbuj ponownie za 1 sekundę.');
  });

  it('is in the language of `ui_locales`, which takes precedence over Accept-Language', async () => {
    const headers = { Accept: CHROME, 'Accept-Language': 'en' };
    for (const [query, language] of [
      ['?ui_locales=de%20pl-PL%20en', 'pl'],
      ['?ui_locales=de', 'en'],
      ['?ui_locales=pl&ui_locales=en', 'pl'],
    ] as const)
      expect((await ask(`${app.url}/much-later${query}`, { headers })).text).to.include(
        `<html lang="${language}">`,
      );
  });

  it('links to the sign-in page for a 401, and hides the details of an unexpected error', async () => {
    const signIn = await ask(`${app.url}/api/auth/me`, { headers: NAVIGATION });
    expect(signIn.status).to.equal(401);
    expect(signIn.headers['www-authenticate']).to.equal('Bearer');
    expect(signIn.text).to.include('<a class="button" href="/account/sign-in">Sign in</a>');
    const broken = await ask(`${app.url}/broken`, { headers: NAVIGATION });
    expect([broken.status, broken.text.includes('secret')]).to.deep.equal([500, false]);
    expect(broken.text).to.not.include('/account/sign-in');
  });

  it('contains no link to a page if the pages are turned off', async () => {
    const withoutPages = { ...BRANDING, signInPath: null };
    const plain = await startApp(
      [failing('/api/auth/me', new CoreError('unauthenticated', 'invalid_token', 'No.'))],
      { errorPage: makeErrorPages(withoutPages, makePages(withoutPages)) },
    );
    const { text } = await ask(`${plain.url}/api/auth/me`, { headers: NAVIGATION });
    await plain.close();
    expect(text).to.include('<h1>').and.not.include('href="/').and.not.include('class="buttons"');
  });

  it('is also a page for an unknown path or a wrong method', async () => {
    const unknown = await ask(`${app.url}/nowhere`, { headers: NAVIGATION });
    expect([unknown.status, unknown.text.includes('Page not found')]).to.deep.equal([404, true]);
    const method = await ask(`${app.url}/later`, { method: 'DELETE', headers: NAVIGATION });
    expect([method.status, method.headers.allow]).to.deep.equal([405, 'HEAD, GET, OPTIONS']);
    const head = await ask(`${app.url}/nowhere`, { method: 'HEAD', headers: NAVIGATION });
    expect([head.status, head.text]).to.deep.equal([404, '']);
  });

  it('is JSON if the Accept header does not prefer text/html', async () => {
    for (const headers of [
      {},
      { Accept: '*/*' },
      { Accept: 'application/json' },
      { Accept: 'application/json, text/html' },
      { Accept: 'text/html;q=0.5, application/json' },
      { Accept: 'text/html;q=0' },
      { Accept: 'text/html;q=bad' },
      { Accept: 'text/*' },
    ] as Record<string, string>[]) {
      const reply = await ask(`${app.url}/later`, { headers });
      expect(reply.headers, JSON.stringify(headers)).to.include({
        'content-type': 'application/json; charset=utf-8',
        vary: 'Accept',
      });
      expect(reply.body).to.deep.equal({ message: 'Busy.', code: 'busy' });
    }
  });

  it('is a page under /api/ only if a browser navigates to the address', async () => {
    expect(await type('/api/auth/me', { Accept: JAVA })).to.include('json');
    expect(await type('/api/auth/me', { Accept: CHROME })).to.include('json');
    expect(await type('/api/auth/me', { Accept: CHROME, 'Sec-Fetch-Mode': 'cors' })).to.include('json');
    expect(await type('/api/nowhere', NAVIGATION)).to.include('html');
    expect(await type('/nowhere', { Accept: JAVA })).to.include('html');
  });
});
