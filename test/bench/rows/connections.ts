import { askOnce } from '../connection.ts';
import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { type Program, startProgram } from '../program.ts';
import { residentMegabytes } from '../resident.ts';
import { atMost, type Row } from '../verdict.ts';

const COUNT = 10_000;
/** Kilobytes: 200 MB for all of them. */
const MOST = 20;
/** From so many client addresses, 127.0.1.1 onwards. */
const ADDRESSES = 100;
/** Milliseconds in which a server that has answered all of them comes to rest. */
const SETTLED = 3_000;

export interface IdleJob {
  readonly port: number;
  readonly path: string;
  readonly count: number;
  readonly addresses: number;
  readonly settled: number;
}

export interface IdleAnswer {
  /** Connections that are still open at the end. */
  readonly open: number;
}

export interface ManyJob {
  readonly folder: string;
  readonly connections: number;
}

interface Served {
  readonly port: number;
}

/** Kilobytes of resident memory for each of the connections, and how many of them are still open. */
const kilobytesEach = async (pid: number, port: number, path: string) => {
  await askOnce(port, { method: 'GET', path });
  const before = residentMegabytes(pid);
  const job: IdleJob = { port, path, count: COUNT, addresses: ADDRESSES, settled: SETTLED };
  const idle: Program<IdleAnswer> = await startProgram('idle-connections', job);
  const after = residentMegabytes(pid);
  await idle.end();
  return { each: ((after - before) * 1_024) / idle.answer.open, open: idle.answer.open, before, after };
};

/** What connections cost that were used once and are kept alive, beside those of a bare Koa server. */
export const connections = ({ say }: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    say(`connections: ${COUNT} of a bare Koa server`);
    const koa: Program<Served> = await startProgram('bare-koa', { bytes: 64 });
    const reference = await kilobytesEach(koa.pid, koa.answer.port, '/');
    await koa.end();
    say(`connections: ${COUNT} of the account service`);
    const job: ManyJob = { folder, connections: COUNT + 100 };
    const server: Program<Served> = await startProgram('many-connections', job);
    const product = await kilobytesEach(server.pid, server.answer.port, '/health');
    await server.end();
    const told = ({ open, before, after }: typeof product) =>
      `${open} open, ${before.toFixed(0)} to ${after.toFixed(0)} MB`;
    return [
      atMost(MOST, {
        row: `memory of an idle connection, ${COUNT} kept alive`,
        unit: 'KB',
        product: product.each,
        reference: reference.each,
        against: 'a bare Koa server',
        note: `${told(product)}; of the reference ${told(reference)}`,
      }),
    ];
  });
