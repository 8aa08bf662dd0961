import { expect } from 'chai';

/** The error that a call throws, which must be of that class. */
export const rejectedWith = <T extends Error>(call: () => unknown, kind: new (...args: never[]) => T): T => {
  try {
    call();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  return expect.fail('It was not refused.');
};
