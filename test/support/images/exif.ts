import { big16, big32, join, little16, little32, type Part } from './bytes.ts';

/** The place in the metadata of a camera, which a cleaned image must not contain. */
export const PLACE = 'Kamienna 7, 31-403';

type Entry = readonly [tag: number, type: number, count: number, value: Uint8Array];

/**
 * A TIFF block of a camera: its maker, the orientation and a GPS directory with 50° 4' N and the name of the place.
 */
export const cameraExif = (orientation: number, order: 'II' | 'MM' = 'MM'): Uint8Array => {
  const [short, long] = order === 'II' ? [little16, little32] : [big16, big32];
  const directory = (entries: readonly Entry[]): Uint8Array =>
    join(
      short(entries.length),
      ...entries.flatMap(([tag, type, count, value]): Part[] => [
        short(tag),
        short(type),
        long(count),
        value,
      ]),
      long(0),
    );
  const first = 8;
  const gps = first + 2 + 3 * 12 + 4;
  const data = gps + 2 + 3 * 12 + 4;
  return join(
    order,
    short(42),
    long(first),
    directory([
      [0x010f, 2, 4, join('Cam\0')],
      [0x0112, 3, 1, join(short(orientation), 0, 0)],
      [0x8825, 4, 1, long(gps)],
    ]),
    directory([
      [0x0001, 2, 2, join('N\0\0\0')],
      [0x0002, 5, 3, long(data)],
      [0x001c, 2, PLACE.length + 1, long(data + 24)],
    ]),
    ...[50, 1, 4, 1, 0, 1].map(long),
    PLACE,
    0,
  );
};
