import { expect } from 'chai';
import { makeFiles, readManifest } from '../../../servers/pages/built-files.ts';

const CALLS = 50;

describe('The built files of the pages', () => {
  for (const front of ['account', 'console'] as const)
    it(`of the ${front} front are unpacked once for concurrent requests`, async () => {
      const manifest = readManifest(front);
      const fileOf = makeFiles(front, manifest);
      for (const name of manifest.entry) {
        const answers = await Promise.all(Array.from({ length: CALLS }, () => fileOf(name, 'identity')));
        expect(answers[0]?.body, name).to.be.instanceOf(Uint8Array);
        expect(new Set(answers.map((answer) => answer?.body)).size, name).to.equal(1);
      }
    });
});
