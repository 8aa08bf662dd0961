import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { Language } from '../../core/index.ts';
import type { Answer } from '../http/answer.ts';

const unpack = promisify(gunzip);

/** What the build wrote about the files of the pages. */
export interface Manifest {
  /** The names of all. */
  readonly files: readonly string[];
  /** The scripts that every page begins with. */
  readonly entry: readonly string[];
  /** The script that runs before anything is shown. */
  readonly early: string;
  readonly styles: string;
  /** The scripts that each part of the pages needs beside them before it is shown, in each language. */
  readonly areas: Readonly<Record<string, Readonly<Record<Language, readonly string[]>>>>;
  /** The part that shows each page, by its path. */
  readonly paths: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<Language, Readonly<Record<string, string>>>>;
  readonly noScript: Readonly<Record<Language, string>>;
  /** What pages say that have a use without scripts, by their paths. */
  readonly saidWithoutScript: Readonly<Record<Language, Readonly<Record<string, string>>>>;
}

/** What is built for browsers, each with files of its own. */
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

/** The name has a hash of the content in it, which so never changes. */
export const KEPT = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

interface Packed {
  readonly body: Buffer;
  readonly encoding?: 'br' | 'gzip';
}

/** Gives the files as the build packed them. Each is read on its first request; undefined for other names. */
export const makeFiles = (front: Front, manifest: Manifest) => {
  const place = placeIn(front);
  const names = new Set(manifest.files);
  const read = new Map<string, Promise<Buffer>>();

  const contentOf = (name: string): Promise<Buffer> => {
    const reading = read.get(name) ?? readFile(place(name));
    read.set(name, reading);
    return reading;
  };

  const pack = async (name: string, accepted: string): Promise<Packed> => {
    if (/\bbr\b/.test(accepted)) return { body: await contentOf(`${name}.br`), encoding: 'br' };
    const body = await contentOf(`${name}.gz`);
    return /\bgzip\b/.test(accepted) ? { body, encoding: 'gzip' } : { body: await unpack(body) };
  };

  return async (name: string, acceptEncoding = ''): Promise<Answer<never> | undefined> => {
    if (!names.has(name)) return undefined;
    const { body, encoding } = await pack(name, acceptEncoding);
    return {
      status: 200,
      body,
      headers: {
        ...KEPT,
        'Content-Type': TYPES[name.split('.').at(-1) ?? ''] ?? '',
        Vary: 'Accept-Encoding, Origin',
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      },
    };
  };
};
