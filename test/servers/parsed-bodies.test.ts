import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { compose } from '../../adapters/compose.ts';
import { readConfig } from '../../adapters/config.ts';
import { createHandlers, type Handler, type Handlers } from '../../servers/index.ts';
import { makeRecordingLog } from '../support/recording-log.ts';
import { easySettings } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';

/** The part of Express that this test uses. */
interface Express {
  (): RequestListener & { use(handler: Handler): void };
  json(options?: object): Handler;
  raw(options: object): Handler;
  text(options: object): Handler;
}
const express = createRequire(import.meta.url)('express') as Express;

const keepBytes = (req: IncomingMessage, _res: unknown, bytes: Buffer) => {
  Object.assign(req, { rawBody: bytes });
};

/** Parsers, by the form in which they leave the body. */
const PARSERS = {
  parsed: express.json(),
  kept: express.json({ verify: keepBytes }),
  bytes: express.raw({ type: '*/*' }),
  text: express.text({ type: '*/*' }),
};
type Parser = keyof typeof PARSERS;

const registration = (email: string) => JSON.stringify({ email, password: 'correct horse battery' });

describe('Handlers behind a body parser of Express', () => {
  const folder = useTempFolder();
  const log = makeRecordingLog();
  let handlers: Handlers;
  let server: Server;
  let parser: Parser;

  beforeEach(async () => {
    const config = readConfig({ ...easySettings, DATA_DIR: folder() }, folder());
    handlers = createHandlers(await compose(config, { log }), config);
    const app = express();
    app.use((req, res, next) => PARSERS[parser](req, res, next));
    app.use(handlers.accounts);
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await handlers.close();
    log.lines.splice(0);
  });

  const post = async (by: Parser, path: string, body: string | FormData, type = 'application/json') => {
    parser = by;
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const headers: Record<string, string> = typeof body === 'string' ? { 'Content-Type': type } : {};
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
    const { code } = (await response.json()) as { readonly code?: string };
    return { status: response.status, code };
  };
  const register = (by: Parser, body: string) => post(by, '/api/auth/register', body);

  it('accept the parsed JSON, or the raw bytes', async () => {
    for (const by of Object.keys(PARSERS) as Parser[])
      expect(await register(by, registration(`${by}@example.com`)), by).to.include({ status: 201 });
  });

  it('refuse invalid input as without a parser', async () => {
    const deep = `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`;
    const refusals = [
      ['{"email":"ada@example.com"}', 400, 'invalid_request'],
      [JSON.stringify({ email: 'ada@example.com', password: 'x'.repeat(70_000) }), 413, 'too_large'],
      [deep, 400, 'too_deep'],
      ['{"email":"\\ud800@example.com","password":"correct horse battery"}', 400, 'invalid_encoding'],
    ] as const;
    for (const [body, status, code] of refusals)
      expect(await register('parsed', body), code).to.deep.equal({ status, code });
    const plain = await post('text', '/api/auth/register', registration('a@example.com'), 'text/plain');
    expect(plain.status).to.equal(415);
  });

  it('fail with `body_already_read` if a webhook needs raw bytes, and use `rawBody`', async () => {
    const webhook = (by: Parser) => post(by, '/api/webhooks/drop', '{"type":"order.paid"}');
    expect(await webhook('parsed')).to.deep.equal({ status: 500, code: 'body_already_read' });
    expect(String(log.lines.find(({ event }) => event === 'http.failed')?.fields.error)).to.include(
      'req.rawBody',
    );
    for (const by of ['kept', 'bytes'] as const)
      expect(await webhook(by), by).to.deep.equal({ status: 403, code: 'invalid_signature' });
  });
});
