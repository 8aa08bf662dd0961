import { expect } from 'chai';

/** What a call was refused with; fails when it was not. */
export const rejectionOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return expect.fail('it was not refused');
};

/** Values that an unchecked JSON body could bring where text is due. */
const NOT_TEXT = JSON.parse('[{"$ne": ""}, {"$gt": 0}, ["a"], true, null, 7]');
const NOT_NUMBERS = JSON.parse('[{"$gt": 0}, [1], true, null, "1"]');

/** Each value must be refused with a `TypeError`. */
export const refusesNonText = async (call: (value: string) => Promise<unknown>): Promise<void> => {
  for (const value of NOT_TEXT) expect(await rejectionOf(() => call(value))).to.be.instanceOf(TypeError);
};

export const refusesNonNumbers = async (call: (value: number) => Promise<unknown>): Promise<void> => {
  for (const value of NOT_NUMBERS) expect(await rejectionOf(() => call(value))).to.be.instanceOf(TypeError);
};
