import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { figure } from '../support/runner/figures.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { documentsOf, startCommand } from './run-command.ts';

const HASH = '$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM';
// More users than fit into the heap of the command; 50,000 with LONG=1.
const USERS = process.env.LONG ? 50_000 : 12_000;

/** Lines of users with imported hashes, a third of them with a tier. */
const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      email: `user${index}@example.com`,
      displayName: `User ${index}`,
      emailVerified: true,
      passwordHash: HASH,
      ...(index % 3 === 0 && { tier: 'pro' }),
    }),
  ).join('\n');

describe(`The import of ${USERS} users`, function () {
  this.timeout(600_000);
  let folder: string;
  let service: TestService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
    service = await openTestService({}, folder);
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Imports this many users within a heap that cannot hold them all at once. */
  const importUsers = async (count: number) => {
    const file = join(folder, `${count}.jsonl`);
    writeFileSync(file, linesOf(count));
    const startedAt = performance.now();
    const env = { DATA_DIR: folder, NODE_OPTIONS: '--max-old-space-size=48' };
    const result = await startCommand(folder, ['users', 'import', file, '--json'], { env });
    expect(result.status, result.stderr).to.equal(0);
    return { counts: documentsOf(result)[0], milliseconds: performance.now() - startedAt };
  };

  it('skips users of an earlier import, and needs a heap of 48 MiB beside a running server', async () => {
    expect((await importUsers(1_000)).counts).to.include({ added: 1_000, skipped: 0 });
    const { counts, milliseconds } = await importUsers(USERS);
    expect(counts).to.include({ added: USERS - 1_000, skipped: 1_000, bad: 0 });
    figure(`${USERS} users in ${Math.round(milliseconds / 1_000)} s`);
  });

  it('writes an audit row for each account and each tier, and the log stays intact', async () => {
    const { operate } = service.composition.accounts;
    expect(await operate.stats()).to.include({ total: USERS, verified: USERS });
    const { intact, rows } = await operate.verifyAudit();
    expect(intact).to.equal(true);
    expect(rows).to.equal(1 + USERS + Math.ceil(USERS / 3));
  });
});
