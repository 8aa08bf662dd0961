import type { Bucket } from '../../../core/ports.ts';

/**
 * One text for bucket and key that no other pair has. Text outside ASCII goes in as hexadecimal digits, since not
 * every JavaScript string survives the way through JSON and SQLite.
 */
export const keyOf = ({ name }: Bucket, key: string): string => {
  const text = `${name.length}:${name}:${key}`;
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text, 'utf16le').toString('hex');
};
