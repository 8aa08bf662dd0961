import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to a server that can go silent. */
export interface TcpProxy {
  readonly port: number;
  /** From now on nothing arrives, in either direction; connections are still taken. */
  hold(): void;
  /** What was sent meanwhile arrives now. */
  release(): void;
  close(): Promise<void>;
}

export const startTcpProxy = async (target: number): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  let holding = false;
  const waiting: (() => void)[] = [];

  const pass = (go: () => void) => {
    if (holding) waiting.push(go);
    else go();
  };
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (data) => pass(() => to.write(data)));
    // What came before the end arrives before it.
    from.on('close', () => {
      sockets.delete(from);
      pass(() => to.end());
    });
    from.on('error', () => undefined);
  };

  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    forward(near, far);
    forward(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    hold: () => {
      holding = true;
    },
    release: () => {
      holding = false;
      for (const go of waiting.splice(0)) go();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
};
