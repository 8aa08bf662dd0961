import { figure } from '../runner/figures.ts';

/** Shows what the work took. */
export const timed = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  const result = await work();
  figure(`${name}: ${(performance.now() - began).toFixed(0)} ms`);
  return result;
};
