import type { Readable } from 'node:stream';

/** One part of a form: the field it is for, and its bytes. */
export interface Part {
  readonly name: string;
  readonly content: Buffer;
}

/** A form has few fields. */
const PARTS_MOST = 20;

const MULTIPART = /^multipart\/form-data[\t ]*(?:;|$)/i;

/** The transfer encodings that RFC 7578 section 4.7 leaves: those that change nothing. */
const PLAIN_ENCODINGS = new Set(['binary', '8bit', '7bit']);

export const isMultipart = (contentType: string): boolean => MULTIPART.test(contentType);

/**
 * The parts of a whole multipart/form-data body (RFC 7578), read by busboy (decision 0019). Resolves with undefined when busboy or the
 * limits above refuse it. A part counts whether it has a file name or not; one without a disposition is skipped.
 */
export const readParts = async (body: Buffer, contentType: string): Promise<readonly Part[] | undefined> => {
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
        headers: { 'content-type': contentType },
        // Fields come as texts; in this character set they keep their bytes.
        defCharset: 'latin1',
        limits: { parts: PARTS_MOST + 1, fieldSize: body.length + 1 },
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
    form.on('field', (name, value, { encoding }) => add(name, encoding, Buffer.from(value, 'latin1')));
    form.on('partsLimit', refuse).on('error', refuse);
    form.on('close', () => resolve(parts));
    form.end(body);
  });
};
