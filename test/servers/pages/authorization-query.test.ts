import { expect } from 'chai';
import { useService } from '../../support/service.ts';

const RETURN_TO = 'https://app.example.com/signed-in';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const GOOD = { return_to: RETURN_TO, state: 'of the app', code_challenge: CHALLENGE };

describe('Where a page sends somebody back to', () => {
  const service = useService({ SIGN_IN_REDIRECTS: RETURN_TO });

  const visit = (path: string, query: Readonly<Record<string, string>> | [string, string][]) =>
    fetch(`${service().url}${path}?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      headers: { Accept: 'text/html,application/xhtml+xml' },
    });
  const WAYS = [
    '/account/sign-in',
    '/account/sign-up',
    '/account/verify',
    '/account/forgot',
    '/account/reset',
  ];

  it('is one of the settings’ addresses', async () => {
    for (const path of [...WAYS, '/account/continue'])
      expect((await visit(path, { ...GOOD, ui_locales: 'pl' })).status, path).to.equal(200);
  });

  it('is refused as a page in every other case, and nobody is sent anywhere', async () => {
    const { return_to: _, ...without } = GOOD;
    for (const query of [
      without,
      { return_to: RETURN_TO },
      { ...GOOD, return_to: '' },
      { ...GOOD, return_to: `${RETURN_TO}/` },
      { ...GOOD, return_to: `${RETURN_TO}?` },
      { ...GOOD, return_to: 'https://app.example.com@evil.example/signed-in' },
      { ...GOOD, return_to: 'http://localhost:80@evil' },
      { ...GOOD, return_to: '//evil.example' },
      { ...GOOD, return_to: 'javascript:alert(1)' },
      { ...GOOD, state: '' },
      { ...GOOD, state: 'é' },
      { ...GOOD, state: 'x'.repeat(513) },
      { ...GOOD, code_challenge: '' },
      { ...GOOD, code_challenge: CHALLENGE.slice(1) },
      [...Object.entries(GOOD), ['return_to', 'https://evil.example/']] as [string, string][],
    ])
      for (const path of [...WAYS, '/account/continue']) {
        const answer = await visit(path, query);
        const said = `${path} ${JSON.stringify(query)}`;
        expect(answer.status, said).to.equal(400);
        expect(answer.headers.get('location'), said).to.equal(null);
        expect(answer.headers.get('content-type'), said).to.equal('text/html; charset=utf-8');
        expect(await answer.text(), said).to.not.include('evil.example');
      }
  });

  it('needs to be said at the page that sends people on, and nowhere else', async () => {
    expect((await visit('/account/continue', {})).status).to.equal(400);
    expect((await visit('/account/sign-in', {})).status).to.equal(200);
    expect((await visit('/account/return', { state: 'of a provider', code: 'x' })).status).to.equal(200);
  });
});
