import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { settingNames } from '../adapters/config.ts';
import type { BuyerActions } from '../core/billing/sandbox.ts';
import { DEFAULT_COLOUR } from '../core/branding/index.ts';
import { appAuthorizationRoutes } from '../servers/accounts/app-authorization.ts';
import { billingRoutes } from '../servers/accounts/billing.ts';
import { billingPages } from '../servers/accounts/billing-pages.ts';
import { providerRoutes } from '../servers/accounts/providers/routes.ts';
import { accountRoutes } from '../servers/accounts/routes.ts';
import { sandboxRoutes } from '../servers/accounts/sandbox.ts';
import { sessionTokenRoutes } from '../servers/accounts/sessions.ts';
import { healthRoutes } from '../servers/http/health.ts';
import { withReference } from '../servers/http/openapi/with-reference.ts';
import { makePages } from '../servers/http/page/page.ts';
import type { Access } from '../servers/http/route.ts';
import { metadataRoutes } from '../servers/metadata/routes.ts';
import { PASSKEYS_ON } from './servers/accounts/passkeys/passkey-calls.ts';
import { DOCUMENT, withTables } from './settings/tables.ts';
import { provider, scriptedProviders } from './support/scripted-providers.ts';
import { useService } from './support/service.ts';
import { documentedTexts } from './support/tree/documented-text.ts';
import { root } from './support/tree/root.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** How the reference describes the access to an endpoint. */
const CALLERS: Readonly<Record<Access, string>> = {
  open: 'Open',
  bearer: 'Bearer',
  bearer_restricted: 'Bearer, restricted too',
  bearer_enterprise: 'Bearer, enterprise tier',
  cookie: 'Cookie',
  console: 'Console',
  internal: 'Internal',
  operator: 'Operator',
};

const page = makePages({
  ...{ productName: '', brandColour: DEFAULT_COLOUR, signInPath: null },
  ...{ supportUrl: null, termsUrl: null, privacyUrl: null },
});

const sandbox = (given: BuyerActions | null): BuyerActions => {
  if (given === null) throw new Error('The sandbox is not the payment provider.');
  return given;
};

/** Words in sections that look like codes of the endpoint: codes of other endpoints, and a value of a list without an enumeration. */
const ELSEWHERE = new Set(['fresh_authentication_needed', 'account_exists', 'cache_epoch']);

describe('The reference of endpoints', () => {
  const documented = documentedTexts();
  const service = useService(PASSKEYS_ON, {
    providers: scriptedProviders([provider({ formPost: true })]).port,
  });
  const routes = () => [
    ...accountRoutes(service().composition.accounts),
    ...sessionTokenRoutes(service().composition.accounts),
    ...appAuthorizationRoutes(service().composition.accounts),
    ...providerRoutes(service().composition.accounts, { origin: () => '', https: true, passkeys: true }),
    ...billingRoutes(service().composition.billing),
    ...billingPages({ page, hasAccountPages: false }),
    ...sandboxRoutes(sandbox(service().composition.sandbox), page),
    ...metadataRoutes(service().composition.files),
    ...healthRoutes({ service: '', version: '', checks: [], closing: new AbortController().signal }),
    ...withReference([], { title: '', version: '', style: 'account', limits: {}, bucket: 'default' }),
  ];
  const sections = new Map(
    read('docs/api.md')
      .split(/^#{2,3} /m)
      .flatMap((section) => {
        const [, title, text = ''] = /^`([A-Z]+ \S+)`\n(.*)$/s.exec(section) ?? [];
        return title === undefined ? [] : [[title, text] as const];
      }),
  );

  it('names every endpoint, and no other', () => {
    expect([...sections.keys()]).to.have.members(routes().map(({ method, path }) => `${method} ${path}`));
  });

  it('states the access and the rate limit bucket of each endpoint', () => {
    for (const { method, path, access, bucket } of routes()) {
      const limit = bucket === 'none' ? 'not limited' : `bucket \`${bucket}\``;
      expect(sections.get(`${method} ${path}`), path).to.match(
        new RegExp(`^${CALLERS[access]}; ${limit}[.,]`),
      );
    }
  });

  it('leaves bodies and error codes to the OpenAPI documents, which contain them', () => {
    for (const { method, path, body, answers } of routes()) {
      const { text = '', responses = {} } = documented.get(`${method} ${path}`) ?? {};
      for (const name of Object.keys(body?.properties ?? {})) {
        expect(text, `${method} ${path}`).to.include(`"${name}"`);
      }
      for (const [status, { errors = [] }] of Object.entries(answers)) {
        expect(responses, `${method} ${path}`).to.have.property(status);
        for (const code of errors) expect(responses[status], `${method} ${path}`).to.include(`"${code}"`);
      }
    }
  });

  it('names only codes and members of the endpoint', () => {
    for (const [endpoint, section] of sections) {
      const words = [...section.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, word = '']) => word);
      for (const word of words) {
        if (!ELSEWHERE.has(word)) expect(documented.get(endpoint)?.text, endpoint).to.include(`"${word}"`);
      }
    }
  });
});

describe('The reference of settings', () => {
  const text = read(DOCUMENT);

  it('has the tables generated from the rows of settings and their comments', () => {
    expect(text.split('\n'), 'npm run settings').to.deep.equal(withTables(text).split('\n'));
  });

  it('names only existing settings', () => {
    const names = [...text.matchAll(/^\| `([A-Z\d_]+)` \|/gm)].map(([, name]) => name);
    expect(names).to.deep.equal(settingNames);
  });
});

/** The anchor that a Markdown renderer gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (document: string) =>
  [...read(document).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe('A link in the documents', () => {
  const documentsIn = (folder: string) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name));
  const documents = ['.', 'docs', 'docs/coming-from', 'docs/sign-in', 'docs/decisions'].flatMap(documentsIn);

  for (const document of documents) {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link));
    if (links.length === 0) continue;
    it(`leads to an existing target from ${document}`, () => {
      for (const link of links) {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? document : join(dirname(document), file);
        expect(existsSync(join(root, target)), link).to.equal(true);
        if (anchor !== undefined) expect(anchorsOf(target), link).to.include(anchor);
      }
    });
  }

  it('is found in the documents', () => {
    expect(read('README.md')).to.match(/\]\(docs\/api\.md\)/);
  });
});
