interface Closable {
  close(): Promise<void> | void;
}

/** What was opened so far, and how to close it. */
export interface Resources {
  opened<T extends Closable>(resource: T): T;
  onClose(close: Closable['close']): void;
  /** In reverse order of opening. */
  closeAll(): Promise<void>;
}

/** Runs work that opens resources one after another. If it fails, those opened by then are closed. */
export const withResources = async <T>(work: (resources: Resources) => Promise<T>): Promise<T> => {
  const closers: Closable['close'][] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const opened = <R extends Closable>(resource: R): R => {
    closers.push(() => resource.close());
    return resource;
  };
  try {
    return await work({ opened, closeAll, onClose: (close) => closers.push(close) });
  } catch (error) {
    // The first error is the one to report.
    await closeAll().catch(() => undefined);
    throw error;
  }
};
