import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './support/tree/root.ts';

/** The suites that run the blocks of a document, by document and language. */
const RUN_BY: Readonly<Record<string, readonly string[]>> = {
  // The line about the tests is run by `.ci/run`.
  'README.md sh': ['test/servers/run/readme.system.test.ts', '.ci/run'],
  'README.md js': ['test/embedding/embedding.system.test.ts'],
  'docs/bundling.md dockerfile': ['test/outside/bundlers/app.ts'],
  'docs/bundling.md js': ['test/outside/bundlers/app.ts'],
  'docs/bundling.md sh': ['test/outside/bundlers/app.ts'],
  'docs/client.md js': ['test/servers/client/docs.test.ts'],
  'docs/commands.md sh': ['test/cli/shown.system.test.ts', 'test/cli/mongodb/shown.system.test.ts'],
  'docs/deploying.md sh': [
    'test/servers/deploying/guide.system.test.ts',
    'test/adapters/redis/least-rights.system.test.ts',
    'test/servers/postgresql/drill.system.test.ts',
  ],
  'docs/deploying.md sql': ['test/adapters/postgresql/start.system.test.ts'],
  'docs/embedding.md sh': ['test/embedding/installed.ts', 'test/embedding/example.ts'],
  'docs/cookie-sessions.md js': ['test/servers/browser/cookies/cookies.system.test.ts'],
  'docs/embedding.md js': ['test/embedding/embedding.system.test.ts'],
  'docs/embedding.md text': ['test/embedding/embedding.system.test.ts'],
  'docs/operating.md sh': [
    'test/cli/shown.system.test.ts',
    'test/servers/observed/metrics-shown.system.test.ts',
  ],
  'docs/operating.md yaml': [
    'test/servers/observed/metrics-shown.system.test.ts',
    'test/servers/observed/prometheus.test.ts',
  ],
  'docs/webhooks.md js': ['test/servers/accounts/webhooks/guide.system.test.ts'],
  'docs/webhooks.md json': ['test/servers/accounts/webhooks/events.slow.test.ts'],
  'docs/webhooks.md python': ['test/servers/accounts/webhooks/python.system.test.ts'],
  'docs/webhooks.md sh': ['test/servers/accounts/webhooks/guide.system.test.ts'],
  'docs/settings.md json': ['test/adapters/s3/objects-moto.system.test.ts'],
  'docs/settings.md sh': ['test/cli/shown.system.test.ts'],
  'docs/passkeys.md js': ['test/servers/browser/passkeys/passkeys.slow.test.ts'],
  'docs/verifying.md js': ['test/outside/verify/frameworks.system.test.ts'],
  'docs/verifying.md sh': ['test/outside/verify/anywhere.system.test.ts'],
  'docs/writing-an-adapter.md js': ['test/embedding/embedding.system.test.ts'],
  'docs/writing-an-adapter.md text': ['test/embedding/embedding.system.test.ts'],
  'docs/coming-from/README.md sh': ['test/cli/import-from/guides.system.test.ts'],
  'docs/coming-from/auth0.md sh': ['test/cli/import-from/guides.system.test.ts'],
  'docs/coming-from/better-auth.md sh': ['test/cli/import-from/guides.system.test.ts'],
  'docs/coming-from/firebase.md sh': ['test/cli/import-from/guides.system.test.ts'],
  'docs/coming-from/keycloak.md sh': ['test/cli/import-from/guides.system.test.ts'],
  'docs/coming-from/supabase.md sh': ['test/cli/import-from/guides.system.test.ts'],
  'docs/sign-in/README.md ini': ['test/adapters/config/sign-in-guides.test.ts'],
  'docs/sign-in/google.md ini': ['test/adapters/config/sign-in-guides.test.ts'],
  'docs/sign-in/github.md ini': ['test/adapters/config/sign-in-guides.test.ts'],
  'docs/sign-in/apple.md ini': ['test/adapters/config/sign-in-guides.test.ts'],
  'docs/sign-in/microsoft.md ini': ['test/adapters/config/sign-in-guides.test.ts'],
  'docs/sign-in/gitlab.md ini': ['test/adapters/config/sign-in-guides.test.ts'],
  'docs/sign-in/generic.md ini': ['test/adapters/config/sign-in-guides.test.ts'],
  'docs/examples/express/README.md sh': ['test/embedding/installed.ts'],
  'docs/examples/fastify/README.md sh': ['test/embedding/installed.ts'],
  'docs/examples/hono/README.md sh': ['test/embedding/installed.ts'],
  'docs/examples/nestjs/README.md sh': ['test/embedding/installed.ts'],
  'docs/examples/next/README.md sh': ['test/embedding/installed.ts'],
  'docs/examples/node-http/README.md sh': ['test/embedding/installed.ts'],
  'docs/examples/own-store/README.md sh': ['test/embedding/installed.ts'],
  'docs/examples/verify-go/README.md sh': ['test/outside/verify/go.system.test.ts'],
  'docs/examples/verify-python/README.md sh': ['test/outside/verify/python.system.test.ts'],
};

