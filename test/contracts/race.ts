/** How often a race is repeated: `ROUNDS` of the environment, or twice. */
export const rounds = (): number => Number(process.env.ROUNDS ?? 2);

/** Starts the calls side by side and gives all their answers. */
export const race = <T>(count: number, call: (place: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => call(place)));

/** Does it once per round, one after the other. */
export const inRounds = async (round: (number: number) => Promise<void>): Promise<void> => {
  const last = rounds();
  for (let number = 1; number <= last; number += 1) await round(number);
};
