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
  const ask = (user: User, path: string) => service().request('GET', path, { token: user.token });
  /** Does it by command, and gives how long the server took to follow. */
  const followed = async (args: readonly string[], holds: (service: TestService) => Promise<boolean>) => {
    const { status, stderr } = await run(args);
    expect(status, stderr).to.equal(0);
    const startedAt = performance.now();
    await until(() => holds(service()));
    return performance.now() - startedAt;
  };

  it('sets a tier that shows in the answers within a second, and takes it back', async () => {
    const user = await service().signUp();
    const readUser = async () => {
      const [services, me] = await Promise.all([ask(user, '/api/services'), ask(user, '/api/auth/me')]);
      return [services.body.entitlements?.[0]?.tier, me.body.user?.serviceAccess?.[0]?.tier];
    };
    await followed(
      ['tier', 'set', user.email, 'pro', '--storage', '7000', '--reason', 'a friend'],
      async () => (await readUser()).every((tier) => String(tier) === 'pro'),
    );
    await followed(['tier', 'clear', user.id], async () =>
      (await readUser()).every((tier) => String(tier) === 'free'),
    );
  });

  it('bans a user so that a live token is shut within a second, and unbans them', async () => {
    const user = await service().signUp();
    const status = async () => (await ask(user, '/api/services')).status;
    expect(await status()).to.equal(200);
    await followed(['users', 'ban', user.email, '--reason', 'spam'], async () => (await status()) === 403);
    expect((await ask(user, '/api/auth/me')).status).to.equal(200);
    await followed(['users', 'unban', user.email], async () => (await status()) === 200);
    const { status: wrong } = await run(['users', 'ban', user.email]);
    expect(wrong).to.equal(2);
  });

  it('makes an operator who gets into the admin endpoints, and ends all sessions', async () => {
    const user = await service().signUp();
    const status = async () => (await ask(user, '/api/admin/users/stats')).status;
    expect(await status()).to.equal(403);
    await followed(['operator', 'grant', user.id, 'founder'], async () => (await status()) === 200);
    await followed(['operator', 'revoke', user.id], async () => (await status()) === 403);
    await followed(['users', 'logout', user.id], async () => (await status()) === 401);
  });

  it('leaves mail and events to the server, which hears of them', async () => {
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

  it('deletes nobody whose email is not typed', async () => {
    const user = await service().signUp();
    for (const input of ['', 'other@example.com\n']) {
      const { status, stderr } = await runTyping(input, 'users', 'delete', user.id);
      expect(status).to.equal(1);
      expect(stderr).to.include('Nothing was deleted.');
    }
    expect((await ask(user, '/api/auth/me')).status).to.equal(200);
  });

  it('says how many hashes of an import are dearer than ours', async () => {
    const file = join(service().folder, 'dear.jsonl');
    const hash = '$scrypt$ln=17,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM';
    writeFileSync(file, JSON.stringify({ email: 'dear@example.com', passwordHash: hash }));
    const dryRun = await run(['users', 'import', file, '--dry-run']);
    expect(dryRun.stderr).to.match(
      /^1 would be added, 0 existed already, 0 bad\. 1 with a hash costlier than SCRYPT: /,
    );
    const [counts] = documentsOf(await run(['users', 'import', file, '--dry-run', '--json']));
    expect(counts).to.deep.equal({ dryRun: true, added: 1, skipped: 0, bad: 0, dearer: 1 });
  });

  it('imports users, reports bad lines by number, and lists what it added', async () => {
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
    expect(counts).to.deep.equal({ dryRun: false, added: 0, skipped: 2, bad: 1, dearer: 0 });
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

  it('rotates the signing keys, and retires the old one with its tokens', async () => {
    const user = await service().signUp();
    const keyIds = async () => {
      const { body } = await service().request('GET', '/.well-known/jwks.json');
      return (body.keys as unknown as { kid: string }[]).map(({ kid }) => kid);
    };
    const [old = ''] = await keyIds();
    await followed(['keys', 'rotate', '--now'], async () => (await keyIds()).length === 2);
    expect((await ask(user, '/api/auth/me')).status).to.equal(200);
    const states = documentsOf(await run(['keys', 'status', '--json'])).map(({ state }) => state);
    expect(states).to.deep.equal(['old', 'current', 'current']);
    expect((await run(['keys', 'retire', old])).status).to.equal(1);
    await followed(
      ['keys', 'retire', old, '--yes'],
      async () => (await ask(user, '/api/auth/me')).status === 401,
    );
  });

  it('leaves the processor to servers in long work, and in no other', async () => {
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

  it('verifies the audit log, tells its head, and compares it with one that was noted', async () => {
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
