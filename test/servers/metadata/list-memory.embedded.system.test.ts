import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { seedFiles } from './seed.ts';

const MANY = 100_000;
const FILES = { few: 10_000, many: MANY };
const READERS = 8;
const MIB = 2 ** 20;

describe('The list of very many files', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  const residentOf = (pid: number): number =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

  it('takes no more memory than that of few, be the reader slow or gone', async function () {
    if (process.platform !== 'linux') this.skip();
    const server = await start('metadata', folder());
    for (const [user, count] of Object.entries(FILES)) await seedFiles(join(folder(), 'data'), user, count);
    const open = async (user: string): Promise<IncomingMessage> => {
      const sent = request(`${server.metadataUrl}/api/v1/meta?userId=${user}`, { agent: false });
      sent.on('error', () => undefined);
      sent.end();
      const [answer]: IncomingMessage[] = await once(sent, 'response');
      if (answer === undefined) throw new Error('No answer came.');
      return answer.on('error', () => undefined);
    };
    /** The list as a slow reader gets it, beside others that leave, and the most memory the server took meanwhile. */
    const readSlowly = async (user: string) => {
      const [slow, ...leaving] = await Promise.all(Array.from({ length: READERS }, () => open(user)));
      let [text, chunks, most] = ['', 0, 0];
      for await (const chunk of slow?.setEncoding('utf8') ?? []) {
        text += chunk;
        chunks += 1;
        if (chunks % 10 !== 0) continue;
        most = Math.max(most, residentOf(server.pid));
        await pause(5);
        if (chunks === 50) for (const one of leaving) one.destroy();
      }
      return { most, text };
    };

    // What it takes is taken by then.
    let few = 0;
    for (let time = 0; time < 3; time += 1) few = Math.max(few, (await readSlowly('few')).most);
    const { most, text } = await readSlowly('many');
    const { files } = JSON.parse(text);
    expect(files).to.have.length(MANY);
    expect(new Set(files.map(({ id }: { id: string }) => id)).size).to.equal(MANY);
    expect(text.length).to.be.greaterThan(15 * MIB);
    expect(most - few).to.be.below(25 * MIB);
  });
});
