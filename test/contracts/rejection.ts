import { expect } from 'chai';

/** Returns the error that a call is rejected with; fails if the call succeeds. */
export const rejectionOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return expect.fail('the call was not rejected');
};

/** Values that are not text, as an unchecked JSON body may contain them. */
const NOT_TEXT = JSON.parse('[{"$ne": ""}, {"$gt": 0}, ["a"], true, null, 7]');
const NOT_NUMBERS = JSON.parse('[{"$gt": 0}, [1], true, null, "1"]');

/** Expects a `TypeError` for every value that is not text. */
export const refusesNonText = async (call: (value: string) => Promise<unknown>): Promise<void> => {
  for (const value of NOT_TEXT) expect(await rejectionOf(() => call(value))).to.be.instanceOf(TypeError);
};

export const refusesNonNumbers = async (call: (value: number) => Promise<unknown>): Promise<void> => {
  for (const value of NOT_NUMBERS) expect(await rejectionOf(() => call(value))).to.be.instanceOf(TypeError);
};
