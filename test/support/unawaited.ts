/**
 * A listener that starts this work. Emitters do not await their listeners, so an error in the work is an unhandled
 * rejection: it fails the test, or ends the child process that its test waits for.
 */
export const unawaited =
  <Args extends readonly unknown[]>(work: (...args: Args) => Promise<unknown>) =>
  (...args: Args): void => {
    void work(...args);
  };
