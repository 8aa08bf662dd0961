import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { figure } from '../support/runner/figures.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { documentsOf, startCommand } from './run-command.ts';

const HASH = '$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM';
// As many as do not fit into the heap that the command is given; 50,000 where there is time.
const USERS = process.env.LONG ? 50_000 : 12_000;

/** Lines of users with hashes made elsewhere, a third of them with a tier. */
const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, place) =>
    JSON.stringify({
      email: `user${place}@example.com`,
      displayName: `User ${place}`,
      emailVerified: true,
      passwordHash: HASH,
      ...(place % 3 === 0 && { tier: 'pro' }),
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

  /** Imports so many under a heap in which they and their lines would not fit all at once. */
  const take = async (count: number) => {
    const file = join(folder, `${count}.jsonl`);
    writeFileSync(file, linesOf(count));
    const startedAt = performance.now();
    const env = { DATA_DIR: folder, NODE_OPTIONS: '--max-old-space-size=48' };
    const ran = await startCommand(folder, ['users', 'import', file, '--json'], { env });
    expect(ran.status, ran.stderr).to.equal(0);
    return { counts: documentsOf(ran)[0], milliseconds: performance.now() - startedAt };
  };

  it('takes up what was begun, and little memory beside a running server', async () => {
    expect((await take(1_000)).counts).to.include({ added: 1_000, skipped: 0 });
    const { counts, milliseconds } = await take(USERS);
    expect(counts).to.include({ added: USERS - 1_000, skipped: 1_000, bad: 0 });
    figure(`${USERS} users in ${Math.round(milliseconds / 1_000)} s`);
  });

  it('leaves an audit log that verifies, with a row for each', async () => {
    const { operate } = service.composition.accounts;
    expect(await operate.stats()).to.include({ total: USERS, verified: USERS });
    const { intact, rows } = await operate.verifyAudit();
    expect(intact).to.equal(true);
    expect(rows).to.equal(1 + USERS + Math.ceil(USERS / 3));
  });
});
