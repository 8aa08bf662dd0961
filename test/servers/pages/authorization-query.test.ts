import { expect } from 'chai';
import { useService } from '../../support/service.ts';

const RETURN_TO = 'https://app.example.com/signed-in';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const VALID = { return_to: RETURN_TO, state: 'of the app', code_challenge: CHALLENGE };

describe('The authorization query of a page', () => {
  const service = useService({ SIGN_IN_REDIRECTS: RETURN_TO });

  const visit = (path: string, query: Readonly<Record<string, string>> | [string, string][]) =>
    fetch(`${service().url}${path}?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      headers: { Accept: 'text/html,application/xhtml+xml' },
    });
  const PATHS = [
    '/account/sign-in',
    '/account/sign-up',
    '/account/verify',
    '/account/forgot',
    '/account/reset',
  ];

  it('is accepted if `return_to` is an address of SIGN_IN_REDIRECTS', async () => {
    for (const path of [...PATHS, '/account/continue'])
      expect((await visit(path, { ...VALID, ui_locales: 'pl' })).status, path).to.equal(200);
  });

  it('is refused with a 400 page and no redirect if a member is missing or malformed', async () => {
    const { return_to: _, ...withoutReturnTo } = VALID;
    for (const query of [
      withoutReturnTo,
      { return_to: RETURN_TO },
      { ...VALID, return_to: '' },
      { ...VALID, return_to: `${RETURN_TO}/` },
      { ...VALID, return_to: `${RETURN_TO}?` },
      { ...VALID, return_to: 'https://app.example.com@evil.example/signed-in' },
      { ...VALID, return_to: 'http://localhost:80@evil' },
      { ...VALID, return_to: '//evil.example' },
      { ...VALID, return_to: 'javascript:alert(1)' },
      { ...VALID, state: '' },
      { ...VALID, state: 'é' },
      { ...VALID, state: 'x'.repeat(513) },
      { ...VALID, code_challenge: '' },
      { ...VALID, code_challenge: CHALLENGE.slice(1) },
      [...Object.entries(VALID), ['return_to', 'https://evil.example/']] as [string, string][],
    ])
      for (const path of [...PATHS, '/account/continue']) {
        const answer = await visit(path, query);
        const label = `${path} ${JSON.stringify(query)}`;
        expect(answer.status, label).to.equal(400);
        expect(answer.headers.get('location'), label).to.equal(null);
        expect(answer.headers.get('content-type'), label).to.equal('text/html; charset=utf-8');
        expect(await answer.text(), label).to.not.include('evil.example');
      }
  });

  it('is required at `/account/continue` and optional at other pages', async () => {
    expect((await visit('/account/continue', {})).status).to.equal(400);
    expect((await visit('/account/sign-in', {})).status).to.equal(200);
    expect((await visit('/account/return', { state: 'of a provider', code: 'x' })).status).to.equal(200);
  });
});