/** Blocks that wait for a debugger, configure programs that no test machine has, or need npm's registry, which may be out of reach. */
const NOT_RUN: Readonly<Record<string, RegExp>> = {
  // Tools of other products, which need an installation of that product.
  'docs/coming-from/auth0.md console': /^curl -s https:\/\/YOUR_DOMAIN\//,
  'docs/coming-from/better-auth.md console': /^(?:psql|sqlite3) /,
  'docs/coming-from/firebase.md console': /^firebase auth:export /,
  'docs/coming-from/keycloak.md console': /^bin\/kc\.sh export /,
  'docs/coming-from/supabase.md console': /^psql /,
  'docs/debugging.md json': /"request": "attach"/,
  'docs/debugging.md sh': /--inspect\b/,
  'docs/deploying.md ini': /^\[Service\]$/m,
  // They need certificates of a host and its operators.
  'docs/deploying.md nginx': /ssl_verify_client on;/,
  // They need a cluster.
  'docs/scale.md sh': /sh\.shardCollection/,
  'docs/settings.md hcl': /^path "transit\//m,
  'docs/writing-an-adapter.md sh': /^npm install --save-dev mocha chai fast-check$/,
};

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const inFolder = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

const documents = [
  ...inFolder('.'),
  ...inFolder('docs'),
  ...inFolder('docs/coming-from'),
  ...inFolder('docs/sign-in'),
  ...readdirSync(join(root, 'docs/examples')).map((name) => `docs/examples/${name}/README.md`),
];

/** Every block that names its language; the others are pictures. */
const blocks = documents.flatMap((document) =>
  [...read(document).matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(([, language = '', text = '']) => ({
    kind: `${document} ${language}`,
    text: text.trim(),
  })),
);

describe('A block of code in the documents', () => {
  it('is run by a suite, or needs a program that no test machine has', () => {
    const kinds = [...new Set(blocks.map(({ kind }) => kind))];
    expect(kinds).to.have.members([...Object.keys(RUN_BY), ...Object.keys(NOT_RUN)]);
    for (const { kind, text } of blocks) if (kind in NOT_RUN) expect(text).to.match(NOT_RUN[kind] ?? /^$/);
  });

  it('belongs to a document that its suite names', () => {
    for (const [kind, files] of Object.entries(RUN_BY)) {
      const [, name = ''] = /([\w-]+\.md) \w+$/.exec(kind) ?? [];
      for (const file of files.filter((one) => one.startsWith('test/'))) {
        expect(existsSync(join(root, file)), file).to.equal(true);
        expect(read(file), file).to.include(name);
      }
    }
    expect(read('.ci/run')).to.include('npm test');
  });

  it('has its fence on a line of its own, so that the test finds it', () => {
    for (const document of documents) {
      const marks = read(document).match(/^.*```.*$/gm) ?? [];
      expect(
        marks.filter((line) => !/^ *```\w*$/.test(line)),
        document,
      ).to.deep.equal([]);
      expect(marks.length % 2, document).to.equal(0);
    }
  });
});
