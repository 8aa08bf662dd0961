/** How often a race is repeated: the environment variable `ROUNDS`, or twice. */
export const rounds = (): number => Number(process.env.ROUNDS ?? 2);

/** Starts all calls at once and returns their results in the order of the calls. */
export const race = <T>(count: number, call: (place: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => call(place)));

/** Runs the rounds one after another. */
export const inRounds = async (round: (number: number) => Promise<void>): Promise<void> => {
  const last = rounds();
  for (let number = 1; number <= last; number += 1) await round(number);
};
