import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { isError } from '../calls/is-error.ts';

/** A file in an archive. Its content must be read before the next member is asked for, or is skipped. */
export interface TarMember {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The file is not an archive of files, or is incomplete. */
export class BrokenArchive extends Error {
  constructor(reason: string) {
    super(`The archive cannot be read: ${reason}.`);
    this.name = 'BrokenArchive';
  }
}

/** Writes an archive of files, in order. A failure ends the archive. */
export interface TarWriter {
  /** Writes exactly `size` bytes and returns their SHA-256 in hex. Rejects for more or fewer bytes. */
  add(name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string>;
  /** Ends the archive and syncs it to disk. */
  end(): Promise<void>;
}

export const makeTarWriter = (file: FileHandle): TarWriter => {
  const { readable, controller } = createTarPacker();
  const written = (async () => {
    // A cancellation would hide the reason of a failed write from `add`.
    for await (const chunk of readable.values({ preventCancel: true })) await file.writeFile(chunk);
  })();
  written.catch((error: unknown) => controller.error(error));
  return {
    add: async (name, size, content) => {
      const hash = createHash('sha256');
      const body = controller.add({ name, size, mode: 0o600, mtime: new Date(0) }).getWriter();
      for await (const chunk of content) {
        hash.update(chunk);
        await body.write(chunk);
      }
      await body.close();
      return hash.digest('hex');
    },
    end: async () => {
      controller.finalize();
      await written;
      await file.sync();
    },
  };
};

/** Errors of the file system have a code; all others are about the archive. */
const asBroken = (error: unknown): unknown =>
  error instanceof BrokenArchive || (isError(error) && 'code' in error)
    ? error
    : new BrokenArchive('it is no backup, or is cut off or damaged');

async function* contentOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw asBroken(error);
  }
}

/** Large, since each chunk costs several promises. */
const CHUNK_BYTES = 2 ** 19;

/** The members of an archive in order. Throws `BrokenArchive`, also if the end of the archive is missing. */
export async function* readTar(path: string): AsyncGenerator<TarMember> {
  // Not `Readable.toWeb`, which throws where nobody can catch if the reader stops while a chunk arrives.
  const bytes = ReadableStream.from<Uint8Array>(createReadStream(path, { highWaterMark: CHUNK_BYTES }));
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }));
  try {
    for await (const { header, body } of entries) {
      const { name, size, type } = header;
      if (type !== 'file') throw new BrokenArchive('it holds something other than files');
      yield { name, size, content: contentOf(body) };
      // The rest is read and not cancelled: modern-tar 0.8.6 reads ahead, and a cancellation then hits the next member.
      for await (const _ of body);
    }
  } catch (error) {
    throw asBroken(error);
  }
}
