import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';
import { DOCUMENT, withTables } from './tables.ts';

const document = readFileSync(join(root, DOCUMENT), 'utf8');

describe('The tables of settings', () => {
  it('are added below a heading that has none, without a change below other headings', () => {
    const without = document.replace(/(### With `KMS=local`\n\n)\| Setting .*?\n\n/s, '$1');
    expect(without).to.not.contain('| `MASTER_KEYS_FILE` |');
    expect(withTables(without)).to.equal(document);
  });

  it('are refused without their headings', () => {
    expect(() => withTables(document.replace('### With `KMS=local`\n', ''))).to.throw(
      'no heading "With `KMS=local`"',
    );
  });
});
