import { randomBytes, randomInt } from 'node:crypto';

/** A base64url text with some bytes replaced, which may also be shortened or extended by up to `longest` bytes. */
export const corruptBase64url = (text: string, longest = 40_000): string => {
  const bytes = Buffer.from(text, 'base64url');
  for (let change = randomInt(1, 6); change > 0; change -= 1) bytes[randomInt(bytes.length)] = randomInt(256);
  const extended = Buffer.concat([bytes, randomBytes(randomInt(2) * randomInt(longest + 1))]);
  const result = extended
    .subarray(0, randomInt(3) === 0 ? randomInt(bytes.length) : extended.length)
    .toString('base64url');
  return result === text ? corruptBase64url(text, longest) : result;
};
