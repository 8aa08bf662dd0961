import { acceptText } from './accept-text.ts';
import { dataKeyId } from './data-key.ts';
import type { Deps } from './deps.ts';
import { invalidFile } from './errors.ts';
import type { FilesPolicy } from './policy.ts';
import type { StoredFile } from './ports.ts';

/** The input for a new record: spec section 4.2, `POST /api/v1/meta`. */
export interface CreateFileInput {
  /** The encrypted filename, as the uploader's client made it. */
  readonly filenameEnc: string;
  /** Bytes of the file. */
  readonly size: number;
  /** The uploader's user id. */
  readonly user: string;
  readonly mimeType: string;
  /** The wrapped data-encryption key. */
  readonly dekEnc: string;
  /** Whether thumbnails are to be generated. */
  readonly thumb: boolean;
}

/** The answer to a creation. */
export interface CreateFileResult {
  readonly id: string;
  readonly filenameEnc: string;
  readonly size: number;
  readonly user: string;
  readonly mimeType: string;
  readonly dekEnc: string;
  /** ISO 8601. */
  readonly uploadedDate: string;
}

/** The answer to a single read. Its JSON text is stored and cached. */
export interface SingleFile {
  readonly id: string;
  readonly filenameEnc: string;
  readonly size: number;
  readonly mimeType: string;
  readonly dekEnc: string;
  readonly thumbs: { readonly mobile: boolean; readonly web: boolean; readonly webPre: boolean };
  readonly uploadedDate: string;
}

/** An item of a list: without the wrapped key, on purpose. */
export interface ListedFile {
  readonly id: string;
  readonly filenameEnc: string;
  readonly size: number;
  readonly mimeType: string;
  readonly thumb: boolean;
  readonly uploadedDate: string;
}

/** A new record with its id and time. */
export interface IdentifiedFile extends CreateFileInput {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly uploadedAt: number;
}

// RFC 6838 section 4.2: restricted names, without parameters.
const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;

/** Throws `invalid` (`invalid_request`) for an invalid user id. */
export const acceptUser = (user: string, { userLongest }: FilesPolicy, name = 'user'): void =>
  acceptText(name, user, userLongest);

/** Throws `invalid` (`invalid_request`) that names the invalid field. */
export const acceptFile = (file: CreateFileInput, policy: FilesPolicy): void => {
  acceptText('filenameEnc', file.filenameEnc, policy.filenameLongest);
  acceptText('dekEnc', file.dekEnc, policy.wrappedKeyLongest);
  acceptUser(file.user, policy);
  if (file.mimeType.length > policy.mimeTypeLongest || !MIME_TYPE.test(file.mimeType)) {
    throw invalidFile("'mimeType' must be a media type such as image/png.");
  }
  if (!Number.isSafeInteger(file.size) || file.size < 0) {
    throw invalidFile("'size' must be a whole number of bytes from 0 to 2^53-1.");
  }
};

/** The key of an entry in a cache. */
const CACHE_KEY = 'meta:';

const utf8Length = (text: string): number => {
  let bytes = text.length;
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair stands for two of the four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
};

/** The size of an entry in a cache: its UTF-8 bytes and those of its key. */
export const entryBytes = (id: string, entry: string): number =>
  utf8Length(entry) + CACHE_KEY.length + id.length;

/** A record as it is stored. */
export const storedFile = (file: IdentifiedFile, kms: Pick<Deps['kms'], 'keyOf'>): StoredFile => {
  const { id, filenameEnc, size, user, mimeType, dekEnc, thumb, uploadedAt } = file;
  const single: SingleFile = {
    id,
    filenameEnc,
    size,
    mimeType,
    dekEnc,
    thumbs: { mobile: thumb, web: thumb, webPre: thumb },
    uploadedDate: new Date(uploadedAt).toISOString(),
  };
  const entry = JSON.stringify(single);
  const item = itemOf(single);
  const bytes = entryBytes(id, entry);
  return { id, user, uploadedAt, size, entry, item, bytes, keyId: dataKeyId(dekEnc, kms) };
};

/** Parses an entry, which only `storedFile` writes. */
export const readEntry = (entry: string): SingleFile => JSON.parse(entry) as SingleFile;

/** The JSON text of a list item. */
const itemOf = ({ id, filenameEnc, size, mimeType, thumbs, uploadedDate }: SingleFile): string =>
  JSON.stringify({
    id,
    filenameEnc,
    size,
    mimeType,
    thumb: thumbs.web,
    uploadedDate,
  } satisfies ListedFile);

/** The list item of a record that an earlier version stored without it. */
export const itemOfEntry = (entry: string): string => itemOf(readEntry(entry));

/** Parses a list item, which only `itemOf` writes. */
export const readItem = (item: string): ListedFile => JSON.parse(item) as ListedFile;
