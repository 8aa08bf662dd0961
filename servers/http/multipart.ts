/** One part of a form: the field it is for, and its bytes where they stand in the body. */
export interface Part {
  readonly name: string;
  readonly content: Buffer;
}

/** A form has few fields, and the headers of one are short. */
const PARTS_MOST = 20;
const HEADERS_LONGEST = 4_096;

const MULTIPART = /^multipart\/form-data[\t ]*(?:;|$)/i;
// RFC 2046 section 5.1.1: at most 70 characters, in quotes where it has others than a token's.
const BOUNDARY = /;[\t ]*boundary=(?:"([\x20-\x7e]{0,69}[\x21-\x7e])"|([^\s";]{1,70}))[\t ]*(?:;|$)/i;

const DISPOSITION = /^content-disposition:[\t ]*form-data[\t ]*(;.*)$/i;
// Browsers write a quote in a value as %22, others as \", and both leave other backslashes as they are.
const PARAMETER = /;[\t ]*([\w*-]+)=(?:"((?:\\"|[^"])*)"|([^\s";]*))[\t ]*(?=;|$)/y;

/** What RFC 7578 section 4.7 has left of the transfer encodings: those that change nothing. */
const ENCODED = /^content-transfer-encoding:(?![\t ]*(?:binary|8bit|7bit)[\t ]*$)/i;

export const isMultipart = (contentType: string): boolean => MULTIPART.test(contentType);

/** Undefined when the header names none, or one that cannot be. */
export const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, token] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? token;
};

/** The field that a part is for; undefined when its headers are not those of a form's part. */
const nameOf = (headers: string): string | undefined => {
  const lines = headers.split('\r\n');
  const dispositions = lines.flatMap((line) => DISPOSITION.exec(line)?.[1] ?? []);
  const [parameters] = dispositions;
  if (parameters === undefined || dispositions.length > 1 || lines.some((line) => ENCODED.test(line)))
    return undefined;
  let name: string | undefined;
  for (let at = 0; at < parameters.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const [, key = '', quoted, token] = PARAMETER.exec(parameters) ?? [];
    if (key === '') return undefined;
    if (key.toLowerCase() === 'name') name ??= quoted ?? token;
  }
  return name;
};

/**
 * The parts of a whole multipart/form-data body (RFC 7578). Undefined when it is not well-formed up to its last
 * boundary, or has too many parts or too long headers. Takes time and memory in proportion to the number of parts, not
 * to what stands in them.
 */
export const readParts = (body: Buffer, boundary: string): readonly Part[] | undefined => {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const parts: Part[] = [];
  // The first one may stand at the very beginning, without the line end before it.
  const atStart = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2));
  let at = atStart ? delimiter.length - 2 : body.indexOf(delimiter) + delimiter.length;
  if (!atStart && at < delimiter.length) return undefined;
  for (;;) {
    if (body.toString('latin1', at, at + 2) === '--') return parts;
    while (body[at] === 0x20 || body[at] === 0x09) at += 1;
    if (body.toString('latin1', at, at + 2) !== '\r\n' || parts.length === PARTS_MOST) return undefined;
    const head = body.subarray(at + 2, at + 2 + HEADERS_LONGEST);
    const headLength = head.indexOf('\r\n\r\n');
    const name = headLength < 0 ? undefined : nameOf(head.toString('latin1', 0, headLength));
    const begin = at + 2 + headLength + 4;
    const end = body.indexOf(delimiter, begin);
    if (name === undefined || end < 0) return undefined;
    parts.push({ name, content: body.subarray(begin, end) });
    at = end + delimiter.length;
  }
};
