import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openTestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { documentsOf, startCommand } from '../run-command.ts';

// LONG=1 imports a million users within the same heap.
const USERS = process.env.LONG ? 1_000_000 : 20_000;

const HASH = `${'0a'.repeat(16)}:${'0b'.repeat(64)}`;

/** An export of better-auth: all users first, then the accounts in the opposite order. */
function* documentOf(count: number): Generator<string> {
  yield '{"user":[';
  for (let user = 0; user < count; user += 1) {
    const row = { id: `id${user}`, email: `u${user}@example.com`, emailVerified: true, name: `User ${user}` };
    yield `${user === 0 ? '' : ','}${JSON.stringify(row)}`;
  }
  yield '],"account":[';
  for (let user = count - 1; user >= 0; user -= 1) {
    const row = { id: `a${user}`, userId: `id${user}`, providerId: 'credential', password: HASH };
    yield `${JSON.stringify(row)}${user === 0 ? '' : ','}`;
  }
  yield ']}';
}

describe(`An import of ${USERS} users from better-auth`, function () {
  this.timeout(600_000);
  const folder = useTempFolder();

  it('joins users and accounts within a heap of 48 MiB', async () => {
    await (await openTestService({}, folder())).close();
    const file = join(folder(), 'users.json');
    const stream = createWriteStream(file);
    for (const text of documentOf(USERS)) if (!stream.write(text)) await once(stream, 'drain');
    stream.end();
    await once(stream, 'close');
    const env = { DATA_DIR: folder(), NODE_OPTIONS: '--max-old-space-size=48' };
    const args = ['users', 'import', '--from', 'better-auth', file, '--dry-run', '--json'];
    const result = await startCommand(folder(), args, { env });
    expect(result.status, result.stderr).to.equal(0);
    expect(documentsOf(result)[0]).to.include({ added: USERS, bad: 0 });
  });
});
