/** The request that a client repeats. */
export interface Client {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Bearer token. */
  readonly token?: string;
  /** The value of the `Cookie` header. */
  readonly cookie?: string;
  /** The client's address, forwarded by a trusted proxy. */
  readonly address?: string;
  /** The internal secret. */
  readonly secret?: string;
  /** JSON, in ASCII. */
  readonly body?: string;
}

/** The bytes of a request over HTTP/1.1. */
export const requestOf = ({ method, path, token, cookie, address, secret, body = '' }: Client): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(cookie === undefined ? [] : [`Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin']),
    ...(address === undefined ? [] : [`X-Forwarded-For: ${address}`]),
    ...(secret === undefined ? [] : [`X-Internal-Secret: ${secret}`]),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');
