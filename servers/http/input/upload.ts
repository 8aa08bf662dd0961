import type { IncomingMessage } from 'node:http';
import { HttpError, malformed, unsupportedType } from '../http-error.ts';
import { isMultipart, readParts } from './multipart.ts';
import { readRaw } from './raw-body.ts';

/** A file that a route takes as multipart/form-data (RFC 7578). */
export interface UploadSpec<Who = unknown> {
  /** The form field it comes in. */
  readonly field: string;
  /** Bytes of the file itself. */
  readonly longest: number;
  /**
   * Called before the body is read, with the bytes that it may hold in memory; what it gives is called when they are
   * needed no more. Throws where there are too many.
   */
  readonly begin?: (who: Who, bytes: number) => () => void;
}

/** Boundaries, part headers and small fields beside the file. */
const OVERHEAD = 16_384;

const fileTooLarge = (longest: number) =>
  malformed('file_too_large', `The file may have at most ${longest} bytes.`);

/** The bytes of memory that reading the upload may take: of a compressed one it holds both forms. */
export const uploadSize = ({ headers }: IncomingMessage, { longest }: UploadSpec): number => {
  const most = longest + OVERHEAD;
  const wire = Math.min(most, Number(headers['content-length'] ?? most));
  return headers['content-encoding'] === undefined ? wire : wire + most;
};

/** The whole body, bounded before anything looks at it. */
const readWhole = async (req: IncomingMessage, longest: number): Promise<Buffer> => {
  try {
    return await readRaw(req, longest + OVERHEAD);
  } catch (error) {
    throw error instanceof HttpError && error.status === 413 ? fileTooLarge(longest) : error;
  }
};

/**
 * Reads the one file of a form; what it is called and said to be does not matter. Throws 415 when the request is no
 * multipart/form-data or in a content encoding other than gzip and deflate, 400 for everything else: `file_missing`,
 * `file_too_large`, `invalid_multipart`, and as `readRaw` does.
 */
export const readUpload = async (
  req: IncomingMessage,
  { field, longest }: UploadSpec,
): Promise<Uint8Array> => {
  const contentType = req.headers['content-type'] ?? '';
  if (!isMultipart(contentType)) throw unsupportedType('multipart/form-data');
  const parts = await readParts(await readWhole(req, longest), contentType);
  if (parts === undefined)
    throw malformed('invalid_multipart', 'The body is not well-formed multipart/form-data.');
  const [file, another] = parts.filter(({ name }) => name === field);
  // A form that was sent without choosing a file has an empty one.
  if (file === undefined || another !== undefined || file.content.length === 0)
    throw malformed('file_missing', `The form needs one file in the field ${field}.`);
  if (file.content.length > longest) throw fileTooLarge(longest);
  return file.content;
};
