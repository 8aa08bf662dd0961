import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { root } from '../../support/tree/root.ts';

const run = promisify(execFile);

describe('The examples of docs/client.md', () => {
  const secret = randomBytes(32).toString('hex');
  const service = useService({ META_AUTH: 'secret', METADATA_SECRET: secret });
  const blocks = [...readFileSync(join(root, 'docs/client.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)];

  /** Runs an example from a file inside the package, so that its imports resolve. */
  const runExample = async (index: number, ...args: readonly string[]): Promise<string> => {
    const file = join(root, 'dist', `client-example-${randomBytes(8).toString('hex')}.mjs`);
    writeFileSync(file, blocks[index]?.[1] ?? '');
    try {
      return (await run(process.execPath, [file, ...args])).stdout;
    } finally {
      rmSync(file);
    }
  };

  it('sign in, show the account and sign out', async () => {
    const { email, password, token } = await service().signUp();
    expect(await runExample(0, service().url, email, password)).to.match(
      /^user1@example\.com has an account since 20/,
    );
    const { body } = await service().request('GET', '/api/auth/sessions', { token });
    expect(body.sessions).to.have.length(1);
  });

  it('wrap a key and record a file', async () => {
    expect(await runExample(1, service().metadataUrl, secret, 'u-1')).to.match(
      /^[0-9a-f-]{36} was recorded at 20/,
    );
  });
});
