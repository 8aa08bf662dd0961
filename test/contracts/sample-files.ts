import type { StoredFile } from '../../core/files/ports.ts';
import { NOW } from './samples.ts';

/** An id of the form that file ids have, in the order of the numbers. */
export const fileId = (number: number): string =>
  `0190a1b2-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

export const sampleFile = (number: number, differences: Partial<StoredFile> = {}): StoredFile => ({
  id: fileId(number),
  user: 'user',
  uploadedAt: NOW + number,
  size: 1_000,
  entry: `{"number":${number},"filenameEnc":"Zażółć 🦊 \\u0000"}`,
  bytes: 100 + number,
  keyId: 'key',
  ...differences,
});
