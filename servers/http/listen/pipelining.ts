import type { Socket } from 'node:net';
import { type ClientKey, makeFairTurns, noteConnection } from '../fair-turns.ts';
import type { ConnectionLimit } from './connections.ts';

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

const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** The first bytes of `END_OF_HEAD`, by their number. */
const BEGINNINGS_OF_END = ['', '\r', '\r\n', '\r\n\r'];

/** Fewer bytes than any head has, so that no two heads end within them. */
const LESS_THAN_A_HEAD_BYTES = 16;

/** The least bytes of a chunked body that the parser gets at once. At most three heads of later requests fit into them. */
const LEAST_CHUNKED_BYTES = 64;

/**
 * How many of the first bytes of `END_OF_HEAD` stand at the end of all bytes so far, of which `bytes` are the latest. `begun`:
 * that number before `bytes` came.
 */
const countBegun = (begun: number, bytes: Buffer): number => {
  const last = bytes.toString('latin1', Math.max(0, bytes.length - END_OF_HEAD.length + 1));
  const end = `${BEGINNINGS_OF_END[begun]}${last}`;
  return BEGINNINGS_OF_END.findLastIndex((beginning) => end.endsWith(beginning));
};

/** Where the next `END_OF_HEAD` ends, of which the first `begun` bytes came before `at`. Negative if there is none. */
const findEndOfHead = (begun: number, chunk: Buffer, at: number): number => {
  if (begun > 0) {
    const border = [END_OF_HEAD.subarray(0, begun), chunk.subarray(at, at + END_OF_HEAD.length - 1)];
    const borderStart = at - begun;
    const start = Buffer.concat(border).indexOf(END_OF_HEAD);
    if (start >= 0) return borderStart + start + END_OF_HEAD.length;
  }
  const later = chunk.indexOf(END_OF_HEAD, at);
  return later < 0 ? -1 : later + END_OF_HEAD.length;
};

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
  /** Sockets that are paused here until a turn in which a request may begin. Bytes that come before end the wait. */
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

    const beginTurn = () => {
      // The wait has ended already: Node.js resumed the socket, and may have paused it again since. It fails on bytes of a socket
      // that it has paused, so the socket is not resumed here.
      if (!awaitingRequestTurn.has(socket)) return;
      inRequestTurn.add(socket);
      // The turn ends with the event-loop turn, even if no bytes come in it.
      setImmediate(() => inRequestTurn.delete(socket));
      socket.resume();
    };
    const waitForTurn = () => requestTurns.wait(client ?? socket, beginTurn);
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
    const holdBody = (bytes: Buffer, key: ClientKey) => {
      giveBack(bytes);
      awaitingBodyTurn.add(socket);
      bodyTurns.wait(key, () => {
        awaitingBodyTurn.delete(socket);
        inBodyTurn.add(socket);
        socket.resume();
      });
    };
    socket.on('resume', () => {
      if (awaitingBodyTurn.has(socket)) socket.pause();
    });

    /** How many of the first bytes of `END_OF_HEAD` stand at the end of what the parser has got so far. */
    let begun = 0;
    /** The bytes of a body of known length that the parser has yet to get; 0 if their number is unknown, as in a chunked body. */
    let bodyLeft = 0;
    /** How many bytes of the chunk, from `at`, may be of the body. */
    const sizeInBody = (chunk: Buffer, at: number): number =>
      bodyLeft > 0 ? Math.min(bodyLeft, chunk.length - at) : chunk.length - at;
    /** Where the parser's next piece of the chunk ends. One request at most begins in it; behind a chunked body, a few may. */
    const findEnd = (chunk: Buffer, at: number, isFull: boolean, isInBody: boolean): number => {
      if (bodyLeft > 0) return Math.min(at + bodyLeft, chunk.length);
      // When full, only bytes of a body pass, here of a chunked one. If it ends in the piece, at most one more request begins.
      if (isFull) return Math.min(at + LESS_THAN_A_HEAD_BYTES, chunk.length);
      // If a chunked body were cut at each of its empty lines, a megabyte of it would take a second: the first bytes are not
      // searched.
      const end = isInBody
        ? findEndOfHead(0, chunk, Math.min(at + LEAST_CHUNKED_BYTES, chunk.length))
        : findEndOfHead(begun, chunk, at);
      return end < 0 ? chunk.length : end;
    };

    socket.removeAllListeners('data');
    // With a listener other than its own, Node.js emits the bytes that it reads; otherwise it would parse them natively.
    socket.on('data', (chunk: Buffer) => {
      awaitingRequestTurn.delete(socket);
      if (heldBytes > 0) setHeldBytes(0);
      // A turn that has come is used up here, whether or not a request begins in it.
      const hasTurn = inRequestTurn.delete(socket) || client === undefined || requestTurns.take();
      const requestBeforeChunk = connection.latestRequest;
      let bodyRoom = inBodyTurn.delete(socket) ? BODY_BYTES_IN_A_TURN : undefined;
      /** How many bytes of a large body may still pass in this turn. The first of them ask for a turn. */
      const roomForBody = (): number => {
        bodyRoom ??= bodyTurns.take() ? BODY_BYTES_IN_A_TURN : 0;
        return bodyRoom;
      };
      for (let at = 0; at < chunk.length; ) {
        if (socket.destroyed || !socket.writable || closing.has(socket)) return;
        const requestBeforePiece = connection.latestRequest;
        const isFull = answers.size >= MOST_UNANSWERED;
        const hasBegunOne = requestBeforePiece !== requestBeforeChunk;
        const mustWait = hasManyAnswers() || hasBegunOne || !hasTurn;
        // The body of a request that has begun need not wait.
        const isInBody = requestBeforePiece?.complete === false;
        // Only bytes behind a request count: a first request may wait for its turn, on however many connections.
        if (mustWait && !isInBody) return holdRequest(chunk.subarray(at), answers.size > 0 || hasBegunOne);
        const isLargeBody = isInBody && client !== undefined && sizeInBody(chunk, at) > SMALL_BODY_BYTES;
        const room = isLargeBody ? roomForBody() : Number.POSITIVE_INFINITY;
        if (isLargeBody && room === 0) return holdBody(chunk.subarray(at), client);
        const end = Math.min(findEnd(chunk, at, isFull, isInBody), at + room);
        const bytes = at === 0 && end === chunk.length ? chunk : chunk.subarray(at, end);
        parse.call(socket, bytes);
        if (isLargeBody) bodyRoom = room - bytes.length;
        begun = countBegun(begun, bytes);
        const requestAfterPiece = connection.latestRequest;
        const isNewRequest = requestAfterPiece !== undefined && requestAfterPiece !== requestBeforePiece;
        // A chunked body ends with an empty line. Bytes behind it belong to the next head.
        const isBehindBody =
          requestBeforePiece?.complete === true &&
          bytes.length > bodyLeft &&
          !bytes.subarray(-4).equals(END_OF_HEAD);
        connection.isInHead = !isNewRequest && (!isInBody || isBehindBody);
        // Behind the end of a chunked body the piece may also hold the new request's head and an unknown part of its body.
        if (isNewRequest) bodyLeft = isInBody ? 0 : Number(requestAfterPiece.headers['content-length'] ?? 0);
        else bodyLeft = Math.max(0, bodyLeft - bytes.length);
        at = end;
        // Node.js pauses the socket where answers or bodies pile up, and resumes it itself. The rest of a body is not counted.
        if (at < chunk.length && socket.isPaused()) {
          if (requestAfterPiece?.complete !== false && closeIfTooMuch(chunk)) return;
          return void socket.unshift(chunk.subarray(at));
        }
      }
    });

    // The connection came paused. While other clients wait, it is not even read before its turn.
    if (client !== undefined && requestTurns.hasWaiting()) {
      awaitingRequestTurn.add(socket);
      waitForTurn();
    } else socket.resume();
  });
};
