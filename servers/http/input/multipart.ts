import type { Readable } from 'node:stream';

/** A part of a form: its field name and its bytes. */
export interface Part {
  readonly name: string;
  readonly content: Buffer;
}

/** The most parts of a form. */
const PARTS_MOST = 20;

const MULTIPART = /^multipart\/form-data[\t ]*(?:;|$)/i;

/** The transfer encodings that RFC 7578 section 4.7 still allows. None of them changes the bytes. */
const PLAIN_ENCODINGS = new Set(['binary', '8bit', '7bit']);

export const isMultipart = (contentType: string): boolean => MULTIPART.test(contentType);

/**
 * Reads the parts of a complete multipart/form-data body (RFC 7578) with busboy (decision 0019). Resolves with
 * undefined if busboy or the limits above refuse it. A part counts with or without a file name. A part without a
 * disposition is skipped.
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
        // busboy gives fields as text. In this character set the text keeps the bytes.
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
    // A field may name a character set of its own. For one that busboy does not know, it gives undefined.
    form.on('field', (name, value: string | undefined, { encoding }) =>
      add(name, encoding, Buffer.from(value ?? '', 'latin1')),
    );
    form.on('partsLimit', refuse).on('error', refuse);
    form.on('close', () => resolve(parts));
    form.end(body);
  });
};
