import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as rules from './support/tree/import-rules.ts';
import { importsOf } from './support/tree/imports.ts';
import { root } from './support/tree/root.ts';

const LAYERS = ['core', 'adapters', 'servers', 'cli', 'test'];
const sources = LAYERS.flatMap((layer) =>
  readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({
      path: `${layer}/${file.replaceAll('\\', '/')}`,
      text: readFileSync(join(root, layer, file), 'utf8'),
    })),
);

/** For each rule, files that break it and files that come close without doing so. */
const examples: Record<keyof typeof rules, { bad: [string, string][]; good: [string, string][] }> = {
  coreStandsAlone: {
    bad: [
      ['core/a/x.ts', "import koa from 'koa';"],
      ['core/a/x.ts', "import type { Hash } from 'node:crypto';"],
      ['core/a/x.ts', "export { open } from '../../adapters/sqlite/database.ts';"],
      ['core/a/x.ts', "const open = () => import('node:fs');"],
      ['core/a/x.ts', "type Koa = import('koa').Context;"],
      ['core/a/x.ts', 'const load = (name: string) => import(name);'],
      ['core/x.ts', "import 'reflect-metadata';"],
      ['core/x.ts', "import {\n  one,\n  two,\n} from '../servers/http/route.ts';"],
    ],
    good: [
      ['core/a/x.ts', "import { invalid } from '../errors.ts';\nexport * from './y.ts';"],
      ['core/a/x.ts', "// like import koa from 'koa'\n/* import('koa') */ const text = 'a // b';"],
    ],
  },
  featuresMeetAtTheirDoor: {
    bad: [
      ['core/a/x.ts', "import { y } from '../b/y.ts';"],
      ['core/ports.ts', "export { y } from './b/y.ts';"],
      ['core/a/x.ts', "import { createB } from '../index.ts';"],
    ],
    good: [['core/a/x.ts', "import { y } from '../b/index.ts';\nimport { z } from './z.ts';"]],
  },
  adaptersKeepApart: {
    bad: [
      ['adapters/redis/cache.ts', "import { open } from '../sqlite/database.ts';"],
      ['adapters/redis/cache.ts', "import type { Config } from '../config.ts';"],
      ['adapters/s3/object-store.ts', "import { x } from '../files/object-store.ts';"],
      ['adapters/polar/provider.ts', "import { x } from '../signed-deliveries/webhook-sender.ts';"],
      ['adapters/redis/cache.ts', "import { send } from '../../servers/http/send.ts';"],
    ],
    good: [
      ['adapters/redis/cache.ts', "import { x } from 'redis';\nimport { y } from './y.ts';"],
      [
        'adapters/redis/cache.ts',
        "import { y } from '../files/create-or-replace-secret-file.ts';\nimport '../../core/ports.ts';",
      ],
    ],
  },
  configStandsAlone: {
    bad: [['adapters/config/read.ts', "import { y } from '../files/create-or-replace-secret-file.ts';"]],
    good: [['adapters/config.ts', "import { y } from './config/y.ts';\nimport ajv from 'ajv';"]],
  },
  compositionJoinsCoreAndAdapters: {
    bad: [['adapters/compose.ts', "import { app } from '../servers/accounts/app.ts';"]],
    good: [['adapters/choose-store.ts', "import './sqlite/database.ts';\nimport 'tsyringe';"]],
  },
  oneContainer: {
    bad: [
      ['servers/all.ts', "import { container } from 'tsyringe';"],
      ['adapters/composer/x.ts', "import 'reflect-metadata';"],
    ],
    good: [['adapters/compose.ts', "import 'reflect-metadata';"]],
  },
  serversAreThin: {
    bad: [
      ['servers/http/serve.ts', "import { Config } from '../../adapters/config.ts';"],
      ['servers/http/serve.ts', "import { MongoClient } from 'mongodb';"],
    ],
    good: [['servers/http/serve.ts', "import Koa from 'koa';\nimport { createServer } from 'node:http';"]],
  },
  clientRunsAnywhere: {
    bad: [
      ['servers/client/index.ts', "import { randomUUID } from 'node:crypto';"],
      ['servers/client/index.ts', "import type { Route } from '../http/route.ts';"],
      ['servers/client/index.ts', "import type { Account } from '../../core/index.ts';"],
    ],
    good: [['servers/client/index.ts', "import createClient from 'openapi-fetch';\nimport './tokens.ts';"]],
  },
  verifierRunsAnywhere: {
    bad: [
      ['servers/verify/index.ts', "import { createHash } from 'node:crypto';"],
      ['servers/verify/index.ts', "import type { Accounts } from '../../core/index.ts';"],
      ['servers/verify/index.ts', "import { sha256 } from 'josefine';"],
    ],
    good: [
      [
        'servers/verify/index.ts',
        "import { importJWK } from 'jose/key/import';\nimport '../../core/access-token.ts';",
      ],
    ],
  },
  webStandsAlone: {
    bad: [
      ['servers/web/kit/x.tsx', "import { y } from '../../http/html.ts';"],
      ['servers/web/x.ts', "import { readFile } from 'node:fs/promises';"],
      ['servers/web/x.tsx', "import { render } from 'preact/compat';"],
      ['servers/pages/shell.ts', "import { config } from '../web/config.ts';"],
    ],
    good: [
      ['servers/web/x.tsx', "import { useRef } from 'preact/hooks';\nimport '@preact/signals';"],
      ['servers/web/base/api.ts', "import { createPageClient } from '../../client/page-client.ts';"],
    ],
  },
  webHasNoSinks: {
    bad: [
      ['servers/web/x.tsx', 'const page = <a href={address}>there</a>;'],
      ['servers/web/x.tsx', 'const page = <p style="color: red">there</p>;'],
      ['servers/web/x.ts', 'element.innerHTML = name;'],
      ['servers/web/x.ts', 'eval (text);'],
      ['servers/web/x.ts', "document.write('x');"],
      ['servers/web/x.tsx', '<p dangerouslySetInnerHTML={{ __html: text }} />'],
    ],
    good: [
      ['servers/web/x.tsx', '<a href={link(address)}>there</a>; <a href="/docs">docs</a>;'],
      ['servers/web/x.tsx', '// never innerHTML\nconst text = <p>{name}</p>;'],
      ['servers/http/html.ts', '<p style="color: red">'],
    ],
  },
  entriesOnlyCompose: {
    bad: [
      ['servers/all.ts', "import { open } from '../adapters/sqlite/database.ts';"],
      ['cli/main.ts', "import { app } from '../servers/accounts/app.ts';"],
    ],
    good: [
      ['servers/all.ts', "import { compose } from '../adapters/compose.ts';\nimport './accounts/app.ts';"],
      ['cli/main.ts', "import { Command } from 'commander';\nimport '../adapters/config.ts';"],
    ],
  },
  commandsAreThin: {
    bad: [['cli/users.ts', "import { readConfig } from '../adapters/config.ts';"]],
    good: [['cli/users.ts', "import type { Account } from '../core/index.ts';"]],
  },
  contractsGoOut: {
    bad: [
      ['test/contracts/kms.ts', "import { root } from '../support/root.ts';"],
      ['test/contracts/index.ts', "export { x } from './transfer.ts';"],
      ['test/support/spellings.ts', "import { open } from '../../adapters/sqlite/database.ts';"],
    ],
    good: [
      ['test/contracts/kms.ts', "import { x } from './race.ts';\nimport { expect } from 'chai';"],
      ['test/contracts/transfer.ts', "import { root } from '../support/root.ts';"],
    ],
  },
  oneReaderOfSettings: {
    bad: [
      ['servers/all.ts', 'const port = process.env.PORT;'],
      ['servers/all.ts', "const port = process['env'].PORT;"],
      ['servers/all.ts', 'const { argv, env } = process;'],
      ['cli/main.ts', "import { env } from 'node:process';"],
    ],
    good: [
      ['adapters/config.ts', 'readConfig(process.env)'],
      ['test/x.test.ts', 'process.env.ROUNDS'],
      ['servers/all.ts', '// process.env is not for us\nprocess.exit(0);'],
    ],
  },
  coreUsesNoNodeGlobals: {
    bad: [
      ['core/a/x.ts', "Buffer.from('x')"],
      ['core/a/x.ts', 'process.nextTick(go)'],
      ['core/a/x.ts', 'console.log(1)'],
      ['servers/client/x.ts', "Buffer.from('x')"],
      ['servers/verify/x.ts', "Buffer.from('x')"],
    ],
    good: [
      ['core/a/x.ts', 'makeProcess(event.process.id)'],
      ['adapters/a/x.ts', "Buffer.from('x')"],
    ],
  },
};

describe('the architecture', () => {
  for (const layer of ['core', 'adapters', 'servers', 'test']) {
    it(`has files and imports to judge in ${layer}/`, () => {
      const files = sources.filter((file) => file.path.startsWith(`${layer}/`));
      expect(files, 'files').to.not.be.empty;
      expect(files.flatMap(importsOf), 'imports').to.not.be.empty;
    });
  }

  for (const [name, rule] of Object.entries(rules)) {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

    it(`${words}: everywhere`, () => {
      expect(sources.flatMap(rule)).to.deep.equal([]);
    });

    it(`${words}: the rule sees what breaks it and lets pass what does not`, () => {
      const { bad, good } = examples[name as keyof typeof rules];
      for (const [path, text] of bad) expect(rule({ path, text }), `${path}: ${text}`).to.have.length(1);
      for (const [path, text] of good) expect(rule({ path, text }), `${path}: ${text}`).to.deep.equal([]);
    });
  }
});
