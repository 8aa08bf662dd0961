import type { Duplex } from 'node:stream';

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers what Node could not read as a request, or not in time, and ends the connection: nothing that follows on it
 * can be told from the rest of the broken one (RFC 9112 section 11.2).
 */
export const answerClientError = (code: string | undefined, socket: Duplex, answerBegun: boolean): void => {
  if (!socket.writable || answerBegun || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_LINES[code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
};
