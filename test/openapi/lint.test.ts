import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';

/** Rules that do not apply: the product has no public licence, and a form redirects without a response body. */
const OFF = { 'info-license': 'off', 'tag-description': 'off', 'operation-2xx-response': 'off' } as const;

describe('The OpenAPI linter', () => {
  let config: Config;
  before(async () => {
    config = await createConfig({ extends: ['recommended'], rules: OFF });
  });

  for (const name of ['accounts', 'metadata', 'console'])
    it(`finds no error and no warning in the ${name} document`, async () => {
      const source = readFileSync(join(root, `docs/openapi-${name}.json`), 'utf8');
      const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
      expect(
        problems.map(
          ({ severity, ruleId, message, location }) =>
            `${severity} ${ruleId}: ${message} ${location.map(({ pointer }) => pointer).join(' ')}`,
        ),
      ).to.deep.equal([]);
    });
});
