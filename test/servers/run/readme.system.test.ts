import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { isGroupAlive } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';
import { until } from '../../support/until.ts';

/** What a fresh clone does not hold. */
const NOT_CLONED = ['.git', '.env', 'node_modules', 'dist', 'data', 'coverage'];

const { PATH, HOME, npm_config_cache } = process.env;

const firstScreen = readFileSync(join(root, 'README.md'), 'utf8').split('\n## ', 1)[0] ?? '';
const blocks = [...firstScreen.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines = '']) => lines);
const [startLine = '', ...rest] = blocks;
const lines = rest.filter((block) => !block.includes('npm test'));

const freePort = (wanted: number, host: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(undefined));
    server.listen(wanted, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });

/** The port the README names, or another one where somebody else has it under a name that curl may try. */
const choosePort = async (named: number): Promise<number> => {
  const free = await Promise.all(['127.0.0.1', '::1'].map((host) => freePort(named, host)));
  return free.every((port) => port === named) ? named : ((await freePort(0, '127.0.0.1')) ?? 0);
};

describe('The first screen of the README', () => {
  const folder = useTempFolder();
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const { pid } of children.splice(0)) {
      if (pid === undefined || !isGroupAlive(pid)) continue;
      process.kill(-pid, 'SIGKILL');
      await until(() => !isGroupAlive(pid));
    }
  });

  /** Runs a script in the clone, in a process group of its own. */
  const bash = (script: string, clone: string, env: NodeJS.ProcessEnv) => {
    const child = spawn('bash', ['-c', script], {
      cwd: clone,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, HOME, npm_config_cache, ...env },
    });
    children.push(child);
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => out.push(chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => err.push(chunk));
    let code: number | null | undefined;
    child.once('close', (ended) => {
      code = ended;
    });
    return {
      pid: child.pid ?? 0,
      out: () => out.join(''),
      err: () => err.join(''),
      code: () => code,
      all: () => out.join('') + err.join(''),
    };
  };

  /**
   * A clone with the packages and the build that are here, as the first line leaves them. That they can be had anew is
   * the matter of `.ci/run` and of the tests of the build.
   */
  const makeClone = (): string => {
    const clone = join(folder(), 'gatehouse');
    mkdirSync(clone);
    const held = readdirSync(root).filter((name) => !NOT_CLONED.includes(name));
    execFileSync('cp', ['-a', ...held.map((name) => join(root, name)), join(root, 'dist'), clone]);
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    return clone;
  };

  /** The product as the first line starts it, but that the packages are only looked at. */
  const start = async (clone: string, env: NodeJS.ProcessEnv) => {
    const line = startLine.replace('npm ci', 'npm ci --dry-run --offline');
    const started = bash(line, clone, env);
    await until(() => started.code() !== undefined || started.err().includes('Next, sign up'));
    return started;
  };

  it('holds when it is typed in a fresh clone', async () => {
    expect(startLine.trim()).to.equal('npm ci && npm start');
    expect(lines).to.have.length(3);
    const clone = makeClone();
    const [accounts, metadata] = [await choosePort(3000), await choosePort(3001)];
    const env =
      accounts === 3000 && metadata === 3001
        ? {}
        : { ACCOUNTS_PORT: `${accounts}`, METADATA_PORT: `${metadata}` };

    const server = await start(clone, env);
    expect(server.code(), server.all()).to.equal(undefined);
    expect(server.err()).to.include(`Accounts  http://127.0.0.1:${accounts}`);
    expect(server.err()).to.include(`Metadata  http://127.0.0.1:${metadata}`);
    expect(server.err()).to.include(`Mail      one file each in ${join(clone, 'data/mail')}`);

    const MARK = '@@@';
    const told = lines.map((block) => block.replaceAll('localhost:3000', `localhost:${accounts}`));
    const shell = bash(
      `set -e\n${told.join(`echo; echo ${MARK}\n`)}echo; echo ${MARK}\nprintf '%s\\n' "$token" "$refresh" "$answer"`,
      clone,
      {},
    );
    await until(() => shell.code() !== undefined);
    expect([shell.code(), shell.err()]).to.deep.equal([0, '']);
    const [registered = '', verified = '', used = '', kept = ''] = shell.out().split(`\n${MARK}\n`);
    expect(JSON.parse(registered))
      .to.have.all.keys('message', 'email')
      .and.include({ email: 'ada@example.com' });
    expect(verified).to.equal('');
    const [me = '', loggedOut = ''] = used.split(/(?<=\})(?=\{"success")/);
    expect(JSON.parse(me).user).to.include({ email: 'ada@example.com', twoFactorEnabled: false });
    expect(JSON.parse(loggedOut)).to.deep.equal({ success: true });
    const [token = '', refresh = '', answer = ''] = kept.trim().split('\n');
    expect(token.split('.')).to.have.length(3);
    const renewed = JSON.parse(answer);
    expect(renewed).to.have.all.keys('token', 'refreshToken');
    expect(renewed.token).not.to.equal(token);
    expect(renewed.refreshToken).not.to.equal(refresh);

    // npm passes no signal on, so it goes to the program itself, whose number stands in its log.
    const [, pid] = /"pid":(\d+)/.exec(server.out()) ?? [];
    process.kill(Number(pid), 'SIGTERM');
    await until(() => server.code() !== undefined && !isGroupAlive(server.pid));
    expect(server.code()).to.equal(0);
  });
});
