import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openDatabase } from '../../../../adapters/sqlite/database.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';

const PROGRAM = fileURLToPath(new URL('./database-child.js', import.meta.url));
const isTraceable = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

(isTraceable ? describe : describe.skip)(
  'The SQLite database on a disk that fails to sync (needs strace)',
  () => {
    const folder = useTempFolder();

    /** Runs the child while the `fsync` calls of each thread fail that `when` names, and returns its messages. */
    const runFailing = async (when: string) => {
      const inject = [
        '-f',
        '-o',
        '/dev/null',
        '-e',
        'trace=fsync',
        '-e',
        `inject=fsync:error=EIO:when=${when}`,
      ];
      const child = spawn('strace', [...inject, process.execPath, PROGRAM, folder(), 'sync'], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const messages: unknown[] = [];
      child.on('message', (message) => messages.push(message));
      await once(child, 'close');
      return messages;
    };

    it('acknowledges only writes that reached the disk', async () => {
      await openDatabase({ folder: folder() }).close();
      const messages = await runFailing('10+');
      const written = messages.filter((message) => message !== 'unavailable');
      expect(messages).to.have.length(20);
      expect(written.length).to.be.within(1, 19);
      const reopened = openDatabase({ folder: folder() });
      const rows = await reopened.read.all('SELECT key FROM tries ORDER BY CAST(key AS INTEGER)', []);
      await reopened.close();
      expect(rows.map(({ key }) => key)).to.deep.equal(written);
    });

    it('refuses to open a new store if an early sync fails', async () => {
      for (const when of ['1', '3', '4']) expect(await runFailing(when)).to.deep.equal(['unusable']);
    });
  },
);
