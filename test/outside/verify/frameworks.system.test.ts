import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyPackages, linkProduct } from '../../embedding/packages.ts';
import { writeBlocks } from '../../embedding/uses.ts';
import { useOtherServices } from '../../servers/verify/other-services.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

const FRAMEWORKS = ['express', 'fastify', 'hono'];

describe('The programs of verifying.md and its example', () => {
  const { signUp, logOut, stop, serve, forge } = useOtherServices();
  const apps = useTempFolder('suite');
  const started: Awaited<ReturnType<typeof serve>>[] = [];
  before(async () => {
    linkProduct(apps());
    const outside = process.env.GATEHOUSE_TEST_OUTSIDE ?? '';
    copyPackages([...FRAMEWORKS, '@hono/node-server'], outside, join(apps(), 'node_modules'));
    const [block, ...others] = writeBlocks(apps(), 'docs/verifying.md');
    if (block === undefined) throw new Error('The document shows no program.');
    expect([block.file, ...others]).to.deep.equal(['with-express.js']);
    cpSync(join(root, 'docs/examples/verify-node'), block.folder, { recursive: true });
    const files = FRAMEWORKS.map((name) => `with-${name}.js`);
    started.push(...(await Promise.all(files.map((file) => serve(`exec node ${file}`, block.folder)))));
  });

  for (const [place, name] of FRAMEWORKS.entries()) {
    describe(`in ${name}`, () => {
      const notes = (...given: Parameters<(typeof started)[number]>) =>
        started[place]?.(...given) ?? expect.fail('It does not run.');

      it('accept a valid token, and refuse an ended session at once if they introspect it', async () => {
        const { token, userId } = await signUp();
        expect((await notes('GET', token)).body).to.deep.equal({ owner: userId });
        expect((await notes('DELETE', token)).body).to.deep.equal({ owner: userId, tier: 'free' });
        await logOut(token);
        const after = await notes('DELETE', token);
        expect([after.status, after.body]).to.deep.equal([401, { code: 'invalid_token' }]);
        expect((await notes('GET', token)).status).to.equal(200);
      });

      it('refuse every other token with the challenge that makes clients refresh', async () => {
        const none = await notes('GET');
        expect([none.status, none.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer']);
        const { token } = await signUp();
        for (const [what, forged] of Object.entries(forge(token))) {
          for (const method of ['GET', 'DELETE'] as const) {
            const { status, body, headers } = await notes(method, forged);
            expect([status, body], `${method} ${what}`).to.deep.equal([401, { code: 'invalid_token' }]);
            expect(headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
          }
        }
      });
    });
  }

  describe('without the account service', () => {
    it('verify by their cached keys while the account service is down, and fail to introspect', async () => {
      const { token } = await signUp();
      await Promise.all(started.map((notes) => notes('GET', token)));
      await stop();
      for (const notes of started) {
        expect((await notes('GET', token)).status).to.equal(200);
        const { status, body, headers } = await notes('DELETE', token);
        expect([status, body, headers.get('retry-after')]).to.deep.equal([503, { code: 'unavailable' }, '1']);
      }
    });
  });
});
