import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { makeFileObjects } from '../../../adapters/files/object-store.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const FULL_DISK = fileURLToPath(new URL('./full-disk.child.js', import.meta.url));

objectStoreContract('A folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-objects-'));
  return {
    store: makeFileObjects({ folder: join(folder, 'objects'), log: makeRecordingLog() }),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

describe('A folder of objects', () => {
  const folder = useTempFolder();
  const content = Buffer.from('content');
  const open = () => {
    const log = makeRecordingLog();
    return { log, store: makeFileObjects({ folder: join(folder(), 'objects'), log }) };
  };
  const modeOf = (...path: string[]) => statSync(join(folder(), 'objects', ...path)).mode & 0o777;

  it('is accessible only to its system user', async () => {
    await open().store.put('user/name.png', content);
    expect([modeOf(), modeOf('user'), modeOf('user', 'name.png')]).to.deep.equal([0o700, 0o700, 0o600]);
  });

  it('contains only the stored objects', async () => {
    const { store } = open();
    await store.put('user/name.png', content);
    await store.put('user/name.png', content);
    expect(readdirSync(join(folder(), 'objects'), { recursive: true })).to.have.members([
      'user',
      join('user', 'name.png'),
    ]);
  });

  it('lists and removes the draft of a process that died, and does not return it', async () => {
    const { store } = open();
    await store.put('user/name.png', content);
    const draft = 'user/other.png.0123456789ab.tmp';
    writeFileSync(join(folder(), 'objects', draft), 'half of a picture');
    const paths: string[] = [];
    for await (const { path } of store.list()) paths.push(path);
    expect(paths).to.have.members(['user/name.png', draft]);
    expect(await rejectionOf(() => store.find(draft))).to.be.instanceOf(TypeError);
    await store.remove(draft);
    expect(readdirSync(join(folder(), 'objects', 'user'))).to.deep.equal(['name.png']);
  });

  it('does not list foreign files', async () => {
    const { store } = open();
    mkdirSync(join(folder(), 'objects', 'user', 'deeper'), { recursive: true });
    writeFileSync(join(folder(), 'objects', 'README'), '');
    writeFileSync(join(folder(), 'objects', 'user', 'NOTES'), '');
    const paths: string[] = [];
    for await (const { path } of store.list()) paths.push(path);
    expect(paths).to.deep.equal([]);
  });

  it('is unavailable while the file system fails, logs the reason and recovers', async () => {
    const { log, store } = open();
    await store.put('other/name.png', content);
    const obstacle = join(folder(), 'objects', 'user');
    writeFileSync(obstacle, '');
    for (const call of [() => store.put('user/name.png', content), () => store.find('user/name.png')]) {
      const error = await rejectionOf(call);
      expect(error).to.include({ kind: 'unavailable', code: 'store_unavailable' });
      expect(String(error)).not.to.include(folder());
    }
    expect(log.lines.map(({ event, fields }) => [event, fields.reason])).to.deep.equal([
      ['objects.failed', 'EEXIST'],
      ['objects.failed', 'ENOTDIR'],
    ]);
    rmSync(obstacle);
    expect(await store.put('user/name.png', content)).to.equal(true);
  });

  it('is unavailable for a listing if the file system fails', async () => {
    const { log, store } = open();
    rmSync(join(folder(), 'objects'), { recursive: true, force: true });
    writeFileSync(join(folder(), 'objects'), '');
    const list = async () => {
      for await (const _ of store.list());
    };
    expect(await rejectionOf(list)).to.include({ kind: 'unavailable', code: 'store_unavailable' });
    expect(log.lines.map(({ event, fields }) => [event, fields.reason])).to.deep.equal([
      ['objects.failed', 'ENOTDIR'],
    ]);
  });

  it('stores no partial object on a full disk, and still stores smaller ones', async () => {
    const start = 'ulimit -f 1024; exec "$@"';
    const child = spawn('sh', ['-c', start, 'sh', process.execPath, FULL_DISK, join(folder(), 'objects')], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [message] = await once(child, 'message');
    await once(child, 'close');
    expect(message).to.deep.equal({
      results: [true, 'store_unavailable', true],
      log: [['objects.failed', 'EFBIG']],
    });
    expect(readdirSync(join(folder(), 'objects', 'user'))).to.have.members(['one.png', 'three.png']);
  });
});
