import { storedFile } from '../../core/files/file-record.ts';
import type { StoredFile } from '../../core/files/ports.ts';
import { NOW } from './samples.ts';

/** A valid file id. Ids sort in the order of their numbers. */
export const fileId = (number: number): string =>
  `0190a1b2-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

export const sampleFile = (number: number, differences: Partial<StoredFile> = {}): StoredFile => ({
  id: fileId(number),
  user: 'user',
  uploadedAt: NOW + number,
  size: 1_000,
  entry: `{"number":${number},"filenameEnc":"Zażółć 🦊 \\u0000"}`,
  item: `{"item":${number},"filenameEnc":"Zażółć 🦊 \\u0000"}`,
  bytes: 100 + number,
  keyId: 'key',
  ...differences,
});

/** A record as the core makes it, with characters in the name that stores may not keep. */
export const fileOf = (number: number): StoredFile =>
  storedFile(
    {
      id: fileId(number),
      filenameEnc: 'Zażółć 🦊 \u0000\n"\ud800',
      size: number,
      user: 'user',
      mimeType: 'image/png',
      dekEnc: 'key',
      thumb: number % 2 === 0,
      uploadedAt: NOW + number,
    },
    { keyOf: () => undefined },
  );
