/** What a program opens: the settings choose the store. */
export interface AuditJob {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Of the same server, for the bare driver; none for SQLite, which has a file of its own. */
  readonly url?: string;
}

/**
 * `append`: rows to the log by the core, for so many seconds, so many under way. `insert`: the same rows by the bare driver,
 * 256 in a statement. `verify`: the whole log.
 */
export interface AuditTask {
  readonly work: 'append' | 'insert' | 'verify';
  readonly seconds: number;
  readonly inFlight: number;
}

export interface AuditRate {
  readonly perSecond: number;
  /** Microseconds of this process for a row. */
  readonly cpu: number;
  readonly rows: number;
}
