import type { Bucket } from '../../../core/ports.ts';

/**
 * The key of a window: a text that is unique for bucket and key. Text outside ASCII is written as hexadecimal digits,
 * since not every JavaScript string survives JSON and SQLite.
 */
export const keyOf = ({ name }: Bucket, key: string): string => {
  const text = `${name.length}:${name}:${key}`;
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text, 'utf16le').toString('hex');
};
