/** The store that the program opens. */
export interface AuditJob {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The URL of the same server for the bare driver; absent for SQLite, which has a file of its own. */
  readonly url?: string;
}

/**
 * `append` writes rows to the log through the core, `inFlight` at a time. `insert` writes such rows through the bare driver,
 * 256 a statement. `verify` checks the whole log.
 */
export interface AuditTask {
  readonly work: 'append' | 'insert' | 'verify';
  readonly seconds: number;
  readonly inFlight: number;
}

export interface AuditRate {
  readonly perSecond: number;
  /** Microseconds of the program's processor time for a row. */
  readonly cpu: number;
  readonly rows: number;
}
