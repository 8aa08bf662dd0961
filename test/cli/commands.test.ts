import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';

describe('The gatehouse command', () => {
  const folder = useTempFolder();
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'cli/gatehouse.mjs'), ...args],
      {
        cwd: folder(),
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      },
    );
    return { status, stdout, stderr };
  };

  it('shows the settings as they will be used, without the secrets', () => {
    const secret = 'Zk3-vR8_pQ2xT7mN5bW9cY4dF6gH1jL0';
    const { status, stdout } = run(['config', 'check', '--json'], {
      INTERNAL_SECRET: secret,
      ACCOUNTS_PORT: '4000',
    });
    expect(status).to.equal(0);
    const settings: unknown = JSON.parse(stdout);
    expect(settings).to.include({ ACCOUNTS_PORT: 4000, INTERNAL_SECRET: 'set, not shown' });
    expect(stdout).not.to.include(secret);
  });

  it('exits with 78 and a line for each wrong setting', () => {
    const { status, stdout, stderr } = run(['config', 'check'], { ACCOUNTS_PORT: 'many', LOG_LEVEL: 'loud' });
    expect(status).to.equal(78);
    expect(stdout).to.equal('');
    const lines = stderr.trim().split('\n');
    expect(lines).to.have.length(2);
    expect(lines.join(' ')).to.match(/ACCOUNTS_PORT.*LOG_LEVEL/);
  });

  it('exits with 78 and names setting, file and line of what is wrong in the folders of a brand', () => {
    const [brand, mails] = ['brand', 'mails'].map((name) => join(folder(), name));
    for (const place of [brand, mails]) mkdirSync(String(place));
    writeFileSync(join(String(brand), 'notes.txt'), 'x');
    writeFileSync(join(String(brand), 'theme.css'), ':root {\n  --accent: red;\n  color: red;\n}\n');
    writeFileSync(join(String(mails), 'verify.en.html'), '{{code}}\n{{nme}}\n');
    const settings = { BRAND_DIR: String(brand), MAIL_TEMPLATES_DIR: String(mails) };
    const { status, stdout, stderr } = run(['config', 'check'], settings);
    expect([status, stdout]).to.deep.equal([78, '']);
    expect(stderr)
      .to.match(/BRAND_DIR: notes\.txt is none of/)
      .and.match(/BRAND_DIR: theme\.css .*, in line 3\./)
      .and.include(
        'MAIL_TEMPLATES_DIR: verify.en.html, line 2: {{nme}} is no name of a mail: it must be one of productName, code',
      );
    const none = join(folder(), 'none');
    const missing = run(['config', 'check'], { BRAND_DIR: none, MAIL_TEMPLATES_DIR: none });
    expect(missing.status).to.equal(78);
    expect(missing.stderr).to.match(/BRAND_DIR must be .*MAIL_TEMPLATES_DIR must be /s);
  });

  for (const kind of ['signing', 'master', 'hash']) {
    it(`makes a first ${kind} key file for its owner alone, and leaves one that is there`, () => {
      const file = join(folder(), 'key');
      expect(run(['keys', 'init', '--kind', kind, file]).status).to.equal(0);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      const keyFile = readFileSync(file, 'utf8');
      const again = run(['keys', 'init', '--kind', kind, file]);
      expect(again.status).to.equal(1);
      expect(again.stderr).to.include('was left unchanged');
      expect(readFileSync(file, 'utf8')).to.equal(keyFile);
    });
  }

  /** Runs a program of cli/ on what says that it is another Node.js. */
  const runOn = (version: string, program: string) => {
    const older = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const before = ['--import', `data:text/javascript,${encodeURIComponent(older)}`];
    return spawnSync(process.execPath, [...before, join(root, 'cli', program), '--help'], {
      encoding: 'utf8',
    });
  };

  for (const version of ['18.20.8', '20.18.3']) {
    it(`ends with 78 and one line on Node.js ${version}, as starts and builds do`, () => {
      for (const program of ['gatehouse.mjs', 'launch.mjs', 'build/build.mjs']) {
        const { status, stderr } = runOn(version, program);
        expect([status, stderr], program).to.deep.equal([
          78,
          `Gatehouse needs Node.js 20.19 or newer; this is ${version}.\n`,
        ]);
      }
    });
  }

  it('runs on the oldest Node.js that it is for', () => {
    expect(runOn('20.19.0', 'gatehouse.mjs').status).to.equal(0);
  });

  it('says its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(run(['--version'])).to.deep.equal({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('says with --json what failed as one document on standard error, under the same exit code', () => {
    const failures = [
      [['nothing', '--json'], 2, 'wrong_usage'],
      [['users', 'ban', 'ada@example.com', '--json'], 2, 'wrong_usage'],
      [['users', 'list', '--json', '--limit', '-1'], 2, 'wrong_usage'],
      [['users', 'list', '--json'], 78, 'no_store'],
      [['keys', 'init', '--json', '--kind', 'hash', 'package.json'], 1, 'failed'],
    ] as const;
    writeFileSync(join(folder(), 'package.json'), '');
    for (const [args, code, word] of failures) {
      const { status, stdout, stderr } = run(args);
      expect([status, stdout], args.join(' ')).to.deep.equal([code, '']);
      const { error, ...more } = JSON.parse(stderr);
      expect([error.code, more], args.join(' ')).to.deep.equal([word, {}]);
      expect(error.message)
        .to.be.a('string')
        .and.match(/^[^\n]+$/)
        .and.not.match(/^error:/);
    }
    const settings = run(['config', 'check', '--json'], { ACCOUNTS_PORT: 'many', LOG_LEVEL: 'loud' });
    expect(settings.status).to.equal(78);
    const { error } = JSON.parse(settings.stderr);
    expect(error.code).to.equal('wrong_settings');
    expect(error.message).to.match(/ACCOUNTS_PORT.*\n.*LOG_LEVEL/);
    expect(run(['users', '--help', '--json']).status).to.equal(0);
  });

  it('exits with 2 when it is used wrongly, and with 0 when it is asked for help', () => {
    expect(run(['nothing']).status).to.equal(2);
    expect(run(['keys', 'init', 'file']).status).to.equal(2);
    expect(run(['--help']).status).to.equal(0);
  });
});
