import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { load, loadRoutes } from './routes.mjs';
import { dist } from './sources.mjs';

const require = createRequire(import.meta.url);

const TARGET = join(dist, 'servers', 'http', 'input', 'built-validators.js');

/** Keywords that only the reference shows. */
const ANNOTATIONS = new Set(['title', 'description', 'examples']);

/** A schema without annotations. `isOfNames`: the keys of `value` are names of members, of which one may be named like a keyword. */
const withoutAnnotations = (value, isOfNames = false) => {
  if (Array.isArray(value)) return value.map((item) => withoutAnnotations(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => isOfNames || !ANNOTATIONS.has(name));
  return Object.fromEntries(
    entries.map(([name, part]) => [name, withoutAnnotations(part, name === 'properties' && !isOfNames)]),
  );
};

/** The distinct schemas of requests, by digest. */
const schemasOfRoutes = async (digestOf) => {
  const routes = Object.values(await loadRoutes(dist)).flat();
  // The routes of the pages depend on files that are built later.
  const { fileParams, pageQuery } = await load(dist, 'servers/pages/page-params');
  const ofRoutes = routes.flatMap(({ body, query, params }) => [body, query, params].filter(Boolean));
  const schemas = [...ofRoutes, fileParams, pageQuery];
  return new Map(schemas.map((schema) => [digestOf(schema), schema]));
};

/**
 * Writes the validators of all routes, as code that ajv has compiled, into `TARGET`, which the build has made with an empty
 * table. So a server validates its first request without loading ajv's compiler.
 */
const writeValidators = async () => {
  const { AJV_OPTIONS, digestOf } = await load(dist, 'servers/http/input/built-or-compiled-validator');
  const schemas = [...(await schemasOfRoutes(digestOf))];
  const { Ajv } = require('ajv');
  const standaloneCode = require('ajv/dist/standalone').default;
  const ajv = new Ajv({ ...AJV_OPTIONS, code: { source: true, esm: true } });
  const names = schemas.map((_, at) => `v${at}`);
  for (const [at, [, schema]] of schemas.entries()) ajv.addSchema(withoutAnnotations(schema), names[at]);
  const code = standaloneCode(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const table = schemas.map(([digest], at) => `${JSON.stringify(digest)}: ${names[at]}`);
  writeFileSync(
    TARGET,
    [
      "import { createRequire } from 'node:module';",
      '// ajv loads its own modules by `require`, even in ES modules.',
      'const require = createRequire(import.meta.url);',
      code,
      `export const validators = { ${table.join(', ')} };`,
      '',
    ].join('\n'),
  );
  // The source map of the empty table does not fit this code.
  const map = { ...JSON.parse(readFileSync(`${TARGET}.map`, 'utf8')), mappings: '' };
  writeFileSync(`${TARGET}.map`, JSON.stringify(map));
};

await writeValidators();
