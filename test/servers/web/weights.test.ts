import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { root } from '../../support/tree/root.ts';

interface Manifest {
  readonly paths: Readonly<Record<string, string>>;
  readonly weights: { readonly all: number; readonly styles: number };
}

const manifestOf = (front: string): Manifest =>
  JSON.parse(readFileSync(join(root, `dist/servers/pages/files/${front}/manifest.json`), 'utf8'));

/** The scripts in the head of a page, which are loaded before the first paint. */
const SCRIPT = /(?:<script[^>]* src|<link rel="modulepreload" href)="([^"]+)"/g;

describe('The size of the scripts before the first paint', () => {
  const RETURN_TO = 'https://app.example.com/signed-in';
  const service = useService({ SIGN_IN_REDIRECTS: RETURN_TO });
  /** This page requires an authorization query. */
  const CONTINUE = `?return_to=${RETURN_TO}&state=app&code_challenge=${'c'.repeat(43)}`;
  const sizes = new Map<string, number>();

  const sizeOf = async (url: string): Promise<number> => {
    const headers = { 'Accept-Encoding': 'gzip' };
    const known = sizes.get(url) ?? (await fetch(url, { method: 'HEAD', headers })).headers;
    const size = typeof known === 'number' ? known : Number(known.get('content-length'));
    expect(size, url).to.be.above(0);
    sizes.set(url, size);
    return size;
  };

  const weigh = async (url: string, language: string): Promise<number> => {
    const answer = await fetch(url, { headers: { 'Accept-Language': language } });
    expect(answer.status, url).to.equal(200);
    const scripts = [...(await answer.text()).matchAll(SCRIPT)].map(([, path = '']) => path);
    expect(scripts, url).to.have.length.above(4);
    expect(scripts.some((path) => path.includes(`/${language}.`))).to.equal(true);
    const each = await Promise.all(scripts.map((path) => sizeOf(new URL(path, url).href)));
    return each.reduce((sum, size) => sum + size, 0);
  };

  for (const front of ['account', 'console'])
    it(`is at most 24 KiB at each page of the ${front} front, and 48 KiB in all`, async () => {
      const { paths, weights } = manifestOf(front);
      const origin = front === 'console' ? service().consoleUrl : service().url;
      for (const path of Object.keys(paths))
        for (const language of ['en', 'pl']) {
          const url = origin + path.replace('{id}', '1') + (path === '/account/continue' ? CONTINUE : '');
          expect(await weigh(url, language), `${path} in ${language}`).to.be.at.most(24_576);
        }
      expect(weights.all).to.be.at.most(49_152);
      expect(weights.styles).to.be.at.most(8_192);
    });
});
