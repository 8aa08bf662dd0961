import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Composition } from '../adapters/compose.ts';
import type { Config } from '../adapters/config.ts';
import { makeServiceApp, type ServiceName } from './apps.ts';
import { hasBody } from './http/input/raw-body.ts';

/**
 * Answers requests on a server of the app's own. With `next`, a path that is none of the service's is left to it,
 * untouched; without, it is answered with 404. The shape is that of Express's middleware.
 */
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: () => unknown) => void;

/** Both services, to be mounted in an app, and the work that goes on between requests. */
export interface Handlers {
  readonly accounts: Handler;
  /** Takes the internal secret alone, whatever `META_AUTH` says: where the app's server listens is not known here. */
  readonly metadata: Handler;
  /** Begins the background work: mails, events, purges. Without it nobody gets a code. */
  start(): void;
  /**
   * Says at `/health/ready` that it ends, waits for what is being answered, 25 s at most, and closes the composition.
   * To be called beside the server's own `close()`. Further calls wait for the same.
   */
  close(): Promise<void>;
}

/** Milliseconds for what is being answered at the end. */
const FINISH = 25_000;

const bodyIsGone = () =>
  new Error('The body was read before it came here: mount Gatehouse before anything that reads bodies.');

const pathOf = (req: IncomingMessage): string => req.url?.split('?', 1)[0] ?? '';

/** Makes a service with the first request for it: an app that mounts one has no use for the other. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** What is being answered, and the wait for its end. */
const makeAnswering = () => {
  const answers = new Set<ServerResponse>();
  let ended: (() => void) | undefined;
  const add = (res: ServerResponse) => {
    answers.add(res);
    res.once('close', () => {
      answers.delete(res);
      if (answers.size === 0) ended?.();
    });
  };
  /** Gives how many had to be cut off. */
  const finish = async (milliseconds: number): Promise<number> => {
    for (const res of answers) if (!res.headersSent) res.setHeader('Connection', 'close');
    if (answers.size === 0) return 0;
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      ended = resolve;
      late = setTimeout(resolve, milliseconds);
    });
    clearTimeout(late);
    const cut = answers.size;
    for (const res of answers) res.destroy();
    return cut;
  };
  return { add, finish };
};

/**
 * Both services as handlers for a server of the app's own, which says how long requests and connections may last.
 * `close()` closes the composition too, so each composition is given to one call of this.
 */
export const createHandlers = (composition: Composition, config: Config): Handlers => {
  const { log } = composition;
  const closing = new AbortController();
  const answering = makeAnswering();
  let gone = false;

  const handlerOf = (name: ServiceName, settings: Config): Handler => {
    const service = once(() => {
      const app = makeServiceApp(name, settings, composition, closing.signal);
      return { matches: app.matches, answer: app.callback() };
    });
    return (req, res, next) => {
      const { matches, answer } = service();
      if (next !== undefined && !matches(pathOf(req))) return void next();
      if (closing.signal.aborted) res.setHeader('Connection', 'close');
      if (gone) return void res.writeHead(503, { 'Retry-After': '1' }).end();
      if (req.readableDidRead && hasBody(req)) {
        log.error('http.failed', { error: bodyIsGone() });
        return void res.writeHead(500).end();
      }
      answering.add(res);
      answer(req, res);
    };
  };

  const end = async () => {
    closing.abort();
    const cut = await answering.finish(FINISH);
    gone = true;
    if (cut > 0) log.warn('server.cut', { count: cut });
    await composition.close();
  };
  let ended: Promise<void> | undefined;
  return {
    accounts: handlerOf('accounts', config),
    metadata: handlerOf('metadata', { ...config, metaAuth: 'secret' }),
    start: () => composition.start({ accounts: true }),
    close: () => {
      ended ??= end();
      return ended;
    },
  };
};
