import { join } from 'node:path';
import { expect } from 'chai';
import { useExamples } from '../../embedding/example.ts';
import { installExamples } from '../../embedding/installed.ts';

describe('The package in other frameworks', function () {
  // npm packs and installs, which takes long on a slow disk.
  this.timeout(600_000);
  let installed: Awaited<ReturnType<typeof installExamples>>;
  before(async () => {
    installed = await installExamples(['fastify', 'hono', 'nestjs']);
  });
  after(() => installed?.remove());
  const serve = useExamples((...parts) => join(installed.folder, ...parts));

  for (const name of ['fastify', 'hono', 'nestjs']) {
    it(`serves accounts beside the routes of ${name}`, async () => {
      const { ask, journey, end } = await serve(name);
      const refused = await ask('GET', '/hello');
      expect([refused.status, JSON.parse(refused.text).code]).to.deep.equal([401, 'invalid_token']);
      const long = { email: 'a'.repeat(100_000) };
      expect((await ask('POST', '/api/auth/register', long)).status).to.equal(413);
      expect((await ask('GET', '/no-such')).status).to.equal(404);
      expect((await ask('HEAD', '/api/auth/me')).status).to.equal(401);
      await journey();
      await end(name === 'nestjs' ? null : 0);
    });
  }
});
