import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

const blocks = [
  ...readFileSync(join(root, 'docs/deploying.md'), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, lines = '']) => lines);
const blocksWith = (words: string) => blocks.filter((lines) => lines.includes(words));

describe('Repeated or failing shell commands of the deployment guide', () => {
  const folder = useTempFolder();

  /** Runs lines as an interactive shell does, which continues after an error. */
  const type = (lines: string) => {
    const script = lines.replaceAll(/\/(?:etc|opt|var\/lib|var\/backups)\/gatehouse/g, join(folder(), 'etc'));
    const stubs = 'for name in chown gatehouse sudo; do eval "$name() { :; }"; done';
    return spawnSync('bash', ['-c', `${stubs}\n${script}`], { cwd: folder(), encoding: 'utf8' }).stdout;
  };

  const contents = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(folder(), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
    );

  const cases = [
    { title: 'on a machine', words: 'rand -base64 33 > metadata-secret' },
    { title: 'for containers', words: 'rand -base64 33 > secrets/' },
  ];
  for (const { title, words } of cases) {
    it(`keep secrets and settings on a second run, ${title}`, () => {
      mkdirSync(join(folder(), 'etc/docs/samples'), { recursive: true });
      writeFileSync(join(folder(), 'etc/docs/samples/gatehouse.env'), 'DATA_DIR=/data\n');
      const [lines = '', ...others] = blocksWith(words);
      expect(others).to.deep.equal([]);
      type(lines);
      const settings = title === 'on a machine' ? 'etc/.env' : '.env';
      writeFileSync(join(folder(), settings), 'PUBLIC_URL=https://ours.example.com\n');
      const before = contents();
      expect(before).to.include.keys('internal-secret', 'metadata-secret', 'smtp-url', '.env');
      type(lines);
      expect(contents()).to.deep.equal(before);
    });
  }

  it('restart no second process if the first does not come back', () => {
    const restarts = blocksWith('systemctl restart');
    expect(restarts).to.have.length(3);
    for (const lines of restarts) {
      const loop = lines.slice(lines.indexOf('for unit in'));
      expect(type(`systemctl() { echo "$2"; return 1; }\n${loop}`), lines).to.equal(
        'gatehouse-accounts@3000\n',
      );
    }
  });

  it('restart nothing with invalid secrets', () => {
    const rotations = blocksWith('internal-secret.next');
    expect(rotations).to.have.length(2);
    for (const lines of rotations) {
      expect(type(`sudo() { return 78; }\nsystemctl() { echo "$2"; }\n${lines}`), lines).to.equal('');
    }
  });

  it('restore the newest archive, not that of an older drill', () => {
    const archives = join(folder(), 'etc');
    mkdirSync(archives);
    for (const [name, seconds] of Object.entries({ 'drill-1.tar': 1_000, '2026-01-31.tar': 2_000 })) {
      writeFileSync(join(archives, name), '');
      utimesSync(join(archives, name), seconds, seconds);
    }
    const restores = blocksWith('store restore').filter((lines) => !lines.startsWith('docker'));
    expect(restores).to.have.length(2);
    for (const lines of restores) {
      const stdout = type(
        `sudo() { [[ $* == *restore* ]] && echo "\${@: -1}"; }\nfor name in systemctl mv mkdir rm curl; do eval "$name() { :; }"; done\n${lines}`,
      );
      expect(stdout.trim().split('\n').at(-1), lines).to.equal(join(archives, '2026-01-31.tar'));
    }
  });

  it('do not switch to a new version if its backup, settings or migration fail', () => {
    const [lines = '', ...others] = blocksWith('ln -sfn');
    expect(others).to.deep.equal([]);
    for (const failing of ['backup', 'check', 'migrate']) {
      const stubs = `sudo() { [[ $* != *${failing}* ]]; }\nln() { echo linked; }\nsystemctl() { echo "$2"; }`;
      expect(type(`${stubs}\n${lines}`), failing).to.equal('');
    }
  });
});
