/** What background work found out, as JSON, with the number of times that it was written. */
export interface Finding<T> {
  readonly value: T;
  readonly version: number;
}

/** What background work found out for operators: one document for each name. */
export interface Findings {
  find<T>(name: string): Promise<Finding<T> | undefined>;
  /** Replaces it if it still is at `version`; 0 stands for one that is not there. False otherwise. */
  put(name: string, value: object, version: number): Promise<boolean>;
}
