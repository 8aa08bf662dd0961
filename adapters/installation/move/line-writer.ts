import type { FileHandle } from 'node:fs/promises';
import type { Line } from './lines.ts';

/** Characters that are gathered before they are written. */
const GATHERED = 262_144;

/** Writes lines into a file, from this byte on. */
export const makeLineWriter = (handle: FileHandle, from: number) => {
  let [waiting, length, position]: [string[], number, number] = [[], 0, from];
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(waiting.join(''));
    [waiting, length] = [[], 0];
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position);
      written += bytesWritten;
      position += bytesWritten;
    }
  };
  return {
    flush,
    /** `note` hears the text of the line. */
    add: async (line: Line, note: (text: string) => void): Promise<void> => {
      const text = `${JSON.stringify(line)}\n`;
      note(text);
      waiting.push(text);
      length += text.length;
      if (length >= GATHERED) await flush();
    },
  };
};
