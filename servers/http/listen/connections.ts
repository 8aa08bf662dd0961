import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An open connection. */
export interface Connection {
  readonly socket: Socket;
  /** The client's key for limits; undefined for trusted proxies, which carry requests of many clients. */
  readonly client: string | undefined;
  /** The answers that are not complete yet, in the order of their requests. */
  readonly answers: Set<ServerResponse>;
  /** The request whose head came last. */
  latestRequest?: IncomingMessage;
  /** Whether the parser has got a part of the next request's head. */
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
 * Returns an empty set for the connection's unfinished answers, which the caller adds. When the connection closes, all answers in
 * the set emit `close`: Node.js emits it on the first alone, since those behind it have no socket yet.
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
    const clientConnections = byClient.get(client) ?? new Set();
    byClient.set(client, clientConnections.add(connection));
    socket.once('close', () => {
      clientConnections.delete(connection);
      if (clientConnections.size === 0) byClient.delete(client);
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

/** Whether a part of the latest request's body has yet to come. */
export const isInBody = ({ latestRequest }: Connection): boolean => latestRequest?.complete === false;

/** Whether the connection has had a request, all its requests are answered, and no part of another has come. */
export const isIdle = ({ socket, answers, latestRequest, isInHead }: Connection): boolean =>
  latestRequest?.complete === true && answers.size === 0 && !isInHead && socket.readableLength === 0;

/** Whether the client has yet to read bytes of an answer. */
export const isUnread = ({ socket, answers }: Connection): boolean =>
  answers.size > 0 && socket.writableLength > 0;
