import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { signUpWithFactor } from '../servers/accounts/second-factor/factor.ts';
import { ask, useService } from '../support/service.ts';
import { documentsOf, runCommand } from './run-command.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('The gatehouse command with files', () => {
  const service = useService();
  const run = (...args: readonly string[]) =>
    runCommand(service().folder, args, { env: { DATA_DIR: service().folder } });
  const json = async (...args: readonly string[]) => {
    const result = await run(...args, '--json');
    expect(result.status, result.stderr).to.equal(0);
    return documentsOf(result);
  };
  const request = (method: string, path: string, body?: unknown) =>
    ask(service().metadataUrl, method, path, body === undefined ? {} : { body });
  const fileOf = (user: string, more: Readonly<Record<string, unknown>> = {}) => ({
    filenameEnc: 'name',
    size: 10,
    user,
    mimeType: 'image/png',
    dekEnc: 'not one of ours',
    thumb: true,
    ...more,
  });
  const linesFile = (lines: readonly unknown[]): string => {
    const file = join(service().folder, 'files.jsonl');
    const textOf = (line: unknown) => (typeof line === 'string' ? line : JSON.stringify(line));
    writeFileSync(file, lines.map((line) => `${textOf(line)}\n`).join(''));
    return file;
  };

  it('imports records with ids and times, reports bad lines by number, and skips existing records', async () => {
    const complete = fileOf('importer', { id: ID, uploadedDate: '2020-02-29T10:00:00Z' });
    const file = linesFile([
      complete,
      fileOf('importer'),
      'no json',
      fileOf('importer', { size: -1 }),
      fileOf('importer', { id: 'x' }),
      fileOf('importer', { uploadedDate: '2999-01-01' }),
    ]);
    const dry = await run('files', 'import', file, '--dry-run', '--json');
    expect(documentsOf(dry)[0]).to.include({ dryRun: true, added: 2, skipped: 0, bad: 4 });
    expect((await request('GET', '/api/v1/meta?userId=importer')).body).to.deep.equal({ files: [] });

    const result = await run('files', 'import', file, '--json');
    expect(result.status).to.equal(1);
    expect(documentsOf(result)[0]).to.include({ added: 2, skipped: 0, bad: 4 });
    for (const number of [3, 4, 5, 6]) expect(result.stderr).to.include(`Line ${number}: `);
    const { body } = await request('GET', `/api/v1/meta/${ID}`);
    expect(body).to.include({ id: ID, uploadedDate: '2020-02-29T10:00:00.000Z' });
    const again = await run('files', 'import', linesFile([complete]), '--json');
    expect(documentsOf(again)[0]).to.include({ added: 0, skipped: 1, bad: 0 });
  });

  it('fills, counts and empties the cache', async () => {
    const user = await service().signUp();
    for (let count = 0; count < 3; count += 1) await request('POST', '/api/v1/meta', fileOf(user.id));
    expect(await json('cache', 'sync', user.email, '--type', 'allOne')).to.deep.equal([
      { user: user.id, synced: 3, skipped: 0 },
    ]);
    const [stats] = await json('cache', 'stats');
    expect(stats?.entries).to.be.at.least(3);
    expect(await json('cache', 'invalidate', user.id, '--type', 'OUT')).to.deep.equal([
      { user: user.id, type: 'OUT', invalidated: 3 },
    ]);
    expect(await json('cache', 'prefetch', user.id, '--limit', '5')).to.deep.equal([
      { user: user.id, prefetched: 0 },
    ]);
    await json('cache', 'sync', user.id, '--type', 'allTwo');
    await json('cache', 'invalidate', '--all', '--type', 'OUT');
    expect((await json('cache', 'stats'))[0]).to.include({ entries: 0 });
  });

  it('deletes records, for which the running server then answers with 404', async () => {
    const { body } = await request('POST', '/api/v1/meta', fileOf('leaver'));
    const path = `/api/v1/meta/${String(body.id)}`;
    expect((await request('GET', path)).status).to.equal(200);
    expect(await json('cache', 'invalidate', 'leaver', '--type', 'DEL')).to.deep.equal([
      { user: 'leaver', type: 'DEL', invalidated: 1 },
    ]);
    expect((await request('GET', path)).status).to.equal(404);
    const rows = await json('audit', 'list', '--action', 'files.deleted');
    expect(rows.at(-1)).to.deep.include({ target: 'leaver', actor: 'operator:cli' });
  });

  it('exits with 1 if a sync exceeds the limit', async () => {
    await request('POST', '/api/v1/meta', fileOf('beyond'));
    const { status, stdout, stderr } = await runCommand(
      service().folder,
      ['cache', 'sync', 'beyond', '--type', 'allOne', '--json'],
      { env: { DATA_DIR: service().folder, SYNC_LIMIT_BYTES: '1' } },
    );
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(JSON.parse(stderr).error.code).to.equal('limit_exceeded');
  });

  it('exits with 2 for wrong usage of a cache command, and with 1 for an unknown user', async () => {
    const wrong = [
      ['cache', 'invalidate', '--type', 'OUT'],
      ['cache', 'invalidate', 'u', '--all', '--type', 'OUT'],
      ['cache', 'invalidate', '--all', '--type', 'DEL'],
      ['cache', 'sync', 'u', '--type', 'some'],
      ['cache', 'prefetch', 'u', '--limit', '0'],
      ['cache', 'prefetch', 'u', '--limit', '10001'],
    ];
    for (const args of wrong) expect((await run(...args)).status, args.join(' ')).to.equal(2);
    expect((await run('cache', 'sync', 'nobody', '--type', 'allOne')).status).to.equal(1);
  });

  it('counts files and their bytes', async () => {
    const [before] = await json('stats');
    await request('POST', '/api/v1/meta', fileOf('counted', { size: 1_234 }));
    const [after] = await json('stats');
    expect(Number(after?.files) - Number(before?.files)).to.equal(1);
    expect(Number(after?.bytes) - Number(before?.bytes)).to.equal(1_234);
  });

  it('rotates the master key and re-encrypts second factors and data keys', async () => {
    const { user } = await signUpWithFactor(service());
    const { body: wrapped } = await request('POST', '/api/v1/dek/wrap', { dek: 'f'.repeat(64) });
    const { body } = await request('POST', '/api/v1/meta', fileOf(user.id, { dekEnc: wrapped.dekEnc }));
    const [rotated] = await json('keys', 'rotate', '--kind', 'master');
    expect(rotated).to.include({ resumed: false, resealed: 2, left: 0 });
    const [, , ...rest] = await json('keys', 'status');
    expect(rest.at(-1)).to.include({ id: rotated?.id, state: 'current', sealed: 2 });
    const { body: record } = await request('GET', `/api/v1/meta/${String(body.id)}`);
    expect(record.dekEnc).not.to.equal(wrapped.dekEnc);
    expect((await request('POST', '/api/v1/dek/unwrap', { dekEnc: record.dekEnc })).body).to.deep.equal({
      dek: 'f'.repeat(64),
    });
  });
});
