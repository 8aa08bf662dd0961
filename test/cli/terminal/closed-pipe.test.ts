import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

describe('A command whose reader has closed the pipe', () => {
  const folder = useTempFolder();

  /** Runs `config check` into a pipe that nobody reads: its exit code, and what it said beside the pipe. */
  const run = (redirection: string, env: Readonly<Record<string, string>> = {}) => {
    const script = `{ "$0" "$1" config check ${redirection}; echo $? > code; } | true`;
    const { stderr } = spawnSync(
      'sh',
      ['-c', script, process.execPath, join(root, 'dist/cli/main-joined.js')],
      {
        cwd: folder(),
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      },
    );
    return { code: readFileSync(join(folder(), 'code'), 'utf8').trim(), stderr };
  };

  it('ends well and says nothing, as before `head`', () => {
    expect(run('')).to.deep.equal({ code: '0', stderr: '' });
  });

  it('says in one line that its output cannot be written', () => {
    const { code, stderr } = run('> /dev/full');
    expect(code).to.equal('1');
    expect(stderr).to.match(/^The output could not be written: ENOSPC[^\n]*\n$/);
  });

  it('ends with its own exit code when nobody reads its messages', () => {
    expect(run('2>&1', { ACCOUNTS_PORT: 'many' })).to.deep.equal({ code: '78', stderr: '' });
  });
});
