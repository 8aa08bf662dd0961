import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as published from '../contracts/index.ts';
import { root } from '../support/tree/root.ts';

const SUITE = /^export const (\w+(?:Contract|Races)|test[A-Z]\w+) = \(/gm;

/** The exported name of a suite. */
const outerName = (name: string): string =>
  name.replace(/^test([A-Z]+)([a-z]\w*)$/, (_, first, rest) => `${first.toLowerCase()}${rest}Contract`);

/** Names of earlier releases. */
const ALIASES = ['cacheEpochContract', 'findingsContract', 'presencesContract', 'triesStoreContract'];

describe('gatehouse/testing', () => {
  const folder = join(root, 'test/contracts');
  const suites = readdirSync(folder)
    // The transfer of a whole store is no port.
    .filter((file) => !file.startsWith('transfer'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(SUITE)])
    .map(([, name = '']) => outerName(name));

  it('exports every contract suite, each named after its port', () => {
    expect(suites.length).to.be.greaterThan(25);
    expect(Object.keys(published)).to.have.members([...suites, ...ALIASES, 'makeSettableClock']);
  });
});
