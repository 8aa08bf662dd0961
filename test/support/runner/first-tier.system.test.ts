import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../temp-folder.ts';
import { root } from '../tree/root.ts';

const PROGRAMS = [
  ...[
    'redis-server',
    'secantusd-py',
    'mongod',
    'postgres',
    'pg_ctl',
    'pgbouncer',
    'chromium',
    'chromium-headless-shell',
    'nginx',
    'moto_server',
    'schemathesis',
    'helm',
  ],
  ...[
    'manifests',
    'go',
    'curl',
    'jq',
    'openssl',
    'strace',
    'zsh',
    'fish',
    'promtool',
    'systemd-analyze',
    'docker',
  ],
];

describe('A run of the first tier', () => {
  const folder = useTempFolder();
  const used = () => join(folder(), 'used');

  /** Runs the tests with programs on the PATH that fail, and note their names. */
  const run = (...args: readonly string[]) => {
    const bin = join(folder(), 'bin');
    mkdirSync(bin);
    for (const name of PROGRAMS) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> '${used()}'\nexit 1\n`);
      chmodSync(join(bin, name), 0o700);
    }
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, TMPDIR: folder() };
    return spawnSync(process.execPath, ['dist/test/run.js', ...args], { cwd: root, env, encoding: 'utf8' });
  };

  it('starts no program that it finds on the PATH, and says what it leaves out', () => {
    const { status, stdout } = run(
      'test/deploying.test',
      'cli/completion',
      'engine/fsync',
      '/redis/settings',
    );
    expect(stdout).to.match(
      /^Left out: \d+ files that start processes or use other programs\. To run them, type "npm run test:all -- /m,
    );
    expect(stdout).to.match(/^\d+ passed, 0 failed/m);
    expect(status).to.equal(0);
    expect(existsSync(used())).to.equal(false);
  });

  it('leaves nothing in the folder for temporary files', () => {
    run('adapters/sqlite/transfer');
    expect(readdirSync(folder())).to.deep.equal(['bin']);
  });
});
