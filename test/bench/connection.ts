import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Client, requestOf } from './request.ts';

export interface Reply {
  readonly status: number;
  readonly body: string;
}

export interface Connection {
  /** Sends a whole request, head and body; one at a time. */
  ask(request: string): Promise<Reply>;
  close(): void;
}

const LENGTH = /\r\ncontent-length: (\d+)/i;
const CLOSES = /\r\nconnection: close/i;

/**
 * A kept-alive connection that costs its process as little as it can: it reads answers with a `Content-Length`, which
 * is what the servers measured here send, and connects again when the server ends it.
 */
export const openConnection = (port: number): Connection => {
  let socket: Socket | undefined;
  let received = '';
  let settle = (_reply: Reply) => {};
  let fail = (_error: Error) => {};

  const take = (chunk: string) => {
    received += chunk;
    const headEnds = received.indexOf('\r\n\r\n');
    if (headEnds < 0) return;
    const head = received.slice(0, headEnds);
    const ends = headEnds + 4 + Number(LENGTH.exec(head)?.[1] ?? 0);
    if (received.length < ends) return;
    const body = received.slice(headEnds + 4, ends);
    received = received.slice(ends);
    if (CLOSES.test(head)) hangUp();
    settle({ status: Number(head.slice(9, 12)), body });
  };

  const hangUp = () => {
    socket?.removeAllListeners('close').destroy();
    socket = undefined;
  };

  const dial = async (): Promise<Socket> => {
    const dialled = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    await once(dialled, 'connect');
    dialled.on('data', take).on('error', () => {});
    dialled.once('close', () => {
      socket = undefined;
      received = '';
      fail(new Error('The server ended the connection before its answer.'));
    });
    return dialled;
  };

  return {
    ask: async (request) => {
      const line = socket ?? (await dial());
      socket = line;
      return new Promise((resolve, reject) => {
        [settle, fail] = [resolve, reject];
        line.write(request);
      });
    },
    close: hangUp,
  };
};

/** Asks over a connection of its own and gives the body. Throws unless it is answered 200. */
export const askOnce = async (port: number, client: Client): Promise<string> => {
  const connection = openConnection(port);
  const { status, body } = await connection.ask(requestOf(client));
  connection.close();
  if (status !== 200) throw new Error(`${client.method} ${client.path} was answered ${status}: ${body}`);
  return body;
};
