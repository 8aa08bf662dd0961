import { askOnce } from '../connection.ts';
import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { type Program, startProgram } from '../program.ts';
import { residentMegabytes } from '../resident.ts';
import { atMost, type Row } from '../verdict.ts';

const COUNT = 10_000;
/** 200 MB for all connections. */
const MOST_KILOBYTES = 20;
/** The number of client addresses, from 127.0.1.1 on. */
const ADDRESSES = 100;
/** The server is idle this long after its last answer. */
const SETTLED_MS = 3_000;

export interface IdleJob {
  readonly port: number;
  readonly path: string;
  readonly count: number;
  readonly addresses: number;
  readonly settled: number;
}

export interface IdleAnswer {
  /** The number of connections that are open at the end. */
  readonly open: number;
}

export interface ManyJob {
  readonly folder: string;
  readonly connections: number;
}

interface ServerAnswer {
  readonly port: number;
}

/** Kilobytes of resident memory for each connection, and the number of open connections. */
const kilobytesEach = async (pid: number, port: number, path: string) => {
  await askOnce(port, { method: 'GET', path });
  const before = residentMegabytes(pid);
  const job: IdleJob = { port, path, count: COUNT, addresses: ADDRESSES, settled: SETTLED_MS };
  const idle: Program<IdleAnswer> = await startProgram('idle-connections', job);
  const after = residentMegabytes(pid);
  await idle.end();
  return { each: ((after - before) * 1_024) / idle.answer.open, open: idle.answer.open, before, after };
};

/** The memory of idle keep-alive connections that were used once, against those of a bare Koa server. */
export const connections = ({ say }: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    say(`connections: ${COUNT} of a bare Koa server`);
    const koa: Program<ServerAnswer> = await startProgram('bare-koa', { bytes: 64 });
    const reference = await kilobytesEach(koa.pid, koa.answer.port, '/');
    await koa.end();
    say(`connections: ${COUNT} of the account service`);
    const job: ManyJob = { folder, connections: COUNT + 100 };
    const server: Program<ServerAnswer> = await startProgram('many-connections', job);
    const product = await kilobytesEach(server.pid, server.answer.port, '/health');
    await server.end();
    const describeResult = ({ open, before, after }: typeof product) =>
      `${open} open, ${before.toFixed(0)} to ${after.toFixed(0)} MB`;
    return [
      atMost(MOST_KILOBYTES, {
        row: `memory of an idle connection, ${COUNT} kept alive`,
        unit: 'KB',
        product: product.each,
        reference: reference.each,
        against: 'a bare Koa server',
        note: `${describeResult(product)}; of the reference ${describeResult(reference)}`,
      }),
    ];
  });
