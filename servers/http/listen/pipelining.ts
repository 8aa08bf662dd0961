import type { Socket } from 'node:net';
import { type ClientKey, makeFairTurns, noteConnection } from '../fair-turns.ts';
import { type ConnectionLimit, isInBody } from './connections.ts';
import { makePiecewiseParser } from './piecewise-parser.ts';

/** The most requests of one connection that are answered at a time. */
const MOST_UNANSWERED = 8;

/** From this number of answers in all, each connection has one at a time: an answer takes 10 KB. */
const MANY_IN_ALL = 512;

/** The most bytes of one client that wait behind its requests: sixteen times the bytes that one read of a socket brings. */
const MOST_HELD_BYTES = 1_048_576;

/** Requests that begin in one turn of the event loop: about ten milliseconds of work. */
const REQUESTS_IN_A_TURN = 64;

/** A body with no more bytes than this waits for no turn. */
const SMALL_BODY_BYTES = 2_048;

/** Bytes of a larger body in its turn: a few milliseconds of work if they are chunks of one byte each. */
const BODY_BYTES_IN_A_TURN = 16_384;

/** Larger bodies that continue in one turn of the event loop. */
const BODIES_IN_A_TURN = 4;

/**
 * Bounds the work that pipelined requests and large bodies cause in one turn of the event loop (decision 0057). Clients take
 * turns; trusted proxies need none. Connections must come paused (`pauseOnConnect`): they are resumed here.
 *
 * Requests: Node.js would begin all that one read of a socket brings: up to 2,000 small ones, which take 10 MB. Here its parser
 * gets one request of each connection in a turn; the rest goes back to the socket, which is not read until its next turn. A body
 * whose length is known goes to the parser in the pieces in which it came: an empty line in it ends no head.
 *
 * Large bodies: Node.js would read 2 MB of each connection in a turn. It resumes a connection whenever a body is consumed, so a
 * connection that waits is paused again.
 */
