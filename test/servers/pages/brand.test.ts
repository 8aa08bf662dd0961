import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openTestService, type TestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const SVG = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="24"><path fill="${fill}" d="M0 0h96v24H0z"/></svg>`;
const THEME = '/* </style> */ :root { --radius: 0; }';

describe('A custom brand', () => {
  const folder = useTempFolder();
  let service: TestService | undefined;
  afterEach(() => service?.close());

  const open = async (files: Readonly<Record<string, string>>, settings = {}) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder(), name), text);
    service = await openTestService({ BRAND_DIR: folder(), ...settings });
    const { url } = service;
    return {
      text: async (path: string) => (await fetch(url + path, { headers: { Accept: 'text/html' } })).text(),
      fetch: (path: string) => fetch(url + path),
    };
  };
  const all = {
    'logo.svg': SVG('#000'),
    'logo-dark.svg': SVG('#fff'),
    'icon.svg': SVG('#123'),
    'theme.css': THEME,
  };
  const addresses = (page: string) => [...new Set(page.match(/\/account\/brand\/[^"\\]+/g) ?? [])].toSorted();

  it('has its logos for light and dark, icon and theme on the pages', async () => {
    const { text, fetch } = await open(all);
    const page = await text('/account/sign-in');
    const paths = addresses(page);
    expect(paths.map((path) => path.replace(/\.[A-Za-z0-9_-]{8}\./, '.'))).to.deep.equal([
      '/account/brand/icon.svg',
      '/account/brand/logo-dark.svg',
      '/account/brand/logo.svg',
      '/account/brand/theme.css',
    ]);
    const [icon = '', dark = '', light = '', theme = ''] = paths;
    expect(page).to.include(`<link rel="icon" href="${icon}">`);
    expect(page).to.include(
      `<img class="dark" src="${dark}" alt="Gatehouse"><img src="${light}" alt="Gatehouse">`,
    );
    expect(page).to.include(`"logo":{"light":"${light}","dark":"${dark}"}`);
    expect(await text(light)).to.equal(all['logo.svg']);
    const css = await text(theme);
    // The file also contains the styles of the pages, so that those of the operator override them.
    expect(css.indexOf('.button{')).to.be.within(1, css.lastIndexOf('@layer theme'));
    expect(css).to.match(/@layer theme \{.*--accent:.*--radius: 0;.*\}/s);
    const { headers } = await fetch(light);
    expect(headers.get('content-type')).to.equal('image/svg+xml');
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(headers.get('content-security-policy')).to.include('sandbox');
  });

  it('is on error pages, and its theme cannot end the style element', async () => {
    const { text } = await open(all, { PAGES: 'off' });
    const page = await text('/nowhere');
    expect(page).to.include('--radius: 0;');
    expect(page.split('</style>')).to.have.length(2);
    expect(page).to.match(
      /<source srcset="\/account\/brand\/logo-dark\.[^"]+" media="\(prefers-color-scheme: dark\)">/,
    );
    for (const path of addresses(page))
      expect((await fetch((service?.url ?? '') + path)).status).to.equal(200);
  });

  it('answers a file name of another worker with its own file, without caching', async () => {
    const { fetch, text } = await open(all);
    const answer = await fetch('/account/brand/logo.AAAAAAAA.svg');
    expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(await answer.text()).to.equal(await text('/account/brand/logo.BBBBBBBB.svg'));
    expect((await fetch('/account/brand/other.AAAAAAAA.svg')).status).to.equal(404);
  });

  it('has only the theme of its colour if the folder is empty', async () => {
    const { text, fetch } = await open({});
    const [theme = '', ...others] = addresses(await text('/account/sign-in'));
    expect(others).to.deep.equal([]);
    expect((await fetch(theme)).headers.get('content-type')).to.equal('text/css; charset=utf-8');
    expect((await fetch('/account/brand/logo.AAAAAAAA.svg')).status).to.equal(404);
  });
});
