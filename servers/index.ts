export type { ServiceName } from './apps.ts';
export { createHandlers, type Handler, type Handlers } from './handlers.ts';
export { CannotListen } from './http/listen/listen.ts';
export type { ServeTimes } from './http/listen/serve.ts';
export { openServices, type Services } from './services.ts';
