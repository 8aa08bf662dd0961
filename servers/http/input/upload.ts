import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { HttpError, malformed, unsupportedType } from '../http-error.ts';
import { readRaw } from './read-body.ts';

interface Part {
  readonly name: string;
  readonly content: Buffer;
}

const MOST_PARTS = 20;

const MULTIPART = /^multipart\/form-data[\t ]*(?:;|$)/i;

/** The accepted transfer encodings of a part: those that leave its bytes as they are. RFC 7578 section 4.7 deprecates the header. */
const PLAIN_ENCODINGS = new Set(['binary', '8bit', '7bit']);

/**
 * Reads the parts of a complete multipart/form-data body (RFC 7578) with busboy (decision 0019). Resolves with undefined if busboy
 * refuses the body, a part has another transfer encoding, or there are too many parts. A part may lack a file name. A part without
 * a disposition is skipped.
 */
const readParts = async (body: Buffer, contentType: string): Promise<readonly Part[] | undefined> => {
  const { default: busboy } = await import('busboy');
  return new Promise((resolve) => {
    const refuse = () => resolve(undefined);
    const parts: Part[] = [];
    const add = (name: string | undefined, encoding: string, content: Buffer) => {
      if (name === undefined || !PLAIN_ENCODINGS.has(encoding)) return refuse();
      parts.push({ name, content });
    };
    const makeForm = () =>
      busboy({
        // RFC 9110 section 5.6.6 allows a semicolon at the end, which busboy does not.
        headers: { 'content-type': contentType.replace(/;[\t ]*$/, '') },
        // busboy decodes fields to text. In this character set each byte becomes one character.
        defCharset: 'latin1',
        // Each limit is one more than the allowed number, since busboy refuses a number that reaches the limit. No field is cut off.
        limits: { parts: MOST_PARTS + 1, fieldSize: body.length + 1 },
      });
    let form: ReturnType<typeof makeForm>;
    try {
      form = makeForm();
    } catch {
      return refuse();
    }
    form.on('file', (name, file: Readable, { encoding }) => {
      const pieces: Buffer[] = [];
      file.on('data', (piece: Buffer) => pieces.push(piece));
      file.on('end', () => add(name, encoding, Buffer.concat(pieces)));
      file.on('error', refuse);
    });
    // If a field names its own character set, busboy decodes it by that set: its bytes may change, and the value is undefined if
    // busboy does not know the set.
    form.on('field', (name, value: string | undefined, { encoding }) =>
      add(name, encoding, Buffer.from(value ?? '', 'latin1')),
    );
    form.on('partsLimit', refuse).on('error', refuse);
    form.on('close', () => resolve(parts));
    form.end(body);
  });
};

/** The file that a route expects as multipart/form-data (RFC 7578). */
export interface UploadSpec<Who = unknown> {
  /** The name of the file's form field. */
  readonly field: string;
  /** The most bytes of the file. */
  readonly longest: number;
  /**
   * Called before the body is read, to count the upload among those under way; `bytes` is its `uploadSize`. Throws if there are too
   * many. The returned function is called when the upload has ended.
   */
  readonly begin?: (principal: Who, bytes: number) => () => void;
}

/** Bytes for boundaries, part headers and small fields. */
const FORM_OVERHEAD_BYTES = 16_384;

const fileTooLarge = (longest: number) =>
  malformed('file_too_large', `The file may have at most ${longest} bytes.`);

/** The most memory that an upload takes while it is read: its length or the limit. A compressed body takes the limit once more. */
export const uploadSize = ({ headers }: IncomingMessage, { longest }: UploadSpec): number => {
  const most = longest + FORM_OVERHEAD_BYTES;
  const sent = Math.min(most, Number(headers['content-length'] ?? most));
  return headers['content-encoding'] === undefined ? sent : sent + most;
};

/** Reads the complete body. Its length is limited before it is parsed. */
const readWhole = async (req: IncomingMessage, longest: number): Promise<Buffer> => {
  try {
    return await readRaw(req, longest + FORM_OVERHEAD_BYTES);
  } catch (error) {
    throw error instanceof HttpError && error.status === 413 ? fileTooLarge(longest) : error;
  }
};

/**
 * Reads the one file of a form; its name and its stated type do not matter. Throws 415 if the request is not
 * multipart/form-data or has an encoding other than gzip and deflate. Throws 400 for `file_missing`,
 * `file_too_large` (in place of 413) and `invalid_multipart`, and otherwise as `readRaw` does.
 */
export const readUpload = async (
  req: IncomingMessage,
  { field, longest }: UploadSpec,
): Promise<Uint8Array> => {
  const contentType = req.headers['content-type'] ?? '';
  if (!MULTIPART.test(contentType)) throw unsupportedType('multipart/form-data');
  const parts = await readParts(await readWhole(req, longest), contentType);
  if (parts === undefined)
    throw malformed('invalid_multipart', 'The body is not well-formed multipart/form-data.');
  const [file, another] = parts.filter(({ name }) => name === field);
  // Browsers send an empty file if none was chosen.
  if (file === undefined || another !== undefined || file.content.length === 0)
    throw malformed('file_missing', `The form needs one file in the field ${field}.`);
  if (file.content.length > longest) throw fileTooLarge(longest);
  return file.content;
};
