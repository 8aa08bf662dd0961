import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { isGroupAlive } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';
import { until } from '../../support/until.ts';

/** Names that a fresh clone does not contain. */
const NOT_CLONED = ['.git', '.env', 'node_modules', 'dist', 'data', 'coverage'];

const { PATH, HOME, npm_config_cache } = process.env;

const firstScreen = readFileSync(join(root, 'README.md'), 'utf8').split('\n## ', 1)[0] ?? '';
const blocks = [...firstScreen.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines = '']) => lines);
const [startLine = '', ...rest] = blocks;
const lines = rest.filter((block) => !block.includes('npm test'));

const freePort = (preferred: number, host: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(undefined));
    server.listen(preferred, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });

/** Returns the port of the README, or another port if that is in use on an address that curl may try. */
const choosePort = async (preferred: number): Promise<number> => {
  const free = await Promise.all(['127.0.0.1', '::1'].map((host) => freePort(preferred, host)));
  return free.every((port) => port === preferred) ? preferred : ((await freePort(0, '127.0.0.1')) ?? 0);
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

  /** Runs a script in the clone, in its own process group. */
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
   * Makes a clone with the packages and build of this tree, as the first line leaves them. `.ci/run` and the tests of
   * the build check the installation itself.
   */
  const makeClone = (): string => {
    const clone = join(folder(), 'gatehouse');
    mkdirSync(clone);
    const names = readdirSync(root).filter((name) => !NOT_CLONED.includes(name));
    execFileSync('cp', ['-a', ...names.map((name) => join(root, name)), join(root, 'dist'), clone]);
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    return clone;
  };

  /** Starts the product with the first line, but only checks the packages. */
  const start = async (clone: string, env: NodeJS.ProcessEnv) => {
    const line = startLine.replace('npm ci', 'npm ci --dry-run --offline');
    const started = bash(line, clone, env);
    await until(() => started.code() !== undefined || started.err().includes('Next, sign up'));
    return started;
  };

  it('has commands that work in a fresh clone', async () => {
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
    const adapted = lines.map((block) => block.replaceAll('localhost:3000', `localhost:${accounts}`));
    const shell = bash(
      `set -e\n${adapted.join(`echo; echo ${MARK}\n`)}echo; echo ${MARK}\nprintf '%s\\n' "$token" "$refresh" "$answer"`,
      clone,
      {},
    );
    await until(() => shell.code() !== undefined);
    expect([shell.code(), shell.err()]).to.deep.equal([0, '']);
    const [registered = '', verified = '', used = '', variables = ''] = shell.out().split(`\n${MARK}\n`);
    expect(JSON.parse(registered))
      .to.have.all.keys('message', 'email')
      .and.include({ email: 'ada@example.com' });
    expect(verified).to.equal('');
    const [me = '', loggedOut = ''] = used.split(/(?<=\})(?=\{"success")/);
    expect(JSON.parse(me).user).to.include({ email: 'ada@example.com', twoFactorEnabled: false });
    expect(JSON.parse(loggedOut)).to.deep.equal({ success: true });
    const [token = '', refresh = '', answer = ''] = variables.trim().split('\n');
    expect(token.split('.')).to.have.length(3);
    const renewed = JSON.parse(answer);
    expect(renewed).to.have.all.keys('token', 'refreshToken');
    expect(renewed.token).not.to.equal(token);
    expect(renewed.refreshToken).not.to.equal(refresh);

    // npm does not forward signals, so the signal goes to the process id in the log.
    const [, pid] = /"pid":(\d+)/.exec(server.out()) ?? [];
    process.kill(Number(pid), 'SIGTERM');
    await until(() => server.code() !== undefined && !isGroupAlive(server.pid));
    expect(server.code()).to.equal(0);
  });
});
