import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Client } from './request.ts';

/** Asks over one connection, one thing at a time, for answers of any length. */
export const longAsker = (port: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** Gives the milliseconds until the whole answer was there. Throws unless it is 200. */
    ask: async ({ method, path, body }: Client): Promise<number> => {
      const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const began = performance.now();
      const sent = request({ port, host: '127.0.0.1', agent, method, path, headers }).end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      if (answer.statusCode !== 200) throw new Error(`${method} ${path} was answered ${answer.statusCode}.`);
      return performance.now() - began;
    },
    close: () => agent.destroy(),
  };
};
