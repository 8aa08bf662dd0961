export interface WebhooksJob {
  readonly folder: string;
  /** Those that choose the store. */
  readonly settings: Readonly<Record<string, string>>;
  /** The port of the receiver on this machine. */
  readonly port: number;
  /** Each of a user of its own. */
  readonly events: number;
}

/** `queue`: events are stored. `deliver`: until none is due. `post`: as many requests by the bare client, so many at once. */
export interface WebhooksTask {
  readonly work: 'queue' | 'deliver' | 'post';
  readonly inFlight: number;
}

export interface WebhooksRate {
  readonly perSecond: number;
  /** Microseconds of this process for each. */
  readonly cpu: number;
}
