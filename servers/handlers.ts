import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Composition } from '../adapters/compose.ts';
import { CONFIG, type Config } from '../adapters/config.ts';
import { requireArguments } from '../core/check-arguments.ts';
import { custom } from '../core/schema.ts';
import { makeServiceApp, type ServiceName } from './apps.ts';
import { closeAfterAnswer, trackAnswers } from './http/listen/connections.ts';

/**
 * Answers requests on the app's own server. With `next`, requests for other paths are passed on untouched; without it
 * they get 404. The shape is that of Express's middleware.
 */
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: () => unknown) => void;

/** The services as handlers that an app mounts, and their background work. */
export interface Handlers {
  readonly accounts: Handler;
  /**
   * Always needs the internal secret, whatever `META_AUTH` says: `none` is safe only on a loopback address, and the address of
   * the app's server is not known here.
   */
  readonly metadata: Handler;
  /** The operators' console. An origin of its own keeps it apart from the app's pages: set `CONSOLE_URL` to it. */
  readonly console: Handler;
  /** Starts the background work: mails, events, purges. Without it no mail is sent. */
  start(): void;
  /**
   * Turns `/health/ready` to 503, waits at most 25 s for open requests, and closes the composition. Call it beside the
   * server's own `close()`. Further calls wait for the same shutdown.
   */
  close(): Promise<void>;
}

const COMPOSITION = custom(
  'the result of createGatehouse',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    ['accounts', 'files', 'log'].every((name) => name in value),
);

/** How long `close` waits for open requests. */
const FINISH_MS = 25_000;

const pathOf = (req: IncomingMessage): string => req.url?.split('?', 1)[0] ?? '';

const trackOpenRequests = () => {
  const answers = new Set<ServerResponse>();
  /** The sets from `trackAnswers`: when a connection closes, each answer in its set emits `close`. */
  const answersBySocket = new WeakMap<Socket, Set<ServerResponse>>();
  let onLastAnswer: (() => void) | undefined;
  const add = ({ socket }: IncomingMessage, res: ServerResponse) => {
    const answersOfSocket = answersBySocket.get(socket) ?? trackAnswers(socket);
    answersBySocket.set(socket, answersOfSocket);
    answersOfSocket.add(res);
    answers.add(res);
    res.once('close', () => {
      answersOfSocket.delete(res);
      answers.delete(res);
      if (answers.size === 0) onLastAnswer?.();
    });
  };
  /** Waits for the open requests. Cuts off those that take longer, and returns their number. */
  const finish = async (milliseconds: number): Promise<number> => {
    for (const res of answers) if (!res.headersSent) closeAfterAnswer(res);
    if (answers.size === 0) return 0;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      onLastAnswer = resolve;
      timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
    const cutCount = answers.size;
    for (const res of answers) res.destroy();
    return cutCount;
  };
  return { add, finish };
};

/**
 * The services as handlers for the app's own server, which sets the time-outs of requests and connections. `close()` also
 * closes the composition, so each composition is passed to one call only.
 */
export const createHandlers = (composition: Composition, config: Config): Handlers => {
  requireArguments([composition, config], { composition: COMPOSITION, config: CONFIG });
  const { log } = composition;
  const { pages } = config;
  const closing = new AbortController();
  const openRequests = trackOpenRequests();
  let isClosed = false;

  const handlerOf = (name: ServiceName, settings: Config): Handler => {
    const makeService = () => {
      const app = makeServiceApp(name, settings, composition, {
        closing: closing.signal,
        consoleOrigin: () => settings.console.url,
      });
      return { matches: app.matches, answer: app.callback() };
    };
    // Created on the first request, since an app may mount only one of the services.
    let service: ReturnType<typeof makeService> | undefined;
    return (req, res, next) => {
      service ??= makeService();
      const { matches, answer } = service;
      const path = pathOf(req);
      // The app serves `/` itself, except at the console, which has an origin of its own.
      const isAppPath = path === '/' && name !== 'console';
      if (next !== undefined && (isAppPath || !matches(path))) return void next();
      if (closing.signal.aborted) closeAfterAnswer(res);
      if (isClosed) return void res.writeHead(503, { 'Retry-After': '1' }).end();
      // If the socket is closed already, the answer emits no `close` event, and would never be removed.
      if (!req.socket.destroyed) openRequests.add(req, res);
      answer(req, res);
    };
  };

  const shutDown = async () => {
    closing.abort();
    const cutCount = await openRequests.finish(FINISH_MS);
    isClosed = true;
    if (cutCount > 0) log.warn('server.cut', { count: cutCount });
    await composition.close();
  };
  let shutdown: Promise<void> | undefined;
  return {
    // Without the setting `PAGES` no pages are served: an app does not expect them at its own paths.
    accounts: handlerOf('accounts', { ...config, pages: { ...config.pages, on: pages.on && pages.isSet } }),
    metadata: handlerOf('metadata', { ...config, metaAuth: 'secret' }),
    console: handlerOf('console', config),
    start: () => composition.start({ accounts: true }),
    close: () => {
      shutdown ??= shutDown();
      return shutdown;
    },
  };
};
