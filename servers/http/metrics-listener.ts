import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../../core/index.ts';
import { type RunningServer, serve } from './listen/serve.ts';
import type { ServeTimes } from './listen/time-outs.ts';

/** Returns the metrics as text, with the content type that names its version of the Prometheus format. */
export type Scrape = () => Promise<{ readonly type: string; readonly text: string }>;

export interface MetricsParts {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  readonly scrape: Scrape;
  readonly log: Log;
  readonly times?: Partial<ServeTimes>;
}

/** The most connections of one client that wait for a request head. Scrapers need far fewer. */
const MAX_OPEN_HEADS = 256;

const answer = async (req: IncomingMessage, res: ServerResponse, { scrape, log }: MetricsParts) => {
  if (req.url?.split('?', 1)[0] !== '/metrics') return res.writeHead(404).end();
  if (req.method !== 'GET' && req.method !== 'HEAD') return res.writeHead(405, { Allow: 'GET, HEAD' }).end();
  try {
    const { type, text } = await scrape();
    return res.writeHead(200, { 'Content-Type': type }).end(text);
  } catch (error) {
    log.warn('metrics.failed', { error });
    return res.writeHead(503, { 'Retry-After': '5' }).end();
  }
};

/**
 * Serves `/metrics` on a separate port, since metrics are for operators only. Throws `CannotListen`, which names
 * `METRICS_PORT` or `METRICS_HOST`.
 */
export const serveMetrics = (parts: MetricsParts): Promise<RunningServer> => {
  const handle: RequestListener = (req, res) => void answer(req, res, parts);
  const { host, port, log, times = {} } = parts;
  return serve({
    app: { callback: () => handle },
    host,
    port,
    hostSetting: 'METRICS_HOST',
    portSetting: 'METRICS_PORT',
    name: 'metrics',
    // The error style of answers to unreadable requests. Scrapers read neither style.
    style: 'metadata',
    trustedProxies: [],
    maxOpenHeads: MAX_OPEN_HEADS,
    // For `serve` alone: this listener has no readiness route that would read it.
    closing: new AbortController(),
    log,
    announces: true,
    times,
  });
};
