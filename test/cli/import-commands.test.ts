import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { importJsonLines } from '../../cli/import-json-lines.ts';
import type { Lines } from '../../core/import-lines.ts';
import type { ImportCounts, ImportOptions, UserImportOptions } from '../../core/index.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { collect, OPERATOR, onTerminal, recorded, recordWork, runLine } from './run-line.ts';

const COUNTS = { added: 1, skipped: 2, bad: 0 };

describe('An import command', () => {
  const folder = useTempFolder();
  const write = (text: string): string => {
    const file = join(folder(), 'lines');
    writeFileSync(file, text);
    return file;
  };

  /** An import that reads all lines, calls `report` and returns these counts. */
  const importWith = (
    counts: object,
    report: (options: UserImportOptions) => Promise<void> = async () => undefined,
  ) => {
    const lines: unknown[] = [];
    const callArgs: unknown[] = [];
    const lowerPriority = sinon.spy();
    const importLines = async (from: Lines, options: UserImportOptions, ...rest: readonly unknown[]) => {
      const { dryRun, ...more } = options;
      callArgs.push(
        'withoutPasswords' in more ? { dryRun, withoutPasswords: more.withoutPasswords } : { dryRun },
      );
      callArgs.push(...rest);
      for await (const line of from) lines.push(line);
      await report(options);
      return counts;
    };
    const product = {
      accounts: { operate: { importUsers: importLines, recordWork } },
      files: { operate: { importFiles: importLines } },
    };
    const run = (...words: readonly string[]) => runLine(words, product, { lowerPriority });
    return { lines, callArgs, lowerPriority, run };
  };

  it('of users reads each line, lowers its priority, and prints the counts', async () => {
    const { lines, callArgs, lowerPriority, run } = importWith({ ...COUNTS, dearer: 0 });
    const file = write('{"a":1}\n\n{"b":2}\n');
    const result = await run('users', 'import', file, '--reason', 'test');
    expect(result).to.deep.equal({ status: 0, stdout: '', stderr: '1 added, 2 existed already, 0 bad.\n' });
    expect(lines).to.deep.equal(['{"a":1}', '', '{"b":2}']);
    expect(callArgs).to.deep.equal([{ dryRun: false }, { ...OPERATOR, reason: 'test' }]);
    expect(lowerPriority.callCount).to.equal(1);
    const asJson = await run('users', 'import', file, '--json');
    expect(JSON.parse(asJson.stdout)).to.deep.equal({ dryRun: false, ...COUNTS, dearer: 0, leftOut: {} });
  });

  it('of users lists the fields that it does not know', async () => {
    const { run } = importWith({ ...COUNTS, dearer: 0 }, async ({ onUnknownFields }) => {
      onUnknownFields?.(['email_verified']);
      onUnknownFields?.(['_id', 'email_verified']);
    });
    const { stderr } = await run('users', 'import', write('{}'));
    expect(stderr).to.equal(
      '1 added, 2 existed already, 0 bad. Not imported, with the number of users: email_verified (2), _id (1).\n',
    );
  });

  it('prints bad lines and retries, below the progress bar on a terminal, and exits with 1', async () => {
    const { run } = importWith({ ...COUNTS, dearer: 0, bad: 1 }, async ({ onBad, onProgress, pause }) => {
      onProgress?.({ ...COUNTS, bad: 1 });
      onBad(2, 'It is wrong.');
      await pause?.(1);
    });
    const messages = [
      'The store is unavailable: next attempt in 1 s.',
      '1 would be added, 2 existed already',
    ];
    const plain = await run('users', 'import', write('{}\n{}\n'), '--dry-run');
    expect(plain.status).to.equal(1);
    expect(plain.stderr).to.equal(`Line 2: It is wrong.\n${messages.join('\n')}, 1 bad.\n`);
    const { stderr } = await onTerminal(process.stderr, 80, () => run('files', 'import', write('{}\n{}\n')));
    expect(stderr.split('\u001b[K').slice(0, 3)).to.deep.equal([
      `\r${'█'.repeat(24)} 100 % 1 added, 2 existed already`,
      '\r',
      'Line 2: It is wrong.\n\r',
    ]);
  });

  it('removes the progress bar before its failure is printed', async () => {
    const importLines = async (_: Lines, { onProgress }: ImportOptions): Promise<ImportCounts> => {
      onProgress?.(COUNTS);
      throw new Error('The disk is full.');
    };
    const { stderr } = await onTerminal(process.stderr, 80, () =>
      collect(() => rejectionOf(() => importJsonLines(write('{}'), {}, importLines))),
    );
    expect(stderr.endsWith(' 1 added, 2 existed already\u001b[K\r\u001b[K')).to.equal(true);
  });

  it('of files writes an audit row, except for a dry run', async () => {
    const { callArgs, run, lowerPriority } = importWith(COUNTS);
    const { stderr } = await run('files', 'import', write('{}'));
    expect(stderr).to.equal('1 added, 2 existed already, 0 bad.\n');
    expect(recorded).to.deep.equal({
      ...{ name: 'files.import', done: 'files.imported', target: 'files' },
      ...{ after: { added: 1 }, started: true },
    });
    await run('files', 'import', write('{}'), '--dry-run');
    expect([recorded.started, callArgs, lowerPriority.callCount]).to.deep.equal([
      false,
      [{ dryRun: false }, { dryRun: true }],
      2,
    ]);
  });

  const EXPORT = JSON.stringify({
    user: [
      { id: '7', email: 'ada@example.com', role: 'user', plan: 'pro' },
      { id: '8', email: 'bob@example.com', role: 'user' },
    ],
    account: [{ userId: '7', providerId: 'credential', password: 'md5:0123456789abcdef' }],
  });

  it('with --from numbers the users, and lists the fields left out, the most frequent first', async () => {
    const counts = { ...COUNTS, dearer: 1, lostPasswords: 1 };
    const { lines, callArgs, run } = importWith(counts, async ({ onBad }) => onBad(2, 'It is wrong.'));
    const words = ['users', 'import', write(EXPORT), '--from', 'better-auth', '--without-passwords'];
    const { stderr } = await run(...words);
    expect(stderr).to.equal(
      'User 2: It is wrong.\n1 added, 2 existed already, 0 bad. 1 with a hash costlier than SCRYPT: until they ' +
        'sign in, slower answers reveal their accounts. Not imported, with the number of users: role (2), password (2), plan (1).\n',
    );
    expect(lines.map((line) => JSON.parse(String(line)).email)).to.deep.equal([
      'ada@example.com',
      'bob@example.com',
    ]);
    expect(callArgs).to.deep.equal([{ dryRun: false, withoutPasswords: true }, OPERATOR]);
    const { leftOut } = JSON.parse((await run(...words, '--json')).stdout);
    expect(leftOut).to.deep.equal({ role: 2, password: 2, plan: 1 });
  });

  it('refuses options about passwords without --from', async () => {
    const { lines, run } = importWith(COUNTS);
    for (const option of [['--hash-config', 'file'], ['--passwords', 'file'], ['--without-passwords']]) {
      const error = await rejectionOf(() => run('users', 'import', write('{}'), ...option));
      expect(error).to.include({ kind: 'invalid', code: 'wrong_usage' });
      expect(String(error)).to.include('need --from');
    }
    expect(lines).to.deep.equal([]);
  });
});
