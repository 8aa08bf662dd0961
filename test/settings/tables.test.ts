import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';
import { DOCUMENT, withTables } from './tables.ts';

const document = readFileSync(join(root, DOCUMENT), 'utf8');

describe('The tables of settings', () => {
  it('are made where a heading has none, and leave those below other headings alone', () => {
    const without = document.replace(/(### With `KMS=local`\n\n)\| Setting .*?\n\n/s, '$1');
    expect(without).to.not.contain('| `MASTER_KEYS_FILE` |');
    expect(withTables(without)).to.equal(document);
  });

  it('need their headings', () => {
    expect(() => withTables(document.replace('### With `KMS=local`\n', ''))).to.throw(
      'no heading "With `KMS=local`"',
    );
  });
});
