import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { compose } from '../../adapters/compose.ts';
import { readConfig } from '../../adapters/config.ts';
import { createHandlers, type Handler, type Handlers } from '../../servers/index.ts';
import { easySettings } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';

/** The part of NestJS that is used here. */
interface NestApp {
  listen(port: number, host: string): Promise<unknown>;
  getUrl(): Promise<string>;
  close(): Promise<void>;
}
interface Consumer {
  apply(handler: Handler): { forRoutes(path: string): void };
}
type Create = (module: unknown, options: object) => Promise<NestApp>;

describe('Handlers in a NestJS app, which parses bodies', () => {
  const folder = useTempFolder();
  let handlers: Handlers;
  let app: NestApp;

  const serve = async () => {
    const from = createRequire(join(process.env.GATEHOUSE_TEST_OUTSIDE ?? '', 'package.json'));
    from('reflect-metadata');
    const { NestFactory } = from('@nestjs/core') as { NestFactory: { create: Create } };
    const { Module } = from('@nestjs/common') as { Module: (given: object) => (target: unknown) => void };
    const config = readConfig({ ...easySettings, DATA_DIR: folder() }, folder());
    handlers = createHandlers(await compose(config), config);
    class AppModule {
      configure(consumer: Consumer): void {
        consumer.apply(handlers.accounts).forRoutes('/');
      }
    }
    Module({})(AppModule);
    app = await NestFactory.create(AppModule, { logger: false, rawBody: true });
    await app.listen(0, '127.0.0.1');
  };
  afterEach(async () => {
    await app.close();
    await handlers.close();
  });

  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${await app.getUrl()}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { code } = (await response.json()) as { readonly code?: string };
    return { status: response.status, code };
  };

  it('accept signed webhooks if the app sets rawBody', async () => {
    await serve();
    const registration = { email: 'ada@example.com', password: 'correct horse battery' };
    expect(await post('/api/auth/register', registration)).to.include({ status: 201 });
    const webhook = await post('/api/webhooks/drop', { type: 'order.paid' });
    expect(webhook).to.deep.equal({ status: 403, code: 'invalid_signature' });
  });
});
