export type { ServiceName } from './apps.ts';
export { cookieName } from './cookie-name.ts';
export { type FetchHandler, type From, toFetch } from './fetch.ts';
export { createHandlers, type Handler, type Handlers } from './handlers.ts';
export { type Bearing, bearerToken } from './http/authenticate.ts';
export { answerTo, type RefusalAnswer } from './http/errors.ts';
export { CannotListen } from './http/listen/listen.ts';
export type { ServeTimes } from './http/listen/serve.ts';
export { openServices, type Services } from './services.ts';
