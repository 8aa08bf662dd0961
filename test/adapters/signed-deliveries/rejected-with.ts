import { expect } from 'chai';

/** Returns the error of this class that a call throws. */
export const errorThrownBy = <T extends Error>(call: () => unknown, kind: new (...args: never[]) => T): T => {
  try {
    call();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  return expect.fail('The call did not throw.');
};
