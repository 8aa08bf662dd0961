import { inFolder } from '../ground.ts';
import type { Measure } from '../measure.ts';
import { startServer } from '../server.ts';
import { median } from '../statistics.ts';
import { atMost, type Row } from '../verdict.ts';

const STARTS = 7;

const startTook = async (folder: string): Promise<number> => {
  const server = await startServer(folder);
  await server.close();
  return server.startTook;
};

/** From the start of the process to its first answer, on a new folder and on one that it knows. */
export const starting = async ({ say }: Measure): Promise<readonly Row[]> => {
  const onNew: number[] = [];
  const onKnown: number[] = [];
  for (let start = 1; start <= STARTS; start += 1) {
    say(`start: ${start} of ${STARTS}`);
    await inFolder(async (folder) => {
      onNew.push(await startTook(folder));
      onKnown.push(await startTook(folder));
    });
  }
  return [
    atMost(300, { row: 'start to first answer, known folder', unit: 'ms', product: median(onKnown) }),
    atMost(300, { row: 'start to first answer, new folder', unit: 'ms', product: median(onNew) }),
  ];
};
