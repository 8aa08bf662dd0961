import type { IncomingMessage } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { Context } from './context.ts';
import { HttpError, malformed, unsupportedType } from './http-error.ts';
import { readRaw } from './raw-body.ts';

/** A file that a route takes as multipart/form-data (RFC 7578). */
export interface UploadSpec {
  /** The form field it comes in. */
  readonly field: string;
  /** Bytes of the file itself. */
  readonly longest: number;
}

/** Boundaries, part headers and small fields beside the file. */
const OVERHEAD = 16_384;

const MULTIPART = /^multipart\/form-data *;.*\bboundary=/i;

const fileTooLarge = (longest: number) =>
  malformed('file_too_large', `The file may have at most ${longest} bytes.`);

/** The whole body, bounded before anything looks at it. */
const readWhole = async (req: IncomingMessage, longest: number): Promise<Buffer> => {
  try {
    return await readRaw(req, longest + OVERHEAD);
  } catch (error) {
    throw error instanceof HttpError && error.status === 413 ? fileTooLarge(longest) : error;
  }
};

type Files = ReadonlyMap<unknown, readonly Buffer[]>;

/** Reads the parts into memory, never into files. What koa-body throws is the sender's fault: the bytes are all here. */
const parse = async (
  ctx: Context,
  raw: Buffer,
): Promise<{ files: Files; byField: Record<string, unknown> }> => {
  const { koaBody } = await import('koa-body');
  const files = new Map<unknown, Buffer[]>();
  const collect = (file: unknown) => {
    const chunks: Buffer[] = [];
    files.set(file, chunks);
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk);
        done();
      },
    });
  };
  const read = koaBody({
    json: false,
    text: false,
    urlencoded: false,
    multipart: true,
    patchNode: false,
    formidable: {
      maxFiles: 2,
      maxFields: 10,
      maxFieldsSize: OVERHEAD,
      allowEmptyFiles: true,
      minFileSize: 0,
      maxFileSize: raw.length,
      maxTotalFileSize: raw.length,
      fileWriteStreamHandler: collect,
    },
  });
  const replay = Object.assign(Readable.from([raw]), { headers: ctx.req.headers });
  const request: { files?: Record<string, unknown> } = {};
  const inner = Object.create(ctx, { req: { value: replay }, request: { value: request } });
  try {
    await read(inner, async () => undefined);
  } catch {
    throw malformed('invalid_multipart', 'The body is not well-formed multipart/form-data.');
  }
  return { files, byField: request.files ?? {} };
};

/**
 * Reads the one file of a form. Throws 415 when the request is no multipart/form-data, 400 for everything else:
 * `file_missing`, `file_too_large`, `invalid_multipart`.
 */
export const readUpload = async (ctx: Context, { field, longest }: UploadSpec): Promise<Uint8Array> => {
  if (!MULTIPART.test(ctx.req.headers['content-type'] ?? '')) throw unsupportedType('multipart/form-data');
  const { files, byField } = await parse(ctx, await readWhole(ctx.req, longest));
  const chunks = Object.hasOwn(byField, field) ? files.get(byField[field]) : undefined;
  if (chunks === undefined) throw malformed('file_missing', `The form needs one file in the field ${field}.`);
  const bytes = Buffer.concat(chunks);
  if (bytes.length > longest) throw fileTooLarge(longest);
  return bytes;
};
