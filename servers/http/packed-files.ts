import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { makeSharedCalls } from '../../core/join-running-calls.ts';
import type { ResponseBody } from './response-body.ts';

const unpack = promisify(gunzip);

/** The compressed forms of a file, with the endings of their names. */
const ENDINGS = { br: 'br', gzip: 'gz' } as const;
export type Encoding = keyof typeof ENDINGS;

/** Matches if a client names the encoding, and not with the weight 0 (RFC 9110 section 12.5.3). */
const ACCEPTED = Object.fromEntries(
  Object.keys(ENDINGS).map((encoding) => [
    encoding,
    new RegExp(`\\b${encoding}\\b(?! *; *q=0(?:\\.0*)?(?![.\\d]))`, 'i'),
  ]),
) as Readonly<Record<Encoding, RegExp>>;

/** The first of `encodings` that a client accepts; undefined for a client that accepts none of them. */
export const chooseEncoding = (
  acceptEncoding: string,
  encodings: readonly Encoding[],
): Encoding | undefined => encodings.find((encoding) => ACCEPTED[encoding].test(acceptEncoding));

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

export const typeOfFile = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? '';

/** For URLs that contain the version or a hash of the content, so that their content never changes. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/**
 * Returns the files of a folder as the build compressed them: in `encodings`, the best first, which include gzip. Each is read
 * once, and again after a failure. A client that accepts none of the encodings gets the unpacked file.
 */
export const makePackedFiles = (folder: URL, encodings: readonly Encoding[]) => {
  const contents = new Map<string, Promise<Buffer>>();
  // Requests at the same time share one copy: an unpacked file is much larger than a packed one.
  const share = makeSharedCalls<Buffer>();

  const contentOf = (name: string, encoding: Encoding): Promise<Buffer> => {
    const file = `${name}.${ENDINGS[encoding]}`;
    const earlier = contents.get(file);
    if (earlier !== undefined) return earlier;
    const reading = readFile(new URL(file, folder));
    contents.set(file, reading);
    reading.catch(() => contents.delete(file));
    return reading;
  };

  return async (name: string, acceptEncoding = ''): Promise<ResponseBody<never>> => {
    const encoding = chooseEncoding(acceptEncoding, encodings);
    const packed = await contentOf(name, encoding ?? 'gzip');
    return {
      status: 200,
      body: encoding === undefined ? await share(name, () => unpack(packed)) : packed,
      bytesId: `${folder.pathname}${name} ${encoding}`,
      headers: {
        'Cache-Control': CACHE_FOREVER,
        'Content-Type': typeOfFile(name),
        // Replaces the `Vary: Origin` of the CORS answer, which `allowOrigins` has set.
        Vary: 'Accept-Encoding, Origin',
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      },
    };
  };
};
