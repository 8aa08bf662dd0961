import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type ClientKey, makeFairTurns, noteConnection } from '../fair-turns.ts';
import type { ConnectionLimit } from './connections.ts';

/** The most requests of one connection that are answered at a time. */
const MOST_UNANSWERED = 8;

/** Requests of all connections that are answered at a time, beyond which each connection has one: an answer takes 10 KB. */
const MANY_IN_ALL = 512;

/** Bytes of one client that wait behind its requests: sixteen times what one read of a socket brings. */
const MOST_HELD = 1_048_576;

/** Requests that begin in one turn of the event loop: about ten milliseconds of work. */
const BEGUN_IN_A_TURN = 64;

/** Bytes of a body that wait for no turn. */
const SMALL_BODY = 2_048;

/** Bytes of a larger body in its turn: a few milliseconds of work where they are chunks of one byte each. */
const BODY_AT_ONCE = 16_384;

/** Bodies that get on in one turn of the event loop. */
const BODIES_IN_A_TURN = 4;

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Fewer bytes than any head has, so that no two heads end within them. */
const SHORTER_THAN_A_HEAD = 16;

/** The least bytes of a body in chunks that the parser gets at once. At most three heads that follow it fit into them. */
const LEAST_OF_CHUNKS = 64;

/** How many bytes of an empty line the bytes end with, of which the first `begun` came before them. */
const countBegun = (begun: number, bytes: Buffer): number => {
  const last = bytes.subarray(1 - END_OF_HEAD.length);
  const end = Buffer.concat([END_OF_HEAD.subarray(0, begun), last]).toString('latin1');
  const empty = END_OF_HEAD.toString('latin1');
  return [3, 2, 1].find((count) => end.endsWith(empty.slice(0, count))) ?? 0;
};

/** Where the next empty line ends, of which the first `begun` bytes came before `at`. Negative if there is none. */
const findEndOfHead = (begun: number, chunk: Buffer, at: number): number => {
  const border = [END_OF_HEAD.subarray(0, begun), chunk.subarray(at, at + END_OF_HEAD.length - 1)];
  const start = begun > 0 ? Buffer.concat(border).indexOf(END_OF_HEAD) : -1;
  if (start >= 0) return at + start + END_OF_HEAD.length - begun;
  const later = chunk.indexOf(END_OF_HEAD, at);
  return later < 0 ? -1 : later + END_OF_HEAD.length;
};

/** The length of a body that comes in no chunks. */
const lengthOfBody = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

/**
 * Answers at most 8 requests of a connection at a time, or one where many are under way in all. Begins one of each
 * connection, and 64 in all, in each turn of the event loop. Clients take turns, of which trusted proxies need none. Node.js
 * alone would begin all requests that one read of a socket brings: up to 2,000 small ones, which take 10 MB. Here its parser
 * gets the bytes of one request after the other; the rest goes back to the socket, which is not read until its next turn. A
 * body whose length is known goes to the parser in the pieces in which it came: an empty line in it ends no head. Waiting
 * bytes take memory: if more than 1 MB of one client's bytes waits behind its requests, the connection that exceeds the
 * bound is closed.
 *
 * Four connections get on with a large body in each turn, by 16 KB: Node.js would read 2 MB of each connection. It resumes
 * a connection whenever a body is consumed, so one that waits is paused again.
 *
 * Connections must come paused (`pauseOnConnect`): they are resumed here.
 */
