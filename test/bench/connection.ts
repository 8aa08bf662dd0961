import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Client, requestOf } from './request.ts';

export interface Reply {
  readonly status: number;
  readonly body: string;
}

export interface Connection {
  /** Sends a complete request, head and body. The caller must await each reply before the next request. */
  ask(request: string): Promise<Reply>;
  close(): void;
}

const LENGTH = /\r\ncontent-length: (\d+)/i;
const CLOSES = /\r\nconnection: close/i;

/**
 * A keep-alive connection with minimal cost for its process: it reads only answers with a `Content-Length`, which the
 * measured servers send, and reconnects after the server has closed it.
 */
export const openConnection = (port: number): Connection => {
  let socket: Socket | undefined;
  let received = '';
  let settle = (_reply: Reply) => {};
  let fail = (_error: Error) => {};

  const receive = (chunk: string) => {
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
    const newSocket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    await once(newSocket, 'connect');
    newSocket.on('data', receive).on('error', () => {});
    newSocket.once('close', () => {
      socket = undefined;
      received = '';
      fail(new Error('The server ended the connection before its answer.'));
    });
    return newSocket;
  };

  return {
    ask: async (request) => {
      const openSocket = socket ?? (await dial());
      socket = openSocket;
      return new Promise((resolve, reject) => {
        [settle, fail] = [resolve, reject];
        openSocket.write(request);
      });
    },
    close: hangUp,
  };
};

/** Sends a request over a new connection and returns the body. Throws unless the status is 200. */
export const askOnce = async (port: number, client: Client): Promise<string> => {
  const connection = openConnection(port);
  const { status, body } = await connection.ask(requestOf(client));
  connection.close();
  if (status !== 200) throw new Error(`${client.method} ${client.path} was answered with ${status}: ${body}`);
  return body;
};
