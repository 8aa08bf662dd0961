/**
 * A listener that starts this work. A server or a process waits for none of its listeners, so what the work throws is an
 * unhandled rejection: it fails the test, or ends the child process that its test waits for.
 */
export const unawaited =
  <Given extends readonly unknown[]>(work: (...given: Given) => Promise<unknown>) =>
  (...given: Given): void => {
    void work(...given);
  };
