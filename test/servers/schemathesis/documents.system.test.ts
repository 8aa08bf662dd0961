import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROUNDS } from '../../support/rounds.ts';
import { tryDocument } from '../../support/servers/schemathesis.ts';
import { useService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('The OpenAPI documents', function () {
  this.timeout(600_000 + ROUNDS * 30_000);
  const service = useService({ META_AUTH: 'secret', ADMIN_ROUTES: 'console' });
  const folder = useTempFolder();
  const given = () => ({
    folder: folder(),
    secret: readFileSync(join(service().folder, 'internal-secret'), 'utf8').trim(),
    // Beside those it always makes; the same each time, by its seed.
    examples: Math.ceil(ROUNDS / 2),
  });
  /** Where it is the whole output, which says how to repeat what failed. */
  const expectNothing = (said: string | undefined) => expect(said ?? 'no failures').to.equal('no failures');

  it('of the account service are what it does, whatever is sent', async () => {
    const { token } = await service().signUp();
    // After a logout the token would open nothing any more.
    for (const operations of [
      ['--exclude-path', '/api/auth/logout'],
      ['--include-path', '/api/auth/logout'],
    ])
      expectNothing(await tryDocument(service().url, { ...given(), token, operations }));
  });

  it('of the metadata service are what it does, whatever is sent', async () => {
    expectNothing(await tryDocument(service().metadataUrl, given()));
  });
});
