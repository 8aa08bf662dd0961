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
const scraping = blockOf('yaml');
const SHOWN = '9464';

describe('What the operating guide shows of metrics', () => {
  let group = 0;
  // Before the folder goes.
  afterEach(async () => {
    if (group === 0 || !isGroupAlive(group)) return;
    process.kill(-group, 'SIGTERM');
    await until(() => !isGroupAlive(group));
  });
  const folder = useTempFolder();

  it('is served and asked for by its lines, on another port here', async () => {
    for (const name of ['dist', 'cli', 'node_modules', 'package.json']) {
      symlinkSync(join(root, name), join(folder(), name));
    }
    const port = `${await freePort()}`;
    const env = { ...easySettings, PATH: process.env.PATH, HOME: process.env.HOME };
    const here = (line: string) => line.replace(SHOWN, port);
    const child = spawn('bash', ['-c', here(start)], {
      cwd: folder(),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
    });
    group = child.pid ?? 0;
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(() => said.includes('Next, sign up') || child.exitCode !== null);
    expect(child.exitCode, said).to.equal(null);
    const { stdout, status } = spawnSync('bash', ['-c', here(ask)], { encoding: 'utf8', env });
    expect(status).to.equal(0);
    expect(stdout).to.match(/^gatehouse_\w+(?:\{.*\})? \d/m);
  });

  it('is scraped by its configuration, with rules that are there', () => {
    expect([start, ask, scraping].every((text) => text.includes(SHOWN))).to.equal(true);
    const [, rules = ''] = /^rule_files:\n {2}- (\S+)$/m.exec(scraping) ?? [];
    expect(existsSync(join(docs, rules)), rules).to.equal(true);
  });
});
