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
  use(handler: Handler): void;
  listen(port: number, host: string): Promise<unknown>;
  getUrl(): Promise<string>;
  close(): Promise<void>;
}
interface Consumer {
  apply(handler: Handler): { forRoutes(path: string): void };
}
type Create = (module: unknown, options: object) => Promise<NestApp>;

describe('Handlers in an app of NestJS, which parses bodies', () => {
  const folder = useTempFolder();
  let handlers: Handlers;
  let app: NestApp;

  const serve = async (options: { readonly rawBody: boolean }, mount: 'use' | 'module') => {
    const from = createRequire(join(process.env.GATEHOUSE_TEST_OUTSIDE ?? '', 'package.json'));
    from('reflect-metadata');
    const { NestFactory } = from('@nestjs/core') as { NestFactory: { create: Create } };
    const { Module } = from('@nestjs/common') as { Module: (given: object) => (target: unknown) => void };
    const config = readConfig({ ...easySettings, DATA_DIR: folder() }, folder());
    handlers = createHandlers(await compose(config), config);
    class AppModule {
      configure(consumer: Consumer): void {
        if (mount === 'module') consumer.apply(handlers.accounts).forRoutes('/');
      }
    }
    Module({})(AppModule);
    app = await NestFactory.create(AppModule, { logger: false, ...options });
    if (mount === 'use') app.use(handlers.accounts);
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
  const register = () =>
    post('/api/auth/register', { email: 'ada@example.com', password: 'correct horse battery' });
  const webhook = () => post('/api/webhooks/drop', { type: 'order.paid' });

  it('work as its middleware, but for webhooks', async () => {
    await serve({ rawBody: false }, 'module');
    expect(await register()).to.include({ status: 201 });
    expect(await webhook()).to.deep.equal({ status: 500, code: 'body_already_read' });
  });

  for (const mount of ['module', 'use'] as const) {
    it(`take webhooks, too, with its setting rawBody, mounted by ${mount}`, async () => {
      await serve({ rawBody: true }, mount);
      expect(await register()).to.include({ status: 201 });
      expect(await webhook()).to.deep.equal({ status: 403, code: 'invalid_signature' });
    });
  }
});
