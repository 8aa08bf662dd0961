import { Ajv } from 'ajv';
import { expect } from 'chai';
import type { JsonSchema } from '../../../../core/schema.ts';
import { type AccountsAppParts, accountsAppRoutes } from '../../../../servers/accounts/app.ts';
import { type ConsoleAppParts, consoleAppRoutes } from '../../../../servers/console/app.ts';
import {
  AJV_OPTIONS,
  digestOf,
  validatorOf,
} from '../../../../servers/http/input/built-or-compiled-validator.ts';
import { validators } from '../../../../servers/http/input/built-validators.ts';
import type { Route } from '../../../../servers/http/route.ts';
import { type MetadataAppParts, metadataAppRoutes } from '../../../../servers/metadata/app.ts';

/** Replaces the use cases, which these tests never call. */
const stub: unknown = new Proxy(() => undefined, { get: () => stub, apply: () => [stub] });
const parts = {
  ...{ accounts: stub, billing: stub, sandbox: stub, files: stub, installation: stub },
  checks: [],
};
const routes = [
  ...accountsAppRoutes(parts as unknown as AccountsAppParts),
  ...consoleAppRoutes(parts as unknown as ConsoleAppParts),
  ...metadataAppRoutes(parts as unknown as MetadataAppParts),
] as unknown as readonly Route[];

const schemas = new Map(
  routes.flatMap(({ method, path, body, query, params }) =>
    Object.entries({ body, query, params }).flatMap(([part, schema]) =>
      schema === undefined ? [] : [[`${method} ${path}, ${part}`, schema as JsonSchema]],
    ),
  ),
);

const VALUES = [null, true, 0, -1, 1.5, 2 ** 53, '', 'a', '\ud83d\ude00'.repeat(5_000), [], [{}], {}];

/** Documents that violate, or satisfy, the rules of the schema one by one. */
const documentsFor = ({ properties = {} }: JsonSchema) => {
  const names = Object.keys(properties);
  const documentOf = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  return [
    ...VALUES,
    ...VALUES.map(documentOf),
    ...names.flatMap((name) => VALUES.map((value) => ({ ...documentOf('a'), [name]: value }))),
  ];
};

describe('The prebuilt validators', () => {
  const ajv = new Ajv(AJV_OPTIONS);

  it('exist for every part of every route', () => {
    expect(schemas.size).to.be.greaterThan(30);
    const missing = [...schemas].filter(([, schema]) => validators[digestOf(schema)] === undefined);
    expect(missing.map(([part]) => part)).to.deep.equal([]);
  });

  it('return the same results and errors as ajv for every value', async () => {
    let accepted = 0;
    for (const [part, schema] of schemas) {
      const [built, compiled] = [await validatorOf(schema), ajv.compile(schema)];
      for (const document of documentsFor(schema)) {
        expect(built(document), part).to.equal(compiled(document));
        expect(built.errors, part).to.deep.equal(compiled.errors);
        if (built.errors === null) accepted += 1;
      }
    }
    expect(accepted).to.be.greaterThan(100);
  });

  it('leave any other schema to ajv', async () => {
    const check = await validatorOf({
      type: 'object',
      properties: { unheard: { type: 'string', maxLength: 1 } },
    });
    expect(check({ unheard: '\ud83d\ude00' })).to.equal(true);
    expect(check({ unheard: 'ab' })).to.equal(false);
  });
});
