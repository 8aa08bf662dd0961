/** A program: opens many connections from many addresses, sends a request over each, and keeps them open until it is ended. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { unawaited } from '../../support/unawaited.ts';
import type { IdleAnswer, IdleJob } from '../rows/connections.ts';

const BATCH = 50;

process.once(
  'message',
  unawaited(async ({ port, path, count, addresses, settled }: IdleJob) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    const open = new Set<Socket>();
    const openOne = async (index: number): Promise<void> => {
      const localAddress = `127.0.1.${1 + (index % addresses)}`;
      const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
      await once(socket, 'connect');
      open.add(socket);
      socket.on('error', () => undefined).once('close', () => open.delete(socket));
      socket.write(request);
      await once(socket, 'data');
    };
    for (let from = 0; from < count; from += BATCH)
      await Promise.all(
        Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => openOne(from + index)),
      );
    await pause(settled);
    process.send?.({ open: open.size } satisfies IdleAnswer);
  }),
);
