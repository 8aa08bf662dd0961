import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../input/read-body.ts';

export interface OpenHeadsParts {
  readonly server: Server;
  /** The most connections of one client that wait for a request head, and the most that wait for the rest of a body. */
  readonly most: number;
  /** The client's key; undefined for connections that are not counted. */
  readonly keyOf: (address: string | undefined) => string | undefined;
  /** Called with each connection that is closed, before it ends. */
  readonly onCrowded: (socket: Socket) => void;
}

/** Connections by client, the longest waiting first. */
const makeWaiting = ({ most, onCrowded }: Pick<OpenHeadsParts, 'most' | 'onCrowded'>) => {
  const byKey = new Map<string, Set<Socket>>();
  const remove = (key: string, socket: Socket) => {
    const sockets = byKey.get(key);
    if (sockets?.delete(socket) && sockets.size === 0) byKey.delete(key);
  };
  const add = (key: string, socket: Socket) => {
    const sockets = byKey.get(key) ?? new Set();
    byKey.set(key, sockets.add(socket));
    const [oldest] = sockets;
    if (sockets.size <= most || oldest === undefined) return;
    remove(key, oldest);
    onCrowded(oldest);
    oldest.destroy();
  };
  return { add, remove };
};

/**
 * Prevents one client from holding all connections with unfinished requests. Beyond `most`, the connection that has
 * waited longest is closed, so that a request that arrives complete is served even from an attacker's address. An idle
 * connection between two requests counts as waiting for a head. See decision 0057.
 */
export const limitOpenHeads = (parts: OpenHeadsParts): void => {
  const { server, keyOf } = parts;
  const heads = makeWaiting(parts);
  const bodies = makeWaiting(parts);
  const counted = new WeakMap<Socket, { readonly key: string; answers: number; body?: IncomingMessage }>();

  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket.remoteAddress);
    if (key === undefined) return;
    counted.set(socket, { key, answers: 0 });
    socket.once('close', () => {
      heads.remove(key, socket);
      bodies.remove(key, socket);
    });
    heads.add(key, socket);
  });

  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const { socket } = req;
    const state = counted.get(socket);
    if (state === undefined) return;
    const { key } = state;
    state.answers += 1;
    heads.remove(key, socket);
    if (hasBody(req)) {
      // A pipelined request may arrive before the one in front of it closes.
      const taken = () => {
        if (state.body === req) bodies.remove(key, socket);
      };
      req.once('end', taken).once('close', taken);
      state.body = req;
      bodies.add(key, socket);
    }
    res.once('close', () => {
      state.answers -= 1;
      if (state.answers === 0 && !socket.destroyed) heads.add(key, socket);
    });
  });
};
