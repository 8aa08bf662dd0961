import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Client } from './request.ts';

/** Sends requests over one connection, one after the other, and reads answers of any length. */
export const longAsker = (port: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** Returns the milliseconds until the end of the answer. Throws unless the status is 200. */
    ask: async ({ method, path, body }: Client): Promise<number> => {
      const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const startedAt = performance.now();
      const outgoing = request({ port, host: '127.0.0.1', agent, method, path, headers }).end(body);
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      if (answer.statusCode !== 200) throw new Error(`${method} ${path}: status ${answer.statusCode}.`);
      return performance.now() - startedAt;
    },
    close: () => agent.destroy(),
  };
};
