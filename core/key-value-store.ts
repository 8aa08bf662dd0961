/** A JSON value of background work, with the number of its writes. */
export interface StoredValue<T> {
  readonly value: T;
  readonly version: number;
}

/** Values that background work stores for operators: one document for each name. */
export interface KeyValueStore {
  find<T>(name: string): Promise<StoredValue<T> | undefined>;
  /** Replaces the value if it still has this `version` (0: it does not exist); false otherwise. */
  put(name: string, value: object, version: number): Promise<boolean>;
}
