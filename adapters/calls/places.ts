import type { Time } from './time.ts';

/** Lets a few calls run at once and some more wait for their turn, in order of arrival. */
export interface Places {
  /** True with a place, which is to be left afterwards; false when none was free in time. */
  take(milliseconds: number): Promise<boolean>;
  leave(): void;
}

export const makePlaces = (
  { after }: Pick<Time, 'after'>,
  most: { readonly running: number; readonly waiting: number },
): Places => {
  const waiting: ((hasPlace: boolean) => void)[] = [];
  let running = 0;

  const wait = (milliseconds: number) =>
    new Promise<boolean>((resolve) => {
      const callOff = after(milliseconds, () => {
        waiting.splice(waiting.indexOf(begin), 1);
        resolve(false);
      });
      const begin = () => {
        callOff();
        resolve(true);
      };
      waiting.push(begin);
    });

  return {
    take: async (milliseconds) => {
      if (running >= most.running) return waiting.length < most.waiting && wait(milliseconds);
      running += 1;
      return true;
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next(true);
    },
  };
};
