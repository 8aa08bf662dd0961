import { connect } from 'node:net';
import type { TestService, User } from '../../../support/service.ts';

/** The bytes of a request that uploads an avatar. */
export interface RawUpload {
  /** In addition to `Host`, `Authorization` and `Connection`. */
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array | string;
  /** Whether the client ends its side of the connection after the body. */
  readonly ends?: boolean;
}

export interface RawReply {
  /** 0 if the connection ended without a reply. */
  readonly status: number;
  /** Empty if the reply has no code. */
  readonly code: string;
}

/** Sends the bytes as they are, and reads until the service ends the connection. */
export const sendRaw = (
  { url }: TestService,
  { token }: Pick<User, 'token'>,
  { headers, body, ends = false }: RawUpload,
): Promise<RawReply> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const lines = Object.entries({
      Host: hostname,
      Authorization: `Bearer ${token}`,
      Connection: 'close',
      ...headers,
    });
    let answer = '';
    const socket = connect(Number(port), hostname);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      answer += text;
    });
    // The service may reset the connection once it stops reading.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const [, status = '0'] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
      const [, code = ''] = /"code":"(\w+)"/.exec(answer) ?? [];
      resolve({ status: Number(status), code });
    });
    socket.write(
      `POST /api/avatar HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    socket.write(body);
    if (ends) socket.end();
  });

export const BOUNDARY = 'a-boundary';

/** Headers and content of one part. */
export interface RawPart {
  readonly headers?: readonly string[];
  readonly content?: Uint8Array | string;
}

export const AVATAR = 'Content-Disposition: form-data; name="avatar"; filename="me.png"';
export const PNG = 'Content-Type: image/png';

const bytesOf = (content: Uint8Array | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(content);

/** A well-formed body, whatever is in its parts. */
export const bodyOf = (...parts: readonly RawPart[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ headers = [AVATAR, PNG], content = '' }) => [
      Buffer.from(`--${BOUNDARY}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1'),
      bytesOf(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** An upload of the body as `multipart/form-data`; a text has one byte for each character. */
export const asForm = (
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): RawUpload => ({
  headers: { 'Content-Type': MULTIPART, 'Content-Length': body.length, ...headers },
  body: bytesOf(body),
});
