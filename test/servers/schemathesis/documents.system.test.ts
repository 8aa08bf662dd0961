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
  const options = () => ({
    folder: folder(),
    secret: readFileSync(join(service().folder, 'internal-secret'), 'utf8').trim(),
    // In addition to the fixed examples; a seed makes them repeatable.
    examples: Math.ceil(ROUNDS / 2),
  });
  /** A failure shows the whole output, which tells how to repeat the failed call. */
  const expectNoFailure = (text: string | undefined) => expect(text ?? 'no failures').to.equal('no failures');

  it('describe every response of the account service to generated requests', async () => {
    const { token } = await service().signUp();
    // Logout runs last, because it invalidates the token.
    for (const operations of [
      ['--exclude-path', '/api/auth/logout'],
      ['--include-path', '/api/auth/logout'],
    ])
      expectNoFailure(await tryDocument(service().url, { ...options(), token, operations }));
  });

  it('describe every response of the metadata service to generated requests', async () => {
    expectNoFailure(await tryDocument(service().metadataUrl, options()));
  });
});
