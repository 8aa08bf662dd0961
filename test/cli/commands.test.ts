import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';
import { runCommand } from './run-command.ts';

describe('The gatehouse command', () => {
  const folder = useTempFolder();
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(folder(), args, { env });

  it('prints the effective settings without the secrets', async () => {
    const secret = 'Zk3-vR8_pQ2xT7mN5bW9cY4dF6gH1jL0';
    const { status, stdout } = await run(['config', 'check', '--json'], {
      INTERNAL_SECRET: secret,
      ACCOUNTS_PORT: '4000',
    });
    expect(status).to.equal(0);
    const settings: unknown = JSON.parse(stdout);
    expect(settings).to.include({ ACCOUNTS_PORT: 4000, INTERNAL_SECRET: 'set, not shown' });
    expect(stdout).not.to.include(secret);
  });

  it('exits with 78 and a line for each wrong setting', async () => {
    const { status, stdout, stderr } = await run(['config', 'check'], {
      ACCOUNTS_PORT: 'many',
      LOG_LEVEL: 'loud',
    });
    expect(status).to.equal(78);
    expect(stdout).to.equal('');
    const lines = stderr.trim().split('\n');
    expect(lines).to.have.length(2);
    expect(lines.join(' ')).to.match(/ACCOUNTS_PORT.*LOG_LEVEL/);
  });

  it('exits with 78 if a file of the branding or of the mail templates is invalid', async () => {
    const settings = { BRAND_DIR: join(folder(), 'brand'), MAIL_TEMPLATES_DIR: join(folder(), 'mails') };
    for (const path of Object.values(settings)) mkdirSync(path);
    writeFileSync(join(settings.BRAND_DIR, 'notes.txt'), 'x');
    writeFileSync(join(settings.MAIL_TEMPLATES_DIR, 'verify.en.html'), '{{code}}\n{{nme}}\n');
    const { status, stdout, stderr } = await run(['config', 'check'], settings);
    expect([status, stdout]).to.deep.equal([78, '']);
    expect(stderr)
      .to.match(/BRAND_DIR: notes\.txt is none of/)
      .and.match(/MAIL_TEMPLATES_DIR: verify\.en\.html, line 2: /);
  });

  it('creates a key file that only its owner can read, and does not overwrite an existing file', async () => {
    const file = join(folder(), 'key');
    for (const kind of ['signing', 'master', 'hash']) {
      expect((await run(['keys', 'init', '--kind', kind, file])).status).to.equal(0);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      const keyFile = readFileSync(file, 'utf8');
      const again = await run(['keys', 'init', '--kind', kind, file]);
      expect(again.status).to.equal(1);
      expect(again.stderr).to.include('was left unchanged');
      expect(readFileSync(file, 'utf8')).to.equal(keyFile);
      rmSync(file);
    }
  });

  /** Runs a program in a process that reports another version of Node.js. */
  const runOn = (version: string, program: string) => {
    const setVersion = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const importArgs = ['--import', `data:text/javascript,${encodeURIComponent(setVersion)}`];
    return spawnSync(process.execPath, [...importArgs, join(root, program), '--help'], {
      encoding: 'utf8',
      // Ends a server that does not check the version and starts with a store in this folder.
      timeout: 30_000,
      cwd: folder(),
    });
  };

  for (const version of ['18.20.8', '20.18.3']) {
    it(`exits with 78 and one line on Node.js ${version}, as the launcher, the build and the servers do`, () => {
      for (const program of [
        ...['cli/gatehouse.mjs', 'cli/launch.mjs', 'cli/build/build.mjs'],
        ...['dist/servers/all.js', 'dist/servers/accounts.js', 'dist/servers/metadata.js'],
      ]) {
        const { status, stderr } = runOn(version, program);
        expect([status, stderr], program).to.deep.equal([
          78,
          `Gatehouse needs Node.js 20.19 or newer; this is ${version}.\n`,
        ]);
      }
    });
  }

  it('runs on the oldest supported version of Node.js', () => {
    expect(runOn('20.19.0', 'cli/gatehouse.mjs').status).to.equal(0);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(await run(['--version'])).to.deep.equal({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('writes an error as one JSON document to standard error with --json, with the same exit code', async () => {
    const failures = [
      [['nothing', '--json'], 2, 'wrong_usage'],
      [['users', 'ban', 'ada@example.com', '--json'], 2, 'wrong_usage'],
      [['users', 'list', '--json', '--limit', '-1'], 2, 'wrong_usage'],
      [['users', 'list', '--json'], 78, 'no_store'],
      [['keys', 'init', '--json', '--kind', 'hash', 'package.json'], 1, 'failed'],
    ] as const;
    writeFileSync(join(folder(), 'package.json'), '');
    for (const [args, code, word] of failures) {
      const { status, stdout, stderr } = await run(args);
      expect([status, stdout], args.join(' ')).to.deep.equal([code, '']);
      const { error, ...more } = JSON.parse(stderr);
      expect([error.code, more], args.join(' ')).to.deep.equal([word, {}]);
      expect(error.message)
        .to.be.a('string')
        .and.match(/^[^\n]+$/)
        .and.not.match(/^error:/);
    }
    const settings = await run(['config', 'check', '--json'], { ACCOUNTS_PORT: 'many', LOG_LEVEL: 'loud' });
    expect(settings.status).to.equal(78);
    const { error } = JSON.parse(settings.stderr);
    expect(error.code).to.equal('wrong_settings');
    expect(error.message).to.match(/ACCOUNTS_PORT.*\n.*LOG_LEVEL/);
    expect((await run(['users', '--help', '--json'])).status).to.equal(0);
  });

  it('exits with 2 for wrong usage, and with 0 for --help', async () => {
    expect((await run(['nothing'])).status).to.equal(2);
    expect((await run(['keys', 'init', 'file'])).status).to.equal(2);
    expect((await run(['--help'])).status).to.equal(0);
  });

  it('refuses the completion of an unknown shell, and prints a script as JSON', async () => {
    expect((await run(['completion', 'csh'])).status).to.equal(2);
    const { shell, script } = JSON.parse((await run(['completion', 'bash', '--json'])).stdout);
    expect(shell).to.equal('bash');
    expect(script).to.equal((await run(['completion', 'bash'])).stdout);
  });
});
