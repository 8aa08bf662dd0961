import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const BLOCK = 512;

/** A file in an archive; its content stands in the archive's file from `start` on. */
export interface TarMember {
  readonly name: string;
  readonly size: number;
  readonly start: number;
}

/** The file is not an archive as `TarWriter` writes it, or is incomplete. */
export class BrokenArchive extends Error {
  constructor(reason: string) {
    super(`The archive cannot be read: ${reason}.`);
    this.name = 'BrokenArchive';
  }
}

const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

const checksumOf = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);

/** A header in the ustar format (POSIX.1-1988); a size over 8 GiB in the base-256 form that GNU tar reads and writes. */
const headerOf = (name: string, size: number): Buffer => {
  const header = Buffer.alloc(BLOCK);
  if (header.write(name, 0, 100) < Buffer.byteLength(name)) throw new RangeError('The name is too long.');
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size < 8 ** 11) {
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  } else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write('00000000000\0', 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

const readHeader = (header: Buffer): { readonly name: string; readonly size: number } => {
  const text = (start: number, end: number) => header.toString('utf8', start, end).replace(/\0[\s\S]*$/, '');
  if (Number.parseInt(text(148, 156), 8) !== checksumOf(header))
    throw new BrokenArchive('a header is damaged');
  const size =
    header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 136), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new BrokenArchive('a size is no number');
  if (text(156, 157) !== '0') throw new BrokenArchive('it holds something other than files');
  return { name: text(0, 100), size };
};

/** Writes an archive of files, in order. */
export interface TarWriter {
  /** Writes exactly `size` bytes and returns their SHA-256 in hex. Throws `RangeError` for more or fewer bytes. */
  add(name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string>;
  /** Ends the archive and syncs it to disk. */
  end(): Promise<void>;
}

export const makeTarWriter = (file: FileHandle): TarWriter => ({
  add: async (name, size, content) => {
    const hash = createHash('sha256');
    await file.write(headerOf(name, size));
    let remaining = size;
    for await (const chunk of content) {
      remaining -= chunk.length;
      if (remaining < 0) break;
      hash.update(chunk);
      await file.write(chunk);
    }
    if (remaining !== 0) throw new RangeError(`${name} changed while it was read.`);
    await file.write(Buffer.alloc(padding(size)));
    return hash.digest('hex');
  },
  end: async () => {
    await file.write(Buffer.alloc(2 * BLOCK));
    await file.sync();
  },
});

/** The members of an archive in order. Throws `BrokenArchive`, also if the end of the archive is missing. */
export async function* readTar(path: string): AsyncGenerator<TarMember> {
  const file = await open(path, 'r');
  try {
    const header = Buffer.alloc(BLOCK);
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(header, 0, BLOCK, at);
      if (bytesRead < BLOCK) throw new BrokenArchive('it is cut off');
      if (header.every((byte) => byte === 0)) return;
      const { name, size } = readHeader(header);
      yield { name, size, start: at + BLOCK };
      at += BLOCK + size + padding(size);
    }
  } finally {
    await file.close();
  }
}

/** A member's content. */
export const contentOf = (path: string, { start, size }: TarMember): AsyncIterable<Uint8Array> =>
  size === 0 ? noBytes() : createReadStream(path, { start, end: start + size - 1 });

async function* noBytes(): AsyncGenerator<Uint8Array> {}
