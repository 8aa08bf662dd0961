import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to a server that can go silent, slow or away. */
export interface TcpProxy {
  readonly port: number;
  /** From now on nothing arrives, in either direction, not even that an end is gone; connections are still taken. */
  hold(): void;
  /** What was sent meanwhile arrives now. */
  release(): void;
  /** Breaks every connection there is. */
  cut(): void;
  /** Each piece arrives so many milliseconds later, in either direction. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

/** What one connection lets through, as it is or otherwise; undefined breaks it. */
export interface Passage {
  there(data: Buffer): Buffer | undefined;
  back(data: Buffer): Buffer | undefined;
}

const open = (): Passage => ({ there: (data) => data, back: (data) => data });

export const startTcpProxy = async (target: number, makePassage = open): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  let holding = false;
  let late = 0;
  const waiting: (() => void)[] = [];

  const pass = (go: () => void) => {
    if (holding) waiting.push(go);
    else if (late > 0) setTimeout(go, late);
    else go();
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
    // What came before the end arrives before it.
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
      holding = true;
    },
    release: () => {
      holding = false;
      for (const go of waiting.splice(0)) go();
    },
    cut,
    delay: (milliseconds) => {
      late = milliseconds;
    },
    close: async () => {
      server.close();
      cut();
      if (server.listening) await once(server, 'close');
    },
  };
};
