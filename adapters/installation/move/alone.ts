import { holdFile } from '../../sqlite/engine/file-hold.ts';

/** Another process writes the file. */
export class ExportUnderWay extends Error {
  constructor(file: string) {
    super(`Another export into ${file} is under way: let it end, or name another file.`);
    this.name = 'ExportUnderWay';
  }
}

/** Does the work on a file as the one process of the machine that does. Throws `ExportUnderWay`. */
export const alone = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
  const hold = holdFile(`${file}.lock`, 'exclusive', 0);
  if (hold === undefined) throw new ExportUnderWay(file);
  try {
    return await work();
  } finally {
    hold.release();
  }
};
