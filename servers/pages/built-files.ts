import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { Language } from '../../core/index.ts';
import { makeSharedCalls } from '../../core/join-running-calls.ts';
import type { ResponseBody } from '../http/response-body.ts';

const unpack = promisify(gunzip);

/** The texts of a page while its scripts are blocked. `provider` has `{name}` in it. */
type PlainTexts = Readonly<
  Record<'noScript' | 'api' | 'methods' | 'password' | 'passkey' | 'provider', string>
>;

/** The build's manifest of the pages' files. */
export interface Manifest {
  /** The names of all files. */
  readonly files: readonly string[];
  /** The scripts that every page begins with. */
  readonly entry: readonly string[];
  /** The script that runs before anything is shown. */
  readonly early: string;
  readonly styles: string;
  /** The further scripts that each area of the pages needs before it is shown, by language. */
  readonly areas: Readonly<Record<string, Readonly<Record<Language, readonly string[]>>>>;
  /** The area of each page, by its path. */
  readonly paths: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<Language, Readonly<Record<string, string>>>>;
  readonly plain: Readonly<Record<Language, PlainTexts>>;
  /** The texts of pages that are useful without scripts, by path. */
  readonly saidWithoutScript: Readonly<Record<Language, Readonly<Record<string, string>>>>;
}

/** A front that is built for browsers, with its own files. */
export type Front = 'account' | 'console';

const placeIn = (front: Front) => (name: string) => new URL(`files/${front}/${name}`, import.meta.url);

/** Throws when the pages were not built. */
export const readManifest = (front: Front): Manifest =>
  JSON.parse(readFileSync(placeIn(front)('manifest.json'), 'utf8'));

/** The styles of a front, as the build joined them. */
export const readStyles = (front: Front): Buffer =>
  gunzipSync(readFileSync(placeIn(front)(`${readManifest(front).styles}.gz`)));

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The name contains a hash of the content, so the content never changes. */
export const CACHE_FOREVER = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

interface Packed {
  readonly body: Buffer;
  readonly encoding?: 'br' | 'gzip';
}

/** Returns the files as the build compressed them. Each is read on its first request; undefined for other names. */
export const makeFiles = (front: Front, manifest: Manifest) => {
  const place = placeIn(front);
  const names = new Set(manifest.files);
  const contents = new Map<string, Promise<Buffer>>();
  // Requests at the same time share one copy: an unpacked file is much larger than a packed one.
  const share = makeSharedCalls<Buffer>();

  const contentOf = (name: string): Promise<Buffer> => {
    const reading = contents.get(name) ?? readFile(place(name));
    contents.set(name, reading);
    return reading;
  };

  const pack = async (name: string, accepted: string): Promise<Packed> => {
    if (/\bbr\b/.test(accepted)) return { body: await contentOf(`${name}.br`), encoding: 'br' };
    const body = await contentOf(`${name}.gz`);
    return /\bgzip\b/.test(accepted)
      ? { body, encoding: 'gzip' }
      : { body: await share(name, () => unpack(body)) };
  };

  return async (name: string, acceptEncoding = ''): Promise<ResponseBody<never> | undefined> => {
    if (!names.has(name)) return undefined;
    const { body, encoding } = await pack(name, acceptEncoding);
    return {
      status: 200,
      body,
      bytesId: `${front} ${name} ${encoding}`,
      headers: {
        ...CACHE_FOREVER,
        'Content-Type': TYPES[name.split('.').at(-1) ?? ''] ?? '',
        Vary: 'Accept-Encoding, Origin',
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      },
    };
  };
};
