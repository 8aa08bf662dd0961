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

describe('The list of 100,000 files', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  const residentOf = (pid: number): number =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

  it('needs little more memory than a list of 10,000 for slow and disconnected readers', async function () {
    if (process.platform !== 'linux') this.skip();
    const server = await start('metadata', folder());
    for (const [user, count] of Object.entries(FILES)) await seedFiles(join(folder(), 'data'), user, count);
    const open = async (user: string): Promise<IncomingMessage> => {
      const sent = request(`${server.metadataUrl}/api/v1/meta?userId=${user}`, { agent: false });
      sent.on('error', () => undefined);
      sent.end();
      const [answer]: IncomingMessage[] = await once(sent, 'response');
      if (answer === undefined) throw new Error('There was no response.');
      return answer.on('error', () => undefined);
    };
    /** Reads a list slowly beside readers that disconnect. Returns the text and the maximum memory of the server. */
    const readSlowly = async (user: string) => {
      const [slow, ...leaving] = await Promise.all(Array.from({ length: READERS }, () => open(user)));
      let [text, chunks, peak] = ['', 0, 0];
      for await (const chunk of slow?.setEncoding('utf8') ?? []) {
        text += chunk;
        chunks += 1;
        if (chunks % 10 !== 0) continue;
        peak = Math.max(peak, residentOf(server.pid));
        await pause(5);
        if (chunks === 50) for (const response of leaving) response.destroy();
      }
      return { peak, text };
    };

    // The short lists fill the buffers and caches first.
    let fewPeak = 0;
    for (let time = 0; time < 3; time += 1) fewPeak = Math.max(fewPeak, (await readSlowly('few')).peak);
    const { peak, text } = await readSlowly('many');
    const { files } = JSON.parse(text);
    expect(files).to.have.length(MANY);
    expect(new Set(files.map(({ id }: { id: string }) => id)).size).to.equal(MANY);
    expect(text.length).to.be.greaterThan(15 * MIB);
    expect(peak - fewPeak).to.be.below(25 * MIB);
  });
});
