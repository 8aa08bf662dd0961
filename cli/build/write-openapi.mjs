/**
 * `node cli/build/write-openapi.mjs FOLDER`: writes the OpenAPI documents of all services with the default settings,
 * and the client's types. FOLDER holds the compiled modules.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load, loadRoutes } from './routes.mjs';
import { root } from './sources.mjs';

const [, , folder] = process.argv;
const { readConfig } = await load(folder, 'adapters/config');
const { typesOf } = await load(folder, 'cli/build/client-types');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { rateLimits, metaAuth } = readConfig({}, folder);

/** An unchanged file keeps its time, so that it causes no build. */
const write = (path, text) => {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const routes = await loadRoutes(folder, { version, limits: rateLimits, auth: metaAuth });
for (const [name, serviceRoutes] of Object.entries(routes)) {
  const { body } = await serviceRoutes.find(({ path }) => path === '/openapi.json').run();
  const document = JSON.parse(body);
  const marked = { 'x-generated': 'by npm run build; change the routes', ...document };
  write(`docs/openapi-${name}.json`, `${JSON.stringify(marked, null, 2)}\n`);
  write(`servers/client/${name}.generated.ts`, typesOf(document, name));
}
