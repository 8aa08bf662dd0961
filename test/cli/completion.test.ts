import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';

describe('The completion of commands', () => {
  const main = join(root, 'dist/cli/main-joined.js');

  it('is refused for another shell, and given as JSON where that is asked for', () => {
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [main, 'completion', ...args], { encoding: 'utf8' });
    expect(run('csh').status).to.equal(2);
    const { shell, script } = JSON.parse(run('bash', '--json').stdout);
    expect(shell).to.equal('bash');
    expect(script).to.equal(run('bash').stdout);
  });
});
