interface Closable {
  close(): Promise<void> | void;
}

/** What was opened on the way, each with how to close it. */
export interface Resources {
  opened<T extends Closable>(resource: T): T;
  onClose(close: Closable['close']): void;
  /** In reverse order of opening. */
  closeAll(): Promise<void>;
}

/** Does work that opens one thing after another; where it fails, what it had opened by then is closed again. */
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
    // Why it failed is what counts.
    await closeAll().catch(() => undefined);
    throw error;
  }
};
