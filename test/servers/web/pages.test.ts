import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { root } from '../../support/tree/root.ts';

const manifest: {
  readonly paths: object;
  readonly entry: readonly string[];
} = JSON.parse(readFileSync(join(root, 'dist/servers/pages/files/account/manifest.json'), 'utf8'));

describe('The account pages over HTTP', () => {
  const RETURN_TO = 'https://app.example.com/signed-in';
  const service = useService({
    ...{ PRODUCT_NAME: 'Drop', SUPPORT_URL: 'https://example.com/</script>' },
    SIGN_IN_REDIRECTS: RETURN_TO,
  });
  /** This page requires an authorization query. */
  const CONTINUE = `?return_to=${RETURN_TO}&state=app&code_challenge=${'c'.repeat(43)}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service().url + path, { headers });

  it('are shells without state, with a strict content security policy', async () => {
    for (const path of Object.keys(manifest.paths)) {
      const answer = await get(path === '/account/continue' ? path + CONTINUE : path);
      expect(answer.status, path).to.equal(200);
      const policy = answer.headers.get('content-security-policy');
      expect(policy).to.include("default-src 'none'").and.include("trusted-types 'none'");
      expect(policy).to.not.include('unsafe');
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(answer.headers.get('x-frame-options')).to.equal('DENY');
      const text = await answer.text();
      expect(text).to.include(' – Drop</title>').and.include('<div class="scriptless');
      expect(text.match(/<script/g)).to.have.length(3);
      expect(text).to.include('\\u003c/script>');
    }
  });

  it('have the layout of the account or of a form', async () => {
    const layoutOf = async (path: string) => /<main class="(\w+)">/.exec(await (await get(path)).text())?.[1];
    const pages = ['', '/security', '/security/two-factor', '/sessions', '/plan', '/domain', '/delete'];
    for (const path of pages.map((page) => `/account${page}`))
      expect(await layoutOf(path), path).to.equal('account');
    for (const path of ['/account/sign-in', '/account/return', '/account/undo'])
      expect(await layoutOf(path), path).to.equal('form');
  });

  it('use the language of `ui_locales`, or else of Accept-Language', async () => {
    const titleOf = async (path: string, languages = '') =>
      /<html lang="(..)".*<title>(.*) –/s
        .exec(await (await get(path, { 'Accept-Language': languages })).text())
        ?.slice(1);
    expect(await titleOf('/account/sign-in')).to.deep.equal(['en', 'Sign in']);
    expect(await titleOf('/account/sign-in', 'de, pl;q=0.8')).to.deep.equal(['pl', 'Zaloguj się']);
    expect(await titleOf('/account/sign-in?ui_locales=pl-PL%20en', 'en')).to.deep.equal([
      'pl',
      'Zaloguj się',
    ]);
    expect(await titleOf('/account/sign-in?ui_locales=xx', 'en')).to.deep.equal(['en', 'Sign in']);
  });

  it('have immutable files in each encoding that browsers accept', async () => {
    const path = `/account/files/${manifest.entry[0]}`;
    const texts = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) => {
        const answer = await get(path, { 'Accept-Encoding': encoding });
        expect(answer.headers.get('content-encoding') ?? 'identity').to.equal(encoding);
        expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
        return answer.text();
      }),
    );
    expect(new Set(texts).size).to.equal(1);
    expect((await get('/account/files/manifest.json')).status).to.equal(404);
    expect((await get('/account/files/..%2f..%2fapp.js')).status).to.equal(404);
  });
});

describe('The account service with PAGES=off', () => {
  const service = useService({ PAGES: 'off' });

  it('answers 404 at the paths of pages', async () => {
    for (const path of ['/', '/account/sign-in'])
      expect((await service().request('GET', path)).status).to.equal(404);
  });
});
