/** A mail as its reader sees it, whatever provider delivered it. */
export interface ReceivedMail {
  /** Decoded, by lower-case name; headers with the same name are joined by a line break. */
  readonly headers: Readonly<Record<string, string>>;
  /** Content types of the parts, in order. */
  readonly parts: readonly string[];
  readonly text: string;
  readonly html: string;
  /** Inline pictures in base64, by their content ids. */
  readonly images: Readonly<Record<string, string>>;
}

const fromQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Decodes RFC 2047 words; adjacent words are one text. */
const decodeWords = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/(?:=\?utf-8\?[qb]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi)].map(([, encoding, word = '']) =>
          encoding?.toLowerCase() === 'b'
            ? Buffer.from(word, 'base64')
            : fromQuotedPrintable(word.replace(/_/g, ' ')),
        ),
      ).toString(),
    );

const split = (raw: string): { readonly headers: Record<string, string>; readonly body: string } => {
  const end = raw.indexOf('\n\n');
  const headers: Record<string, string> = {};
  for (const line of raw
    .slice(0, end)
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = decodeWords(line.slice(colon + 1).trim());
    headers[name] = headers[name] === undefined ? value : `${headers[name]}\n${value}`;
  }
  return { headers, body: raw.slice(end + 2) };
};

const readPart = (raw: string): { readonly type: string; readonly content: string } => {
  const { headers, body } = split(raw);
  const encoding = headers['content-transfer-encoding']?.toLowerCase();
  const bytes = encoding === 'quoted-printable' ? fromQuotedPrintable(body) : Buffer.from(body, 'latin1');
  if (encoding === 'base64') throw new Error('A part is encoded in base64.');
  return { type: headers['content-type']?.split(';')[0] ?? '', content: bytes.toString() };
};

const partsOf = (body: string, boundary: string): readonly string[] => {
  const [, ...rest] = `\n${body}`.split(`\n--${boundary}`);
  if (!rest.pop()?.startsWith('--')) throw new Error('The last part has no end.');
  return rest.map((part) => part.slice(1));
};

/** The HTML part, and its pictures if it has any. */
const readRelated = (part: string) => {
  const { headers, body } = split(part);
  const boundary = /^multipart\/related;.* boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return { part, images: {} };
  const [html = '', ...pictures] = partsOf(body, boundary);
  const images = pictures.map((picture) => {
    const { headers: pictureHeaders, body: content } = split(picture);
    return [pictureHeaders['content-id']?.replace(/[<>]/g, '') ?? '', content.replace(/\n/g, '')];
  });
  return { part: html, images: Object.fromEntries(images) as Record<string, string> };
};

/** Parses a `multipart/alternative` mail; strict about the form that Gatehouse writes. */
export const readMail = (raw: string): ReceivedMail => {
  const { headers, body } = split(raw.replace(/\r\n/g, '\n'));
  const [, boundary] =
    /^multipart\/alternative; boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) throw new Error(`Not a multipart/alternative mail: ${headers['content-type']}`);
  const related = partsOf(body, boundary).map(readRelated);
  const parts = related.map(({ part }) => readPart(part));
  const images = Object.assign({}, ...related.map(({ images }) => images));
  const of = (type: string) => parts.find((part) => part.type === type)?.content ?? '';
  return {
    headers,
    parts: parts.map(({ type }) => type),
    text: of('text/plain'),
    html: of('text/html'),
    images,
  };
};
