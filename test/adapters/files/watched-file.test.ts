import { EventEmitter, once } from 'node:events';
import { appendFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type WatchedFile, WrongFile, watchFile } from '../../../adapters/files/watched-file.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** Accepts texts that end in a full stop. */
const parse = (text: string) => {
  if (!text.endsWith('.')) throw new WrongFile('has no end');
  return text;
};

describe('A watched file', () => {
  const folder = useTempFolder();
  const log = makeRecordingLog();
  const events = () => log.lines.map((line) => line.event);
  let watched: WatchedFile<string> | undefined;
  const file = () => join(folder(), 'file');
  const watch = async () => {
    watched = await watchFile({ path: file(), name: 'file', log, parse });
    return watched;
  };
  beforeEach(() => writeFile(file(), 'one.'));
  afterEach(() => {
    watched?.close();
    watched = undefined;
    log.lines.length = 0;
  });

  it('returns a new value after a write without a refresh', async () => {
    const { current } = await watch();
    expect(current()).to.equal('one.');
    await writeFile(file(), 'two.');
    await until(() => current() === 'two.');
  });

  it('returns its current content after a refresh', async () => {
    const { current, refresh } = await watch();
    for (let round = 0; round < 50; round += 1) {
      // The same size within the same tick of the file system's clock.
      await writeFile(file(), `${100 + round}.`);
      await refresh();
      expect(current()).to.equal(`${100 + round}.`);
    }
  });

  it('returns the content written before a refresh while another refresh is running', async () => {
    const reading = new EventEmitter();
    watched = await watchFile({
      path: file(),
      name: 'file',
      log,
      parse: async (text) => {
        if (text === 'two.') {
          reading.emit('two');
          await once(reading, 'go on');
        }
        return text;
      },
    });
    // A periodic check may read the file before the write has ended.
    const started = once(reading, 'two');
    await writeFile(file(), 'two.');
    const early = watched.refresh();
    await started;
    await writeFile(file(), 'three.');
    const late = watched.refresh();
    reading.emit('go on');
    await late;
    expect(watched.current()).to.equal('three.');
    await early;
  });

  it('is followed if another file replaces it', async () => {
    const { current, refresh } = await watch();
    await writeFile(`${file()}.new`, 'two.');
    await rename(`${file()}.new`, file());
    await refresh();
    expect(current()).to.equal('two.');
  });

  it('is followed through a replaced symbolic link, as with mounted secrets', async () => {
    await rename(file(), `${file()}.1`);
    await writeFile(`${file()}.2`, 'two.');
    await symlink(`${file()}.1`, file());
    const { current, refresh } = await watch();
    await symlink(`${file()}.2`, `${file()}.link`);
    await rename(`${file()}.link`, file());
    await refresh();
    expect(current()).to.equal('two.');
  });

  it('keeps its last valid value while half written, and logs that once', async () => {
    const { current, refresh } = await watch();
    await writeFile(file(), 'tw');
    await refresh();
    await refresh();
    expect(current()).to.equal('one.');
    expect(log.lines).to.deep.equal([
      { level: 'error', event: 'key_file.refused', fields: { id: 'file', reason: 'has no end' } },
    ]);
    await appendFile(file(), 'o.');
    await refresh();
    expect(current()).to.equal('two.');
    expect(events()).to.deep.equal(['key_file.refused', 'key_file.read']);
  });

  it('keeps its last valid value while missing, and logs each absence once', async () => {
    const { current, refresh } = await watch();
    for (let round = 1; round <= 2; round += 1) {
      await rm(file());
      await refresh();
      await refresh();
      expect(current()).to.equal('one.');
      expect(events()).to.have.length(round);
      expect(log.lines.at(-1)?.fields.reason).to.equal('cannot be read (ENOENT)');
      // A rename avoids an empty file, which would be another fault.
      await writeFile(`${file()}.new`, 'one.');
      await rename(`${file()}.new`, file());
      await refresh();
    }
  });

  it('is not followed after close', async () => {
    const closed = await watch();
    closed.close();
    // The second watcher checks as often as the closed one would.
    const { current } = await watch();
    for (const text of ['two.', 'three.']) {
      await writeFile(file(), text);
      await until(() => current() === text);
    }
    expect(closed.current()).to.equal('one.');
  });

  it('cannot be opened if missing or invalid', async () => {
    await writeFile(file(), 'half');
    expect(await watch().catch((error: unknown) => error)).to.be.instanceOf(WrongFile);
    await rm(file());
    expect(await watch().catch((error: unknown) => error)).to.be.instanceOf(WrongFile);
  });
});
