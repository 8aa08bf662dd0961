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

/** Files that break each rule. A rule that refuses too much would fail on the real files. */
const examples: Record<keyof typeof rules, [string, string][]> = {
  coreStandsAlone: [
    ['core/a/x.ts', "import koa from 'koa';"],
    ['core/a/x.ts', "import type { Hash } from 'node:crypto';"],
    ['core/a/x.ts', "export { open } from '../../adapters/sqlite/database.ts';"],
    ['core/a/x.ts', "const open = () => import('node:fs');"],
    ['core/a/x.ts', "type Koa = import('koa').Context;"],
    ['core/a/x.ts', 'const load = (name: string) => import(name);'],
    ['core/x.ts', "import 'reflect-metadata';"],
    ['core/x.ts', "import {\n  one,\n  two,\n} from '../servers/http/route.ts';"],
  ],
  featuresMeetAtTheirDoor: [
    ['core/a/x.ts', "import { y } from '../b/y.ts';"],
    ['core/ports.ts', "export { y } from './b/y.ts';"],
    ['core/a/x.ts', "import { createB } from '../index.ts';"],
  ],
  adaptersKeepApart: [
    ['adapters/redis/cache.ts', "import { open } from '../sqlite/database.ts';"],
    ['adapters/redis/cache.ts', "import type { Config } from '../config.ts';"],
    ['adapters/s3/object-store.ts', "import { x } from '../files/object-store.ts';"],
    ['adapters/polar/provider.ts', "import { x } from '../signed-deliveries/webhook-sender.ts';"],
    ['adapters/redis/cache.ts', "import { send } from '../../servers/http/send.ts';"],
  ],
  configStandsAlone: [
    ['adapters/config/read.ts', "import { y } from '../files/create-or-replace-secret-file.ts';"],
  ],
  compositionJoinsCoreAndAdapters: [
    ['adapters/compose.ts', "import { app } from '../servers/accounts/app.ts';"],
  ],
  oneContainer: [
    ['servers/all.ts', "import { container } from 'tsyringe';"],
    ['adapters/composer/x.ts', "import 'reflect-metadata';"],
  ],
  serversAreThin: [
    ['servers/http/serve.ts', "import { Config } from '../../adapters/config.ts';"],
    ['servers/http/serve.ts', "import { MongoClient } from 'mongodb';"],
  ],
  clientRunsAnywhere: [
    ['servers/client/index.ts', "import { randomUUID } from 'node:crypto';"],
    ['servers/client/index.ts', "import type { Route } from '../http/route.ts';"],
    ['servers/client/index.ts', "import type { Account } from '../../core/index.ts';"],
  ],
  verifierRunsAnywhere: [
    ['servers/verify/index.ts', "import { createHash } from 'node:crypto';"],
    ['servers/verify/index.ts', "import type { Accounts } from '../../core/index.ts';"],
    ['servers/verify/index.ts', "import { sha256 } from 'josefine';"],
  ],
  webStandsAlone: [
    ['servers/web/kit/x.tsx', "import { y } from '../../http/html.ts';"],
    ['servers/web/x.ts', "import { readFile } from 'node:fs/promises';"],
    ['servers/web/x.tsx', "import { render } from 'preact/compat';"],
    ['servers/pages/shell.ts', "import { config } from '../web/config.ts';"],
  ],
  webHasNoSinks: [
    ['servers/web/x.tsx', 'const page = <a href={address}>there</a>;'],
    ['servers/web/x.tsx', 'const page = <p style="color: red">there</p>;'],
    ['servers/web/x.ts', 'element.innerHTML = name;'],
    ['servers/web/x.ts', 'eval (text);'],
    ['servers/web/x.ts', "document.write('x');"],
    ['servers/web/x.tsx', '<p dangerouslySetInnerHTML={{ __html: text }} />'],
  ],
  entriesOnlyCompose: [
    ['servers/all.ts', "import { open } from '../adapters/sqlite/database.ts';"],
    ['cli/main.ts', "import { app } from '../servers/accounts/app.ts';"],
  ],
  commandsAreThin: [['cli/users.ts', "import { readConfig } from '../adapters/config.ts';"]],
  contractsGoOut: [
    ['test/contracts/kms.ts', "import { root } from '../support/root.ts';"],
    ['test/contracts/index.ts', "export { x } from './transfer.ts';"],
    ['test/support/spellings.ts', "import { open } from '../../adapters/sqlite/database.ts';"],
  ],
  oneReaderOfSettings: [
    ['servers/all.ts', 'const port = process.env.PORT;'],
    ['servers/all.ts', "const port = process['env'].PORT;"],
    ['servers/all.ts', 'const { argv, env } = process;'],
    ['cli/main.ts', "import { env } from 'node:process';"],
  ],
  coreUsesNoNodeGlobals: [
    ['core/a/x.ts', "Buffer.from('x')"],
    ['core/a/x.ts', 'process.nextTick(go)'],
    ['core/a/x.ts', 'console.log(1)'],
    ['servers/client/x.ts', "Buffer.from('x')"],
    ['servers/verify/x.ts', "Buffer.from('x')"],
  ],
};

describe('The architecture', () => {
  for (const layer of ['core', 'adapters', 'servers', 'test']) {
    it(`has files and imports to check in ${layer}/`, () => {
      const files = sources.filter((file) => file.path.startsWith(`${layer}/`));
      expect(files, 'files').to.not.be.empty;
      expect(files.flatMap(importsOf), 'imports').to.not.be.empty;
    });
  }

  for (const [name, rule] of Object.entries(rules)) {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

    it(`${words}: holds for every file`, () => {
      expect(sources.flatMap(rule)).to.deep.equal([]);
    });

    it(`${words}: finds files that break it`, () => {
      for (const [path, text] of examples[name as keyof typeof rules])
        expect(rule({ path, text }), `${path}: ${text}`).to.have.length(1);
    });
  }
});
