import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '../../servers/index.ts';
import { type DocumentedAnswer, judgeOf } from './tree/documented.ts';

interface Watched {
  readonly name: ServiceName;
  readonly problems: string[];
}

const watched = new Map<number, Watched>();

/** Longer texts are not stored: a streamed list may exceed the memory. */
const LONGEST = 1_048_576;

/** Calls `onText` with the whole text of an answer, or with undefined if the text is too long. */
const collect = (response: ServerResponse, onText: (text: string | undefined) => void) => {
  const chunks: Buffer[] = [];
  let size = 0;
  const store = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    size += chunk.length;
    if (size <= LONGEST) chunks.push(Buffer.from(chunk));
  };
  const { write, end } = response;
  const storing =
    (send: typeof write | typeof end) =>
    (...args: readonly unknown[]): unknown => {
      store(args[0]);
      return Reflect.apply(send, response, args);
    };
  Object.assign(response, { write: storing(write), end: storing(end) });
  response.once('finish', () => onText(size <= LONGEST ? Buffer.concat(chunks).toString() : undefined));
};

const textsOf = (response: ServerResponse) =>
  Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));

let listening = false;
const listen = () => {
  if (listening) return;
  listening = true;
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const service = watched.get(request.socket.localPort ?? 0);
    if (service === undefined) return;
    collect(response, (text) => {
      const problem = judgeOf(service.name).problem({
        method: request.method ?? '',
        path: request.url ?? '',
        status: response.statusCode,
        headers: textsOf(response),
        text,
      });
      if (problem !== undefined) service.problems.push(problem);
    });
  });
};

/**
 * Checks an answer that a client received from a service in another process. Throws if the answer has something that is not
 * documented.
 */
export const checkAnswer = (url: string, answer: DocumentedAnswer): void => {
  if (watched.has(Number(new URL(url).port))) return;
  const judge = judgeOf(answer.path.startsWith('/api/v1/') ? 'metadata' : 'accounts');
  const problem = judge.problem(answer);
  if (problem !== undefined) throw new Error(`Not documented: ${problem}`);
};

/**
 * Compares every answer of the services in this process with their OpenAPI documents: status, code, members and headers.
 * `check` throws if an answer has something that is not documented.
 */
export const watchAnswers = (urls: Readonly<Record<ServiceName, string>>) => {
  listen();
  const problems: string[] = [];
  const names = ['accounts', 'metadata', 'console'] as const;
  const ports = names.map((name) => [Number(new URL(urls[name]).port), name] as const);
  for (const [port, name] of ports) watched.set(port, { name, problems });
  const check = () => {
    const undocumented = problems.splice(0);
    if (undocumented.length > 0) throw new Error(`Not documented:\n${undocumented.join('\n')}`);
  };
  return {
    check,
    end: () => {
      for (const [port] of ports) watched.delete(port);
      check();
    },
  };
};
