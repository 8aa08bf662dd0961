export interface WebhooksJob {
  readonly folder: string;
  /** The settings that choose the store. */
  readonly settings: Readonly<Record<string, string>>;
  /** The port of the receiver on this machine. */
  readonly port: number;
  /** The number of events, each of a different user. */
  readonly events: number;
}

/** `queue` stores the events. `deliver` delivers all of them. `post` sends as many requests by a bare client. */
export interface WebhooksTask {
  readonly work: 'queue' | 'deliver' | 'post';
  readonly inFlight: number;
}

export interface WebhooksRate {
  readonly perSecond: number;
  /** Microseconds of the program's processor time for each event. */
  readonly cpu: number;
}
