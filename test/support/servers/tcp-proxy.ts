import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy of a server that can block, delay or break connections. */
export interface TcpProxy {
  readonly port: number;
  /** Blocks all data in both directions, also the end of connections; new connections are still accepted. */
  hold(): void;
  /** Unblocks, and delivers the blocked data. */
  release(): void;
  /** Breaks all connections. */
  cut(): void;
  /** Delays every chunk in both directions. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

/** Forwards the data of a connection, unchanged or changed; undefined breaks the connection. */
export interface DataFilter {
  there(data: Buffer): Buffer | undefined;
  back(data: Buffer): Buffer | undefined;
}

const unchanged = (): DataFilter => ({ there: (data) => data, back: (data) => data });

export const startTcpProxy = async (target: number, makePassage = unchanged): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  let isBlocked = false;
  let delayMs = 0;
  const waiting: (() => void)[] = [];

  const pass = (deliver: () => void) => {
    if (isBlocked) waiting.push(deliver);
    else if (delayMs > 0) setTimeout(deliver, delayMs);
    else deliver();
  };
  const forward = (from: Socket, to: Socket, through: (data: Buffer) => Buffer | undefined) => {
    sockets.add(from);
    from.on('data', (data) => {
      const passed = through(data);
      if (passed === undefined) {
        from.destroy();
        to.destroy();
      } else if (passed.length > 0) pass(() => to.write(passed));
    });
    // Data before the end is delivered before the end.
    from.on('close', () => {
      sockets.delete(from);
      pass(() => to.end());
    });
    from.on('error', () => undefined);
  };

  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const passage = makePassage();
    forward(near, far, passage.there);
    forward(far, near, passage.back);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    hold: () => {
      isBlocked = true;
    },
    release: () => {
      isBlocked = false;
      for (const deliver of waiting.splice(0)) deliver();
    },
    cut,
    delay: (milliseconds) => {
      delayMs = milliseconds;
    },
    close: async () => {
      server.close();
      cut();
      if (server.listening) await once(server, 'close');
    },
  };
};
