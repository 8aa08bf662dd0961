const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** For each bit, the base64url text of the bytes with that bit flipped. */
export const withEachBitFlipped = (text: string): readonly string[] => {
  const bytes = Buffer.from(text, 'base64url');
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return changed.toString('base64url');
  });
};

/** Other texts that a lenient decoder decodes to the same bytes. */
export const sameBytes = (text: string): readonly string[] => {
  const strays = [...ALPHABET].map((letter) => text.slice(0, -1) + letter);
  const decoded = Buffer.from(text, 'base64url');
  const others = [
    `${text}=`,
    `${text}==`,
    `${text}\n`,
    ` ${text}`,
    `${text} `,
    `${text.slice(0, 5)}\n${text.slice(5)}`,
  ];
  return [...others, ...strays]
    .filter((other) => other !== text)
    .filter((other) => Buffer.from(other, 'base64url').equals(decoded));
};

/** Variants of the text: other spellings of the same bytes, shortened and lengthened texts. */
export const respellings = (text: string): readonly string[] => [
  ...sameBytes(text),
  ...Array.from({ length: text.length }, (_, length) => text.slice(0, length)),
  ...[...ALPHABET].map((letter) => text + letter),
  `${text}.`,
  `${text}!`,
  `${text}\0`,
];
