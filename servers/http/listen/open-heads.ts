import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../input/read-body.ts';
import type { ConnectionLimit } from './connections.ts';

/** Holds at most `most` waiting connections of each client, and closes the one that has waited longest beyond that. */
const makeWaiting = ({ most, onCrowded }: ConnectionLimit) => {
  const byClient = new Map<string, Set<Socket>>();
  const remove = (client: string, socket: Socket) => {
    const sockets = byClient.get(client);
    if (sockets?.delete(socket) && sockets.size === 0) byClient.delete(client);
  };
  const add = (client: string, socket: Socket) => {
    const sockets = byClient.get(client) ?? new Set();
    byClient.set(client, sockets);
    sockets.add(socket);
    // A set is in the order of insertion.
    const [oldest] = sockets;
    if (sockets.size <= most || oldest === undefined) return;
    remove(client, oldest);
    onCrowded(oldest, most);
    oldest.destroy();
  };
  return { add, remove };
};

/**
 * Prevents one client from holding all connections with unfinished requests. Beyond `most` that wait for a request head, or
 * `most` that wait for the rest of a body, the connection that has waited longest is closed, so that a request that arrives
 * complete is served even from an attacker's address. An idle connection between two requests counts as waiting for a head.
 * Trusted proxies are not limited. See decision 0057.
 */
export const limitOpenHeads = (limit: ConnectionLimit): void => {
  const { server, connections } = limit;
  const heads = makeWaiting(limit);
  const bodies = makeWaiting(limit);
  /** The last request with a body of each connection. */
  const lastWithBody = new WeakMap<Socket, IncomingMessage>();

  server.on('connection', (socket: Socket) => {
    const client = connections.bySocket.get(socket)?.client;
    // A trusted proxy has no `client`.
    if (client === undefined) return;
    socket.once('close', () => {
      heads.remove(client, socket);
      bodies.remove(client, socket);
    });
    heads.add(client, socket);
  });

  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const { socket } = req;
    const { client, answers } = connections.bySocket.get(socket) ?? {};
    if (client === undefined) return;
    heads.remove(client, socket);
    if (hasBody(req)) {
      // A pipelined request may arrive before `close` of this one. The entry in `bodies` is then that of the later request.
      const stopWaiting = () => {
        if (lastWithBody.get(socket) === req) bodies.remove(client, socket);
      };
      req.once('end', stopWaiting).once('close', stopWaiting);
      lastWithBody.set(socket, req);
      bodies.add(client, socket);
    }
    res.once('close', () => {
      // Without further answers the connection is idle. `connections` has removed this one from `answers`.
      if (answers?.size === 0 && !socket.destroyed) heads.add(client, socket);
    });
  });
};
