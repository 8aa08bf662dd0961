import type { Instruments } from './instruments.ts';

/** A background job, as far as it is measured. */
export interface MeasuredJob {
  readonly name: string;
  /** Milliseconds. */
  readonly every: number;
  run(fence: number): Promise<number>;
}

/** The same job, with its runs measured. */
export const measureJob = <T extends MeasuredJob>(instruments: Instruments, job: T): T => {
  const { jobDuration, jobLastSuccess, jobInterval } = instruments;
  jobInterval.set({ task: job.name }, job.every / 1_000);
  // One that never goes well is stalled, too.
  jobLastSuccess.setToCurrentTime({ task: job.name });

  const run = async (fence: number): Promise<number> => {
    const began = performance.now();
    const note = (outcome: string) =>
      jobDuration.labels(job.name, outcome).observe((performance.now() - began) / 1_000);
    try {
      const done = await job.run(fence);
      note('ok');
      jobLastSuccess.setToCurrentTime({ task: job.name });
      return done;
    } catch (error) {
      note('error');
      throw error;
    }
  };
  return { ...job, run };
};
