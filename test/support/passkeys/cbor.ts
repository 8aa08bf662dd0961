/** The values in an attestation object. */
type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

const head = (major: number, length: number): Buffer => {
  const type = major << 5;
  if (length < 24) return Buffer.of(type | length);
  if (length < 256) return Buffer.of(type | 24, length);
  return Buffer.of(type | 25, length >> 8, length & 255);
};

/** Encodes texts, byte strings, lists and maps shorter than 64 KiB, and numbers of at most 16 bits (RFC 8949). */
export const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((item) => cbor(item))]);
  const items = [...(value as readonly Cbor[])];
  return Buffer.concat([head(4, items.length), ...items.map((item) => cbor(item))]);
};
