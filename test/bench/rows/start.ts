import { askOnce } from '../connection.ts';
import { inFolder } from '../folder.ts';
import { withBareKoa } from '../ground.ts';
import type { Measure } from '../measure.ts';
import { startServer } from '../server.ts';
import { median } from '../statistics.ts';
import { atMost, type Row } from '../verdict.ts';

const STARTS = 7;

const measureStart = async (folder: string): Promise<number> => {
  const server = await startServer(folder);
  await server.close();
  return server.startMs;
};

/** The start of Node.js with Koa up to a first answer, to tell a slow start from a slow machine. */
const measureKoaStart = async (): Promise<number> => {
  const startedAt = performance.now();
  return withBareKoa(64, async (port) => {
    await askOnce(port, { method: 'GET', path: '/' });
    return performance.now() - startedAt;
  });
};

/** From the start of the process to its first answer, on a new folder and on a used one. */
export const starting = async ({ say }: Measure): Promise<readonly Row[]> => {
  const onNew: number[] = [];
  const onKnown: number[] = [];
  const ofKoa: number[] = [];
  for (let start = 1; start <= STARTS; start += 1) {
    say(`start: ${start} of ${STARTS}`);
    await inFolder(async (folder) => {
      onNew.push(await measureStart(folder));
      ofKoa.push(await measureKoaStart());
      onKnown.push(await measureStart(folder));
    });
  }
  const compared = { unit: 'ms', reference: median(ofKoa), against: 'a bare Koa server' } as const;
  return [
    atMost(300, { ...compared, row: 'start to first answer, known folder', product: median(onKnown) }),
    atMost(300, { ...compared, row: 'start to first answer, new folder', product: median(onNew) }),
  ];
};
