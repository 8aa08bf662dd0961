/** Milliseconds, each there to be shortened by a test. */
export interface ServeTimes {
  /** For a complete request head, and for a complete request. */
  readonly headers: number;
  readonly request: number;
  /** The interval of checking these two. */
  readonly look: number;
  /** How long an idle connection is kept. Connections of a proxy are kept longer than the proxy keeps them. */
  readonly idle: number;
  /** How long an answer may go without its client reading any of it, and the interval of checking this. */
  readonly unread: number;
  readonly lookAtUnread: number;
  /** While closing: for requests on their way, then for open requests. */
  readonly notice: number;
  readonly finish: number;
}

/** The time-outs of a server; of one behind a proxy, which keeps its connections. */
export const timesFor = (behindProxy: boolean): ServeTimes => ({
  headers: 10_000,
  request: 30_000,
  look: 2_000,
  idle: behindProxy ? 65_000 : 5_000,
  unread: 10_000,
  lookAtUnread: 250,
  notice: 200,
  finish: 25_000,
});
