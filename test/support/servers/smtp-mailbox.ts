import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface SmtpMailbox {
  readonly url: string;
  /** The received mails, with the recipients of their envelopes. */
  readonly mails: readonly { readonly raw: string; readonly recipients: readonly string[] }[];
  /** The number of all connections, and of open connections. */
  readonly connections: { made: number; open: number };
  close(): Promise<void>;
}

/** An error with which a handler replies with this code. */
export const reply = (responseCode: number): Error =>
  Object.assign(new Error('private words of the provider'), { responseCode });

/** An SMTP server that stores the mails it receives; without TLS and authentication unless the options say otherwise. */
export const openSmtpMailbox = async (options: SMTPServerOptions = {}): Promise<SmtpMailbox> => {
  const mails: { raw: string; recipients: readonly string[] }[] = [];
  const connections = { made: 0, open: 0 };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections.made += 1;
      connections.open += 1;
      done();
    },
    onClose() {
      connections.open -= 1;
    },
    async onData(stream, { envelope }, done) {
      mails.push({ raw: await text(stream), recipients: envelope.rcptTo.map(({ address }) => address) });
      done();
    },
    ...options,
  });
  // Tests break connections on purpose.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

/** A TCP server that passes each connection to `answer`. */
export const openRawServer = async (
  answer: (socket: Socket) => void,
): Promise<{ readonly port: number; close(): Promise<void> }> => {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    answer(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
