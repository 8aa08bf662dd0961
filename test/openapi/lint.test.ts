import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';

/** Rules of the linter that ask for what there is not: a public licence, and a page where a form sends its visitor on. */
const OFF = { 'info-license': 'off', 'tag-description': 'off', 'operation-2xx-response': 'off' } as const;

describe('A linter of OpenAPI documents', () => {
  let config: Config;
  before(async () => {
    config = await createConfig({ extends: ['recommended'], rules: OFF });
  });

  const problemsOf = async (source: string) => {
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    return problems.map(
      ({ severity, ruleId, message, location }) =>
        `${severity} ${ruleId}: ${message} ${location.map(({ pointer }) => pointer).join(' ')}`,
    );
  };

  for (const name of ['accounts', 'metadata', 'console']) {
    it(`finds nothing wrong, and nothing to warn of, in that of ${name}`, async () => {
      const text = readFileSync(join(root, `docs/openapi-${name}.json`), 'utf8');
      expect(await problemsOf(text)).to.deep.equal([]);
    });
  }

  it('finds two operations of one name, an example that is wrong, and what is no OpenAPI', async () => {
    const operation = {
      operationId: 'ask',
      summary: 'Ask',
      security: [],
      responses: { 200: { description: '' } },
    };
    const parameter = { name: 'x', in: 'query', schema: { type: 'string' }, example: null };
    const source = {
      openapi: '3.1.0',
      info: { title: 'Wrong', version: '1' },
      servers: [{ url: '/' }],
      paths: { '/a': { get: operation }, '/b': { get: { ...operation, parameters: [parameter], odd: 1 } } },
    };
    const found = (await problemsOf(JSON.stringify(source))).join('\n');
    expect(found).to.include('error operation-operationId-unique');
    expect(found).to.include('no-invalid-parameter-examples');
    expect(found).to.include('error struct');
  });
});
