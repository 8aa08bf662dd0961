import { startTcpProxy, type TcpProxy } from '../../../support/servers/tcp-proxy.ts';

/** What a broken connection loses: a request before it reaches the server, or the answer to it. */
export type LostMessage = 'request' | 'answer';

/** A proxy to a PostgreSQL server that loses requests or answers as a test demands. */
export interface LosingProxy extends TcpProxy {
  /** The URL of a database of the server by way of the proxy. */
  urlOf(direct: string): string;
  /** Breaks the connection of each of the next requests that contain the text. Returns how many were lost since. */
  lose(lost: LostMessage, text: string, times?: number): () => number;
}

export const startLosingProxy = async (port: number): Promise<LosingProxy> => {
  let order: { readonly lost: LostMessage; readonly text: string; left: number } | undefined;
  const proxy = await startTcpProxy(port, () => {
    let isAnswerLost = false;
    return {
      there: (data) => {
        if (order === undefined || order.left === 0 || !data.includes(order.text)) return data;
        order.left -= 1;
        isAnswerLost = order.lost === 'answer';
        return isAnswerLost ? data : undefined;
      },
      back: (data) => (isAnswerLost ? undefined : data),
    };
  });
  return {
    ...proxy,
    urlOf: (direct) => direct.replace(/:\d+\//, `:${proxy.port}/`),
    lose: (lost, text, times = 1) => {
      const newOrder = { lost, text, left: times };
      order = newOrder;
      return () => times - newOrder.left;
    },
  };
};
