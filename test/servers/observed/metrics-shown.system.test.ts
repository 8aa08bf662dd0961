import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { isGroupAlive } from '../../support/servers/server-process.ts';
import { easySettings } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';
import { until } from '../../support/until.ts';

const docs = join(root, 'docs');
const section = readFileSync(join(docs, 'operating.md'), 'utf8').split('### Metrics\n')[1] ?? '';
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(section)?.[1] ?? '';

const [start = '', ask = ''] = blockOf('sh').trim().split('\n');
const scrapeConfig = blockOf('yaml');
const DOCUMENTED_PORT = '9464';

describe('The metrics section of the operating guide', () => {
  let group = 0;
  // Must end before the folder is deleted.
  afterEach(async () => {
    if (group === 0 || !isGroupAlive(group)) return;
    process.kill(-group, 'SIGTERM');
    await until(() => !isGroupAlive(group));
  });
  const folder = useTempFolder();

  it('has shell commands that serve and read the metrics', async () => {
    for (const name of ['dist', 'cli', 'node_modules', 'package.json']) {
      symlinkSync(join(root, name), join(folder(), name));
    }
    const port = `${await freePort()}`;
    const env = { ...easySettings, PATH: process.env.PATH, HOME: process.env.HOME };
    const onFreePort = (line: string) => line.replace(DOCUMENTED_PORT, port);
    const child = spawn('bash', ['-c', onFreePort(start)], {
      cwd: folder(),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
    });
    group = child.pid ?? 0;
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    await until(() => stderr.includes('Next, sign up') || child.exitCode !== null);
    expect(child.exitCode, stderr).to.equal(null);
    const { stdout, status } = spawnSync('bash', ['-c', onFreePort(ask)], { encoding: 'utf8', env });
    expect(status).to.equal(0);
    expect(stdout).to.match(/^gatehouse_\w+(?:\{.*\})? \d/m);
  });

  it('has a scrape configuration for the same port, and an existing file of rules', () => {
    expect([start, ask, scrapeConfig].every((text) => text.includes(DOCUMENTED_PORT))).to.equal(true);
    const [, rules = ''] = /^rule_files:\n {2}- (\S+)$/m.exec(scrapeConfig) ?? [];
    expect(existsSync(join(docs, rules)), rules).to.equal(true);
  });
});