export const limitPipelining = ({ server, connections, onCrowded }: ConnectionLimit): void => {
  const { bySocket, answers: all } = connections;
  /** Sockets that are paused here. */
  const paused = new WeakSet<Socket>();
  /** Those whose turn has come. */
  const called = new WeakSet<Socket>();
  /** The turn of what does not come at once goes to others. */
  const call = (socket: Socket) => {
    called.add(socket);
    setImmediate(() => called.delete(socket));
  };
  const turns = makeFairTurns(BEGUN_IN_A_TURN);
  const heldByClient = new Map<ClientKey, number>();
  const bodyTurns = makeFairTurns(BODIES_IN_A_TURN);
  /** Connections that wait for a turn in the middle of a body, and those whose turn has come. */
  const resting = new WeakSet<Socket>();
  const rested = new WeakSet<Socket>();
  /** The last request of each connection. */
  const last = new WeakMap<Socket, IncomingMessage>();
  /** Connections that Node.js closes after the answers under way. */
  const closing = new WeakSet<Socket>();
  server.on('request', (req: IncomingMessage) => last.set(req.socket, req));
  server.on('dropRequest', (_req, socket: Socket) => closing.add(socket));

  server.on('connection', (socket: Socket) => {
    noteConnection();
    const connection = bySocket.get(socket);
    const [parse] = socket.listeners('data');
    if (connection === undefined || parse === undefined) return void socket.resume();
    const { answers, client } = connection;

    const resume = () => {
      // Node.js may have resumed and paused it since, and breaks where it gets bytes of one that it has paused.
      if (!paused.has(socket)) return;
      call(socket);
      socket.resume();
    };
    const waitForTurn = () => turns.wait(client ?? socket, resume);
    const hasManyAnswers = () => answers.size >= (all.size < MANY_IN_ALL ? MOST_UNANSWERED : 1);

    let heldBytes = 0;
    /** Returns the bytes now held for the client. */
    const noteHeld = (bytes: number): number => {
      if (client === undefined) return 0;
      const clientBytes = (heldByClient.get(client) ?? 0) + bytes - heldBytes;
      heldBytes = bytes;
      if (clientBytes === 0) heldByClient.delete(client);
      else heldByClient.set(client, clientBytes);
      return clientBytes;
    };
    socket.once('close', () => noteHeld(0));

    const keep = (bytes: Buffer) => {
      socket.pause();
      socket.unshift(bytes);
    };

    /** Notes that the bytes wait behind a request of the connection. Closes it, and returns true, where they are too many. */
    const closeIfTooMuch = ({ buffer }: Buffer): boolean => {
      // However few of a read's bytes are left, the memory of all stays.
      if (noteHeld(buffer.byteLength) <= MOST_HELD) return false;
      // `close` is emitted in a later turn. Subtract its bytes now, so that the client does not lose another connection for them.
      noteHeld(0);
      onCrowded(socket);
      socket.destroy();
      return true;
    };

    /** Keeps the bytes until the connection's next turn in which it has few unanswered requests. */
    const hold = (bytes: Buffer, isBehindRequest: boolean) => {
      if (isBehindRequest && closeIfTooMuch(bytes)) return;
      keep(bytes);
      paused.add(socket);
      if (hasManyAnswers()) connection.onAnswered = waitForTurn;
      else waitForTurn();
    };

    /** Keeps the bytes until the next turn of the connection's body. */
    const rest = (bytes: Buffer, key: ClientKey) => {
      keep(bytes);
      resting.add(socket);
      bodyTurns.wait(key, () => {
        resting.delete(socket);
        rested.add(socket);
        socket.resume();
      });
    };
    socket.on('resume', () => {
      if (resting.has(socket)) socket.pause();
    });

    /** How many bytes of an empty line the parser got last. */
    let begun = 0;
    let bodyLeft = 0;
    /** How many of the bytes may be of the body. */
    const sizeInBody = (chunk: Buffer, at: number): number =>
      bodyLeft > 0 ? Math.min(bodyLeft, chunk.length - at) : chunk.length - at;
    const findEnd = (chunk: Buffer, at: number, isFull: boolean, isInBody: boolean): number => {
      if (bodyLeft > 0) return Math.min(at + bodyLeft, chunk.length);
      if (isFull) return Math.min(at + SHORTER_THAN_A_HEAD, chunk.length);
      // Cut at each of its empty lines, a body in chunks would take a second a megabyte.
      const end = isInBody
        ? findEndOfHead(0, chunk, Math.min(at + LEAST_OF_CHUNKS, chunk.length))
        : findEndOfHead(begun, chunk, at);
      return end < 0 ? chunk.length : end;
    };

    socket.removeAllListeners('data');
    // With a listener of ours Node.js passes on what it reads, where it would parse it unseen.
    socket.on('data', (chunk: Buffer) => {
      paused.delete(socket);
      if (heldBytes > 0) noteHeld(0);
      const hasTurn = called.delete(socket) || client === undefined || turns.take();
      const before = last.get(socket);
      let bodyRoom = rested.delete(socket) ? BODY_AT_ONCE : undefined;
      for (let at = 0; at < chunk.length; ) {
        if (socket.destroyed || !socket.writable || closing.has(socket)) return;
        const latest = last.get(socket);
        const isFull = answers.size >= MOST_UNANSWERED;
        const mustWait = hasManyAnswers() || latest !== before || !hasTurn;
        // The body of the last request belongs to what is answered.
        const isInBody = latest?.complete === false;
        // The first request of a connection may wait for its turn, however many of them there are.
        if (mustWait && !isInBody) return hold(chunk.subarray(at), answers.size > 0 || latest !== before);
        const isLargeBody = isInBody && client !== undefined && sizeInBody(chunk, at) > SMALL_BODY;
        if (isLargeBody) bodyRoom ??= bodyTurns.take() ? BODY_AT_ONCE : 0;
        if (isLargeBody && bodyRoom === 0) return rest(chunk.subarray(at), client);
        const most = isLargeBody && bodyRoom !== undefined ? at + bodyRoom : chunk.length;
        const end = Math.min(findEnd(chunk, at, isFull, isInBody), most);
        const bytes = at === 0 && end === chunk.length ? chunk : chunk.subarray(at, end);
        parse.call(socket, bytes);
        if (isLargeBody && bodyRoom !== undefined) bodyRoom -= bytes.length;
        begun = countBegun(begun, bytes);
        const newest = last.get(socket);
        bodyLeft =
          newest === undefined || newest === latest
            ? Math.max(0, bodyLeft - bytes.length)
            : lengthOfBody(newest);
        at = end;
        // Node.js pauses it where answers or bodies pile up, and resumes it itself.
        if (at < chunk.length && socket.isPaused()) {
          if (last.get(socket)?.complete !== false && closeIfTooMuch(chunk)) return;
          return void socket.unshift(chunk.subarray(at));
        }
      }
    });

    // The connection came paused. Where others wait, it is not even read before its turn.
    if (client !== undefined && turns.hasWaiting()) {
      paused.add(socket);
      waitForTurn();
    } else socket.resume();
  });
};
