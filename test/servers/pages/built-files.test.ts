import { expect } from 'chai';
import { makeFiles, readManifest } from '../../../servers/pages/built-files.ts';

const AT_ONCE = 50;

describe('The files of the pages', () => {
  for (const front of ['account', 'console'] as const)
    it(`of the ${front} front are unpacked once for all who ask at the same time`, async () => {
      const manifest = readManifest(front);
      const fileOf = makeFiles(front, manifest);
      for (const name of manifest.entry) {
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => fileOf(name, 'identity')));
        expect(answers[0]?.body, name).to.be.instanceOf(Uint8Array);
        expect(new Set(answers.map((answer) => answer?.body)).size, name).to.equal(1);
      }
    });
});