export const limitPipelining = ({ server, connections, onCrowded }: Omit<ConnectionLimit, 'most'>): void => {
  const { bySocket, answers: allAnswers } = connections;
  const requestTurns = makeFairTurns(REQUESTS_IN_A_TURN);
  /** Sockets that are paused here until a turn in which a request may begin. If bytes come earlier, the wait ends. */
  const awaitingRequestTurn = new WeakSet<Socket>();
  /** Sockets whose turn has come: a request may begin. */
  const inRequestTurn = new WeakSet<Socket>();
  const bodyTurns = makeFairTurns(BODIES_IN_A_TURN);
  /** Sockets that are paused here in the middle of a body, until a turn in which the body may continue. */
  const awaitingBodyTurn = new WeakSet<Socket>();
  /** Sockets whose turn has come: the body may continue. */
  const inBodyTurn = new WeakSet<Socket>();
  const heldBytesByClient = new Map<ClientKey, number>();
  /** Connections that are closed after the answers under way. Their further bytes are dropped. */
  const closing = new WeakSet<Socket>();
  server.on('dropRequest', (_req, socket: Socket) => closing.add(socket));
  server.on('clientError', (_error, socket) => closing.add(socket as Socket));

  server.on('connection', (socket: Socket) => {
    noteConnection();
    const connection = bySocket.get(socket);
    // The listener of Node.js, which passes the bytes to its parser. It and the connection are always there.
    const [parse] = socket.listeners('data');
    if (connection === undefined || parse === undefined) return void socket.resume();
    // A trusted proxy has no `client`: it carries the requests of many.
    const { answers, client } = connection;
    const turnKey = client ?? socket;

    const beginTurn = () => {
      // The wait has ended already: Node.js resumed the socket, and may have paused it again since. Node.js fails on bytes of a
      // socket that it has paused, so the socket is not resumed here.
      if (!awaitingRequestTurn.has(socket)) return;
      inRequestTurn.add(socket);
      // The turn ends with the event-loop turn, even if no bytes come in it.
      setImmediate(() => inRequestTurn.delete(socket));
      socket.resume();
    };
    const waitForTurn = () => requestTurns.wait(turnKey, beginTurn);
    const hasManyAnswers = () => answers.size >= (allAnswers.size < MANY_IN_ALL ? MOST_UNANSWERED : 1);

    let heldBytes = 0;
    /** Sets the bytes that are held for this connection. Returns the bytes that are held for its client. */
    const setHeldBytes = (bytes: number): number => {
      if (client === undefined) return 0;
      const clientBytes = (heldBytesByClient.get(client) ?? 0) + bytes - heldBytes;
      heldBytes = bytes;
      if (clientBytes === 0) heldBytesByClient.delete(client);
      else heldBytesByClient.set(client, clientBytes);
      return clientBytes;
    };
    socket.once('close', () => setHeldBytes(0));

    const giveBack = (bytes: Buffer) => {
      socket.pause();
      socket.unshift(bytes);
    };

    /** Counts bytes that wait behind a request. If the client has too many, closes the connection and returns true. */
    const closeIfTooMuch = ({ buffer }: Buffer): boolean => {
      // The memory of the whole read stays allocated, even if only few of its bytes wait.
      if (setHeldBytes(buffer.byteLength) <= MOST_HELD_BYTES) return false;
      // `close` is emitted in a later turn. Until then the bytes must not cost the client another connection.
      setHeldBytes(0);
      onCrowded(socket, MOST_HELD_BYTES);
      socket.destroy();
      return true;
    };

    /** Gives the bytes back until the connection's next turn in which it has few unanswered requests. */
    const holdRequest = (bytes: Buffer, isBehindRequest: boolean) => {
      if (isBehindRequest && closeIfTooMuch(bytes)) return;
      giveBack(bytes);
      awaitingRequestTurn.add(socket);
      if (hasManyAnswers()) connection.onAnswered = waitForTurn;
      else waitForTurn();
    };

    /** Gives the bytes back until the next turn of the connection's body. */
    const holdBody = (bytes: Buffer) => {
      giveBack(bytes);
      awaitingBodyTurn.add(socket);
      bodyTurns.wait(turnKey, () => {
        awaitingBodyTurn.delete(socket);
        inBodyTurn.add(socket);
        socket.resume();
      });
    };
    socket.on('resume', () => {
      if (awaitingBodyTurn.has(socket)) socket.pause();
    });

    /** Gives the rest of the chunk back: Node.js has paused the socket, since answers or bodies pile up, and resumes it itself. */
    const holdUntilResumed = (chunk: Buffer, at: number) => {
      // The rest of a body is not counted.
      if (!isInBody(connection) && closeIfTooMuch(chunk)) return;
      socket.unshift(chunk.subarray(at));
    };

    const parser = makePiecewiseParser(connection, (bytes) => parse.call(socket, bytes));
    const isClosing = () => socket.destroyed || !socket.writable || closing.has(socket);

    /** How many bytes of large bodies may still pass in this turn; undefined until the first of them ask for a turn. */
    let bodyRoom: number | undefined;
    const takeBodyRoom = (): number => {
      bodyRoom ??= bodyTurns.take() ? BODY_BYTES_IN_A_TURN : 0;
      return bodyRoom;
    };

    socket.removeAllListeners('data');
    // With a listener other than its own, Node.js emits the bytes that it reads; otherwise it would parse them natively.
    socket.on('data', (chunk: Buffer) => {
      awaitingRequestTurn.delete(socket);
      if (heldBytes > 0) setHeldBytes(0);
      // A turn that has come is used up here, whether or not a request begins in it.
      const hasTurn = inRequestTurn.delete(socket) || client === undefined || requestTurns.take();
      bodyRoom = inBodyTurn.delete(socket) ? BODY_BYTES_IN_A_TURN : undefined;
      const requestBeforeChunk = connection.latestRequest;
      for (let at = 0; at < chunk.length; ) {
        if (isClosing()) return;
        // The body of a request that has begun need not wait for a turn of requests.
        const isPartOfBody = isInBody(connection);
        const hasBegunRequest = connection.latestRequest !== requestBeforeChunk;
        if (!isPartOfBody && (hasBegunRequest || !hasTurn || hasManyAnswers()))
          // Only bytes behind a request count: a first request may wait for its turn, on however many connections.
          return holdRequest(chunk.subarray(at), answers.size > 0 || hasBegunRequest);
        const isLargeBody =
          isPartOfBody && client !== undefined && parser.countInBody(chunk, at) > SMALL_BODY_BYTES;
        const room = isLargeBody ? takeBodyRoom() : Number.POSITIVE_INFINITY;
        if (room === 0) return holdBody(chunk.subarray(at));
        const end = Math.min(parser.findEnd(chunk, at, answers.size >= MOST_UNANSWERED), at + room);
        parser.parse(at === 0 && end === chunk.length ? chunk : chunk.subarray(at, end));
        if (isLargeBody) bodyRoom = room - (end - at);
        at = end;
        if (at < chunk.length && socket.isPaused()) return holdUntilResumed(chunk, at);
      }
    });

    // The connection came paused. While other clients wait, it is not even read before its turn.
    if (client !== undefined && requestTurns.hasWaiting()) {
      awaitingRequestTurn.add(socket);
      waitForTurn();
    } else socket.resume();
  });
};
