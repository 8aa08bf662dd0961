/** A program: opens many connections from many addresses, asks once over each, and keeps them open until it is ended. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { unawaited } from '../../support/unawaited.ts';
import type { IdleAnswer, IdleJob } from '../rows/connections.ts';

/** Opened at once. */
const AT_ONCE = 50;

process.once(
  'message',
  unawaited(async ({ port, path, count, addresses, settled }: IdleJob) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    const open = new Set<Socket>();
    const openOne = async (place: number): Promise<void> => {
      const localAddress = `127.0.1.${1 + (place % addresses)}`;
      const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
      await once(socket, 'connect');
      open.add(socket);
      socket.on('error', () => undefined).once('close', () => open.delete(socket));
      socket.write(request);
      await once(socket, 'data');
    };
    for (let from = 0; from < count; from += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, place) => openOne(from + place)),
      );
    await pause(settled);
    process.send?.({ open: open.size } satisfies IdleAnswer);
  }),
);
