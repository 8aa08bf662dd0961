import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

const GUIDES = 'docs/sign-in';
/** google.md, github.md, apple.md, microsoft.md, gitlab.md and generic.md. */
const guides = readdirSync(join(root, GUIDES)).filter((name) => name !== 'README.md');

describe('A guide to an identity provider', () => {
  const folder = useTempFolder();
  const blocksOf = (guide: string) => {
    const text = readFileSync(join(root, GUIDES, guide), 'utf8');
    return {
      text,
      blocks: [...text.matchAll(/^```ini\n(.*?)^```$/gms)].map(([, block = '']) => parseEnv(block)),
    };
  };
  const withKey = (env: NodeJS.Dict<string>) => {
    const { OIDC_APPLE_PRIVATE_KEY_FILE: keyFile, ...rest } = env;
    if (keyFile === undefined) return rest;
    const path = join(folder(), 'apple.p8');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    return { ...rest, OIDC_APPLE_PRIVATE_KEY_FILE: path };
  };

  for (const guide of guides) {
    it(`has valid settings and the callback URL to register: ${guide}`, () => {
      const { text, blocks } = blocksOf(guide);
      expect(blocks).to.have.length.above(0);
      for (const block of blocks) {
        const { signIn, warnings } = readConfig(withKey(block), folder());
        expect(signIn.providers).to.have.length(1);
        expect(warnings.join()).to.not.include('OIDC');
        expect(text).to.include(`/api/auth/providers/${signIn.providers[0]?.id}/callback`);
      }
    });
  }

  it('is linked in README.md, whose settings need only client ids and secrets', () => {
    const { text, blocks } = blocksOf('README.md');
    for (const guide of guides) expect(text).to.include(`(${guide})`);
    const names = ['GOOGLE', 'GITHUB'].flatMap((id) => [`OIDC_${id}_CLIENT_ID`, `OIDC_${id}_CLIENT_SECRET`]);
    const settings = Object.fromEntries(names.map((name) => [name, 'given']));
    expect(readConfig({ ...blocks[0], ...settings }, folder()).signIn.redirects).to.have.length(2);
  });

  it('has an example in README.md that signs in through the pages', () => {
    const { blocks } = blocksOf('README.md');
    expect(blocks).to.have.length(2);
    const { signIn, pages, warnings } = readConfig(blocks[1] ?? {}, folder());
    expect(signIn.providers.map(({ id }) => id)).to.deep.equal(['github']);
    expect(pages.on).to.equal(true);
    expect(warnings.join()).to.not.include('OIDC');
  });
});
