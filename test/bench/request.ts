/** What one client asks for, again and again. */
export interface Client {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Bearer token. */
  readonly token?: string;
  /** As the header has it. */
  readonly cookie?: string;
  /** Named by a proxy that the server trusts. */
  readonly address?: string;
  /** Of a service that belongs to the installation. */
  readonly secret?: string;
  /** JSON, in ASCII. */
  readonly body?: string;
}

/** A request as it goes over the line. */
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
