import { Controller, Get, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Principal } from 'gatehouse';
import { GatehouseModule, SignedIn, Who } from './gatehouse.js';

@Controller()
class Hello {
  @Get('hello')
  @UseGuards(SignedIn)
  hello(@Who() { user }: Principal) {
    return `Hello ${user.email}`;
  }
}

@Module({ imports: [GatehouseModule], controllers: [Hello] })
class App {}

NestFactory.create(App, { logger: ['error', 'warn'] }).then(async (app) => {
  await app.enableShutdownHooks().listen(process.env.PORT ?? 8080, '127.0.0.1');
  console.log(`The app is at ${await app.getUrl()}`);
});
