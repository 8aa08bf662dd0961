import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../../support/free-port.ts';
import { makeCertificate } from '../../../support/servers/self-signed.ts';
import { openTestService, type TestService } from '../../../support/service.ts';

const NAME = 'site.example.localhost';

/** A page of any site, in which tests run scripts. It sets the cookie in its query, byte for byte. */
const page = ({ url = '' }: IncomingMessage, res: ServerResponse) => {
  const [, query] = url.split('?');
  if (query) res.setHeader('Set-Cookie', Buffer.from(query, 'base64url').toString('latin1'));
  // With a string as body, Node.js would send the headers in UTF-8.
  res.setHeader('Content-Type', 'text/html').end(Buffer.from('<!doctype html><title>A page</title>'));
};

/** Forwards `/api/` to the service, as the proxy of a site does, and answers the rest with a page. */
const makeProxy =
  (service: () => TestService, seen: string[]) => (req: IncomingMessage, res: ServerResponse) => {
    const { url = '', method, headers } = req;
    if (!url.startsWith('/api/')) return page(req, res);
    const sent = request(service().url + url, { method, headers }, (answer) => {
      seen.push(`${method} ${url} ${headers['sec-fetch-site']} ${answer.statusCode}`);
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    return req.pipe(sent);
  };

/**
 * The site over https with cookie sessions, and pages of two other hosts: a sibling host, which is same-site for a browser,
 * and a host of another site.
 */
export const openSite = async (folder: string) => {
  const { key, cert } = makeCertificate(folder, 'site');
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const seen: string[] = [];
  const port = await freePort();
  const url = `https://${NAME}:${port}`;
  const service = await openTestService({ COOKIE_SESSIONS: 'on', PUBLIC_URL: url });
  const servers = [
    createServer(
      tls,
      makeProxy(() => service, seen),
    ).listen(port, '127.0.0.1'),
    createServer(tls, page).listen(0, '127.0.0.1'),
  ] as const;
  for (const server of servers) if (!server.listening) await once(server, 'listening');
  const portOf = (server: (typeof servers)[number]) => (server.address() as AddressInfo).port;
  return {
    service,
    url,
    /** The requests that reached the service, with their Sec-Fetch-Site and status. */
    seen,
    sibling: `https://evil.example.localhost:${portOf(servers[1])}`,
    elsewhere: `https://evil.localhost:${portOf(servers[1])}`,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await service.close();
    },
  };
};

export type Site = Awaited<ReturnType<typeof openSite>>;
