/** All in milliseconds. Tests shorten them. */
export interface ServeTimes {
  /** For a complete request head, and for a complete request. */
  readonly headers: number;
  readonly request: number;
  /** The interval at which `headers` and `request` are checked. */
  readonly checkEvery: number;
  /**
   * How long an idle connection is kept. Proxies usually close theirs within a minute: if this server closed it first, a proxy
   * could send a request on a connection that is closed here.
   */
  readonly idle: number;
  /** How long a client may read nothing of an answer, and the interval at which this is checked. */
  readonly unread: number;
  readonly checkUnreadEvery: number;
  /** How long a closing server still accepts new connections, and then how long those without a request may take to send it. */
  readonly notice: number;
  /** How long the open requests then have until they are cut off. */
  readonly finish: number;
}

export const timesFor = (behindProxy: boolean): ServeTimes => ({
  headers: 10_000,
  request: 30_000,
  checkEvery: 2_000,
  idle: behindProxy ? 65_000 : 5_000,
  unread: 10_000,
  checkUnreadEvery: 250,
  notice: 200,
  finish: 25_000,
});
