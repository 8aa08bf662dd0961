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

  for (const name of ['accounts', 'metadata', 'console'])
    it(`finds nothing wrong, and nothing to warn of, in that of ${name}`, async () => {
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
