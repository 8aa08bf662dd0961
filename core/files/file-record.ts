import { TIME } from '../answer-schemas.ts';
import { isoTime } from '../iso-times.ts';
import { flag, integer, object, size, type TypeOf, text } from '../schema.ts';
import { acceptText } from './accept-text.ts';
import { DEK_ENC, dataKeyId } from './data-key.ts';
import type { Deps } from './deps.ts';
import { invalidFile } from './errors.ts';
import type { FilesPolicy } from './policy.ts';
import type { StoredFile } from './ports.ts';

// The bounds in these schemas are never stricter than the rules of `acceptFile`.

export const USER = text({
  minLength: 1,
  maxLength: 128,
  description: 'The uploader’s user id',
  examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
});

const MIME_TYPE = text({
  minLength: 3,
  maxLength: 255,
  description: 'A media type, without parameters',
  examples: ['image/png'],
});

/** The input for a new record: spec section 4.2, `POST /api/v1/meta`. */
export const createFileInput = object({
  filenameEnc: text({
    minLength: 1,
    maxLength: 4_096,
    description: 'The encrypted filename',
    examples: ['ZW5jcnlwdGVkIG5hbWU='],
  }),
  size: integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Bytes of the file',
    examples: [52_417],
  }),
  user: USER,
  mimeType: MIME_TYPE,
  dekEnc: DEK_ENC,
  thumb: flag({ description: 'Whether thumbnails are to be generated', examples: [true] }),
});
export type CreateFileInput = TypeOf<typeof createFileInput>;

export const FILE_ID = text({ format: 'uuid', examples: ['0199a0b1-a1b2-7c3d-8e4f-5a6b7c8d9e0f'] });
const THUMB = flag({ examples: [true] });
const FILENAME_ENC = text({ examples: ['ZW5jcnlwdGVkIG5hbWU='] });
const SIZE = size({ description: 'Bytes of the file', examples: [52_417] });

export const createFileResult = object(
  {
    id: FILE_ID,
    filenameEnc: FILENAME_ENC,
    size: SIZE,
    user: USER,
    mimeType: MIME_TYPE,
    dekEnc: DEK_ENC,
    uploadedDate: TIME,
  },
  { title: 'CreatedFile' },
);
export type CreateFileResult = TypeOf<typeof createFileResult>;

/** The answer to a single read. Its JSON text is stored and cached. */
export const singleFile = object(
  {
    id: FILE_ID,
    filenameEnc: FILENAME_ENC,
    size: SIZE,
    mimeType: MIME_TYPE,
    dekEnc: DEK_ENC,
    thumbs: object({ mobile: THUMB, web: THUMB, webPre: THUMB }),
    uploadedDate: TIME,
  },
  { title: 'SingleFile' },
);
export type SingleFile = TypeOf<typeof singleFile>;

/** An item of a list. It never has the wrapped key. */
export const listedFile = object(
  {
    id: FILE_ID,
    filenameEnc: FILENAME_ENC,
    size: SIZE,
    mimeType: MIME_TYPE,
    thumb: THUMB,
    uploadedDate: TIME,
  },
  { title: 'ListedFile' },
);
export type ListedFile = TypeOf<typeof listedFile>;

/** A new record with its id and time. */
export interface IdentifiedFile extends CreateFileInput {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly uploadedAt: number;
}

// RFC 6838 section 4.2: restricted names, without parameters.
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;

export const acceptUser = (user: string, { userLongest }: FilesPolicy, name = 'user'): void =>
  acceptText(name, user, userLongest);

/** Throws `invalid` (`invalid_request`), whose message names the invalid field. */
export const acceptFile = (file: CreateFileInput, policy: FilesPolicy): void => {
  acceptText('filenameEnc', file.filenameEnc, policy.filenameLongest);
  acceptText('dekEnc', file.dekEnc, policy.wrappedKeyLongest);
  acceptUser(file.user, policy);
  if (file.mimeType.length > policy.mimeTypeLongest || !MEDIA_TYPE.test(file.mimeType)) {
    throw invalidFile("'mimeType' must be a media type such as image/png.");
  }
  if (!Number.isSafeInteger(file.size) || file.size < 0) {
    throw invalidFile("'size' must be a whole number of bytes from 0 to 2^53-1.");
  }
};

/** The part of an entry's cache key before the id. */
const KEY_PREFIX = 'meta:';

/** The size of an entry in a cache: its UTF-8 bytes and those of its key. */
export const entryBytes = (id: string, entry: string): number =>
  new TextEncoder().encode(entry).length + KEY_PREFIX.length + id.length;

export const storedFile = (file: IdentifiedFile, kms: Pick<Deps['kms'], 'keyOf'>): StoredFile => {
  const { id, filenameEnc, size, user, mimeType, dekEnc, thumb, uploadedAt } = file;
  const single: SingleFile = {
    id,
    filenameEnc,
    size,
    mimeType,
    dekEnc,
    thumbs: { mobile: thumb, web: thumb, webPre: thumb },
    uploadedDate: isoTime(uploadedAt),
  };
  const entry = JSON.stringify(single);
  const item = itemOf(single);
  const bytes = entryBytes(id, entry);
  return { id, user, uploadedAt, size, entry, item, bytes, keyId: dataKeyId(dekEnc, kms) };
};

/** Parses an entry, which only `storedFile` and `reseal.ts` write. */
export const readEntry = (entry: string): SingleFile => JSON.parse(entry) as SingleFile;

const itemOf = ({ id, filenameEnc, size, mimeType, thumbs, uploadedDate }: SingleFile): string =>
  JSON.stringify({
    id,
    filenameEnc,
    size,
    mimeType,
    thumb: thumbs.web,
    uploadedDate,
  } satisfies ListedFile);

/** The list item of a record that an earlier version stored without an item. */
export const itemOfEntry = (entry: string): string => itemOf(readEntry(entry));

/** Parses a list item, which only `itemOf` writes. */
export const readItem = (item: string): ListedFile => JSON.parse(item) as ListedFile;
