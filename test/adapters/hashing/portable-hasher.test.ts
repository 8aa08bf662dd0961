import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { makePortableHasher } from '../../../adapters/hashing/portable-hasher.ts';
import { testPasswordHasher } from '../../contracts/password-hasher.ts';
import { somebody } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

let next = 0;
const random = {
  bytes: (count: number) => new Uint8Array(count).fill(next++),
  text: () => '',
};

testPasswordHasher('plain JavaScript', ({ cost, log, queue }) => ({
  hasher: makePortableHasher({ cost, log, queue, random }),
  close: async () => {},
}));

describe('The portable hasher', () => {
  it('lets other work run while it hashes', async () => {
    const hasher = makePortableHasher({ cost: { ln: 10, r: 8, p: 1 }, log: makeRecordingLog(), random });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await hasher.hash('correct horse', somebody());
    clearInterval(timer);
    expect(turns).to.be.greaterThan(2);
  });

  it('needs nothing of Node.js', () => {
    const seen = new Set<string>();
    const visit = (url: URL) => {
      if (seen.has(url.href)) return;
      seen.add(url.href);
      for (const [, specifier = ''] of readFileSync(url, 'utf8').matchAll(/(?:from|import) '([^']+)'/g)) {
        if (specifier.startsWith('.')) visit(new URL(specifier, url));
        else expect(specifier).to.equal('scrypt-js');
      }
    };
    visit(new URL('../../../adapters/hashing/portable-hasher.js', import.meta.url));
    expect(seen.size).to.be.greaterThan(3);
  });
});
