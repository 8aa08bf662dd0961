import { createParamDecorator, type ExecutionContext, HttpException, Inject, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { createGatehouse, type Gatehouse } from 'gatehouse';
import { readConfig } from 'gatehouse/adapters/config';
import { answerTo, bearerToken, createHandlers, type Handlers } from 'gatehouse/servers';

const config = readConfig({ PUBLIC_URL: `http://localhost:${process.env.PORT ?? 8080}`, ...process.env });

/** A guard for routes of users. */
export class SignedIn {
  constructor(@Inject('gatehouse') private readonly gatehouse: Gatehouse) {}
  async canActivate(context: ExecutionContext) {
    try {
      const request = context.switchToHttp().getRequest();
      request.identity = await this.gatehouse.accounts.authenticate(bearerToken(request));
      return true;
    } catch (error) {
      const { status, body } = answerTo(error);
      throw new HttpException(body, status, { cause: error });
    }
  }
}

/** The `{user, session}` behind a request that the guard let through. */
export const Who = createParamDecorator((_, context) => context.switchToHttp().getRequest().identity);

const gatehouse = { provide: 'gatehouse', useFactory: () => createGatehouse(config) };
@Module({ providers: [gatehouse], exports: [gatehouse] })
export class GatehouseModule {
  private readonly handlers: Handlers;
  constructor(@Inject('gatehouse') composition: Gatehouse, @Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.handlers = createHandlers(composition, config);
    // Here, since Nest reads bodies before the middleware of modules.
    host.httpAdapter.use(this.handlers.accounts);
    this.handlers.start();
  }
  beforeApplicationShutdown = () => this.handlers.close();
}
