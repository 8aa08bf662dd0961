import { existsSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TestService, type User, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { documentsOf, runCommand, startCommand } from './run-command.ts';

describe('The gatehouse command beside a running server', () => {
  const service = useService();
  const run = (args: readonly string[]) =>
    runCommand(service().folder, args, { env: { DATA_DIR: service().folder } });
  const runTyping = (input: string, ...args: readonly string[]) =>
    startCommand(service().folder, args, { env: { DATA_DIR: service().folder }, input });
  const get = (user: User, path: string) => service().request('GET', path, { token: user.token });
  /** Runs a command and waits until the server shows its effect; `until` fails after its time limit. */
  const runAndWait = async (args: readonly string[], holds: (service: TestService) => Promise<boolean>) => {
    const { status, stderr } = await run(args);
    expect(status, stderr).to.equal(0);
    const startedAt = performance.now();
    await until(() => holds(service()));
    return performance.now() - startedAt;
  };

  it('sets and clears a tier, which the server then answers with', async () => {
    const user = await service().signUp();
    const readUser = async () => {
      const [services, me] = await Promise.all([get(user, '/api/services'), get(user, '/api/auth/me')]);
      return [services.body.entitlements?.[0]?.tier, me.body.user?.serviceAccess?.[0]?.tier];
    };
    await runAndWait(
      ['tier', 'set', user.email, 'pro', '--storage', '7000', '--reason', 'a friend'],
      async () => (await readUser()).every((tier) => String(tier) === 'pro'),
    );
    await runAndWait(['tier', 'clear', user.id], async () =>
      (await readUser()).every((tier) => String(tier) === 'free'),
    );
  });

  it('bans a user, whose valid token the server then refuses, and unbans them', async () => {
    const user = await service().signUp();
    const status = async () => (await get(user, '/api/services')).status;
    expect(await status()).to.equal(200);
    await runAndWait(['users', 'ban', user.email, '--reason', 'spam'], async () => (await status()) === 403);
    expect((await get(user, '/api/auth/me')).status).to.equal(200);
    await runAndWait(['users', 'unban', user.email], async () => (await status()) === 200);
    const { status: statusWithoutReason } = await run(['users', 'ban', user.email]);
    expect(statusWithoutReason).to.equal(2);
  });

  it('grants and revokes access to the admin endpoints, and ends all sessions of a user', async () => {
    const user = await service().signUp();
    const status = async () => (await get(user, '/api/admin/users/stats')).status;
    expect(await status()).to.equal(403);
    await runAndWait(['operator', 'grant', user.id, 'founder'], async () => (await status()) === 200);
    await runAndWait(['operator', 'revoke', user.id], async () => (await status()) === 403);
    await runAndWait(['users', 'logout', user.id], async () => (await status()) === 401);
  });

  it('leaves the mail and the event of a deletion to the server, which sends them', async () => {
    const user = await service().signUp();
    const { status, stdout, stderr } = await runTyping(`${user.email}\n`, 'users', 'delete', user.email);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(/sessions +sessions +1/);
    await service().mailTo(user.email, 2);
    expect(existsSync(join(service().folder, 'mail'))).to.equal(false);
    const eventsOfUser = () => service().events.filter(({ userId }) => userId === user.id);
    await until(() => eventsOfUser().some(({ type }) => type === 'user.deleted'));
    expect((await service().request('GET', '/api/auth/me', { token: user.token })).status).to.equal(401);

    const rows = documentsOf(await run(['audit', 'list', '--user', user.id, '--json']));
    expect(rows.at(-1)).to.include({ actor: 'operator:cli', action: 'account.deleted', target: user.id });
    expect(rows.at(-1)).to.have.all.keys(
      'number',
      'at',
      'actor',
      'person',
      'action',
      'target',
      'reason',
      'before',
      'after',
      'requestId',
      'address',
    );
  });

  it('does not delete a user if the email is not typed as confirmation', async () => {
    const user = await service().signUp();
    for (const input of ['', 'other@example.com\n']) {
      const { status, stderr } = await runTyping(input, 'users', 'delete', user.id);
      expect(status).to.equal(1);
      expect(stderr).to.include('Nothing was deleted.');
    }
    expect((await get(user, '/api/auth/me')).status).to.equal(200);
  });

  it('counts the imported hashes that are costlier than SCRYPT', async () => {
    const file = join(service().folder, 'dear.jsonl');
    const hash = '$scrypt$ln=17,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM';
    writeFileSync(file, JSON.stringify({ email: 'dear@example.com', passwordHash: hash }));
    const dryRun = await run(['users', 'import', file, '--dry-run']);
    expect(dryRun.stderr).to.match(
      /^1 would be added, 0 existed already, 0 bad\. 1 with a hash costlier than SCRYPT: /,
    );
    const [counts] = documentsOf(await run(['users', 'import', file, '--dry-run', '--json']));
    expect(counts).to.deep.equal({ dryRun: true, added: 1, skipped: 0, bad: 0, dearer: 1, leftOut: {} });
  });

  it('imports users, reports bad lines by number, and lists the users', async () => {
    const file = join(service().folder, 'users.jsonl');
    const lines = [
      '{"email":"i1@example.com","displayName":"=1+1","emailVerified":true}',
      '{"email":1}',
      '{"email":"i2@example.com"}',
    ];
    writeFileSync(file, lines.join('\n'));
    const first = await run(['users', 'import', file]);
    expect(first).to.deep.include({ status: 1, stdout: '' });
    expect(first.stderr).to.match(/^Line 2: .*\n2 added, 0 existed already, 1 bad\.\n$/);
    const [counts] = documentsOf(await run(['users', 'import', file, '--json']));
    expect(counts).to.deep.equal({ dryRun: false, added: 0, skipped: 2, bad: 1, dearer: 0, leftOut: {} });
    const list = await run(['users', 'list', '--limit', '2']);
    expect(list.stdout).to.match(/^ID +EMAIL +NAME +TIER/);
    expect(list.stdout).to.include(" '=1+1 ");
    expect(list.stderr).to.match(/Page 1 of \d+, \d+ users\./);
    const past = await run(['users', 'list', '--page', '99']);
    expect(past.stderr).to.match(/^There is no page 99: the last is 1, \d+ users\.$/m);
    const listing = await run(['users', 'list', '--email', 'i1@example.com']);
    expect(listing.stderr).to.equal('Page 1 of 1, 1 user.\n');
    const none = await run(['users', 'list', '--email', 'nobody@example.com']);
    expect(none.stderr).to.equal('No users.\n');
  });

  it('rotates the signing keys, and retires the old key, whose tokens are then refused', async () => {
    const user = await service().signUp();
    const keyIds = async () => {
      const { body } = await service().request('GET', '/.well-known/jwks.json');
      return (body.keys as unknown as { kid: string }[]).map(({ kid }) => kid);
    };
    const [old = ''] = await keyIds();
    await runAndWait(['keys', 'rotate', '--now'], async () => (await keyIds()).length === 2);
    expect((await get(user, '/api/auth/me')).status).to.equal(200);
    const states = documentsOf(await run(['keys', 'status', '--json'])).map(({ state }) => state);
    expect(states).to.deep.equal(['old', 'current', 'current']);
    expect((await run(['keys', 'retire', old])).status).to.equal(1);
    await runAndWait(
      ['keys', 'retire', old, '--yes'],
      async () => (await get(user, '/api/auth/me')).status === 401,
    );
  });

  it('lowers its priority for long work only', async () => {
    const atEnd = "process.on('exit', () => console.error('niceness', os.getPriority()))";
    const NODE_OPTIONS = `--import "data:text/javascript,import os from 'node:os'; ${atEnd}"`;
    const nicenessOf = async (args: readonly string[]) => {
      const { stderr } = await startCommand(service().folder, args, {
        env: { DATA_DIR: service().folder, NODE_OPTIONS },
      });
      return Number(/^niceness (-?\d+)$/m.exec(stderr)?.[1]);
    };
    expect(await nicenessOf(['audit', 'verify'])).to.equal(Math.max(5, getPriority()));
    expect(await nicenessOf(['stats'])).to.equal(getPriority());
  });

  it('verifies the audit log, prints its head, and compares it with a given head', async () => {
    const first = await run(['audit', 'verify', '--json']);
    expect(first.status, first.stderr).to.equal(0);
    const [verdict] = documentsOf(first);
    expect(verdict).to.include({ intact: true, broken: null });
    expect((await run(['audit', 'verify', '--head', String(verdict?.head)])).status).to.equal(0);
    const mismatch = await run(['audit', 'verify', '--head', 'x'.repeat(43)]);
    expect(mismatch.status).to.equal(1);
    expect(mismatch.stderr).to.match(/^Row \d+ is broken \(cut off\)/);
  });
});
