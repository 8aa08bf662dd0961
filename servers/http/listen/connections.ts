import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An open connection. */
export interface Connection {
  readonly socket: Socket;
  /** The client's key; undefined for trusted proxies, which carry requests of many clients. */
  readonly client: string | undefined;
  /** The answers that are not complete yet, in the order of their requests. */
  readonly answers: Set<ServerResponse>;
  /** The request whose head came last. */
  latestRequest?: IncomingMessage;
  /** Whether the parser has got a part of a further request's head. */
  isInHead?: boolean;
  /** Called once, when the next answer is complete. */
  onAnswered?: (() => void) | undefined;
}

export interface Connections {
  /** All connections, the oldest first. */
  readonly bySocket: ReadonlyMap<Socket, Connection>;
  /** The connections of each client, the oldest first. Trusted proxies are left out. */
  readonly byClient: ReadonlyMap<string, ReadonlySet<Connection>>;
  /** The answers of all connections that are not complete yet. */
  readonly answers: ReadonlySet<ServerResponse>;
}

/** A limit for the connections of a server. */
export interface ConnectionLimit {
  readonly server: Server;
  readonly connections: Connections;
  readonly most: number;
  /** Called before a connection is closed for the sake of others, with the limit that was exceeded. */
  readonly onCrowded: (socket: Socket, limit: number) => void;
}

/**
 * Returns an empty set, which the caller fills with the connection's answers that are not complete yet. When the connection
 * closes, all of them emit `close`: Node.js emits it only on the first, not on those that wait behind it, without a socket.
 */
export const trackAnswers = (socket: Socket): Set<ServerResponse> => {
  const answers = new Set<ServerResponse>();
  socket.once('close', () => {
    for (const res of answers) if (res.socket === null) res.emit('close');
  });
  return answers;
};

/**
 * Ends the connection after the answer. HTTP/2 has no `Connection` header (RFC 9113 section 8.2.2): Node.js would drop it and print
 * a warning.
 */
export const closeAfterAnswer = (res: ServerResponse): void => {
  if (res.req.httpVersionMajor === 1) res.setHeader('Connection', 'close');
};

/** Tracks the connections of a server and their answers. */
export const trackConnections = (
  server: Server,
  clientOf: (address: string | undefined) => string | undefined,
): Connections => {
  const bySocket = new Map<Socket, Connection>();
  const byClient = new Map<string, Set<Connection>>();
  const allAnswers = new Set<ServerResponse>();

  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket.remoteAddress);
    const connection: Connection = { socket, client, answers: trackAnswers(socket) };
    bySocket.set(socket, connection);
    socket.once('close', () => bySocket.delete(socket));
    if (client === undefined) return;
    const ofClient = byClient.get(client) ?? new Set();
    byClient.set(client, ofClient.add(connection));
    socket.once('close', () => {
      ofClient.delete(connection);
      if (ofClient.size === 0) byClient.delete(client);
    });
  });

  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const connection = bySocket.get(req.socket);
    allAnswers.add(res);
    connection?.answers.add(res);
    if (connection !== undefined) connection.latestRequest = req;
    res.once('close', () => {
      allAnswers.delete(res);
      if (connection === undefined) return;
      connection.answers.delete(res);
      const { onAnswered } = connection;
      connection.onAnswered = undefined;
      onAnswered?.();
    });
  });

  return { bySocket, byClient, answers: allAnswers };
};

/** Whether at least one request was answered, all that came were, and no part of a further one has come. */
export const isIdle = ({ socket, answers, latestRequest, isInHead }: Connection): boolean =>
  latestRequest?.complete === true && answers.size === 0 && !isInHead && socket.readableLength === 0;

/** Whether the client has yet to read bytes of an answer. */
export const isUnread = ({ socket, answers }: Connection): boolean =>
  answers.size > 0 && socket.writableLength > 0;
