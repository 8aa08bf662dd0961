import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../input/read-body.ts';
import type { ConnectionLimit } from './connections.ts';

/** Lists the waiting connections of each client. Beyond `most`, closes the client's connection that has waited longest. */
const makeWaitingList = ({ most, onCrowded }: ConnectionLimit) => {
  const byClient = new Map<string, Set<Socket>>();
  const remove = (client: string, socket: Socket) => {
    const sockets = byClient.get(client);
    if (sockets?.delete(socket) && sockets.size === 0) byClient.delete(client);
  };
  const add = (client: string, socket: Socket) => {
    const sockets = byClient.get(client) ?? new Set();
    byClient.set(client, sockets);
    sockets.add(socket);
    // A set keeps the order of insertion.
    const [oldest] = sockets;
    if (sockets.size <= most || oldest === undefined) return;
    remove(client, oldest);
    onCrowded(oldest, most);
    oldest.destroy();
  };
  return { add, remove };
};

/**
 * Prevents one client from taking all connections with unfinished requests. A client may have `most` connections that wait for a
 * request head, and `most` that wait for the rest of a body; beyond that, the one that has waited longest is closed. So a request
 * that arrives complete is served even from an attacker's address. A connection that is idle between two requests counts as
 * waiting for a head. Trusted proxies are not limited. See decision 0057.
 */
export const limitOpenHeads = (limit: ConnectionLimit): void => {
  const { server, connections } = limit;
  const heads = makeWaitingList(limit);
  const bodies = makeWaitingList(limit);
  /** The latest request with a body of each connection. */
  const latestWithBody = new WeakMap<Socket, IncomingMessage>();

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
      // The next request may arrive before this one emits `close`. The entry in `bodies` is then that of the next request.
      const stopWaiting = () => {
        if (latestWithBody.get(socket) === req) bodies.remove(client, socket);
      };
      req.once('end', stopWaiting).once('close', stopWaiting);
      latestWithBody.set(socket, req);
      bodies.add(client, socket);
    }
    res.once('close', () => {
      // This answer has been removed from `answers`. If no other remains, the connection is idle.
      if (answers?.size === 0 && !socket.destroyed) heads.add(client, socket);
    });
  });
};
