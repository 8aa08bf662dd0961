import { deflateSync } from 'node:zlib';
import { join } from '../../../support/images/bytes.ts';
import { PNG_SIGNATURE, pngChunk, pngHeader } from '../../../support/images/png.ts';
import { plainImages } from '../../../support/images/samples.ts';
import type { AnyJson, Reply, TestService, User } from '../../../support/service.ts';
import { openStorePorts } from '../../../support/store-ports.ts';

export const sample = (name: string): Uint8Array => {
  const bytes = plainImages[name];
  if (bytes === undefined) throw new Error(`There is no sample of ${name}.`);
  return bytes;
};

/** The smallest sample. */
export const smallestPng = sample('a PNG');

/** A PNG of exactly this many bytes, nearly all of them pixels. */
export const makePngOfLength = (length: number): Uint8Array => {
  const width = 700;
  const height = Math.floor((length - 2_000) / (3 * width + 1));
  const pixels = deflateSync(Buffer.alloc(height * (3 * width + 1)), { level: 0 });
  const build = (text: string) =>
    join(
      PNG_SIGNATURE,
      pngHeader({ width, height }),
      pngChunk('tEXt', text),
      pngChunk('IDAT', pixels),
      pngChunk('IEND'),
    );
  return build('x'.repeat(length - build('').length));
};

export interface File {
  readonly bytes: Uint8Array;
  readonly field?: string;
  readonly name?: string;
  readonly type?: string;
}

export const formOf = (...files: readonly File[]): FormData => {
  const form = new FormData();
  for (const { bytes, field = 'avatar', name = 'me.png', type = 'image/png' } of files) {
    form.append(field, new Blob([Uint8Array.from(bytes)], { type }), name);
  }
  return form;
};

type Token = Pick<User, 'token'>;

const readReply = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as AnyJson,
  };
};

/** Sends a form as a browser would. */
export const send = async ({ url }: TestService, { token }: Token, form: FormData): Promise<Reply> =>
  readReply(
    await fetch(`${url}/api/avatar`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    }),
  );

export const upload = (service: TestService, user: Token, bytes: Uint8Array): Promise<Reply> =>
  send(service, user, formOf({ bytes }));

/** Uploads an avatar that must be accepted, and returns its path. */
export const setAvatar = async (service: TestService, user: Token, bytes = smallestPng): Promise<string> => {
  const { status, body } = await upload(service, user, bytes);
  if (status !== 200) throw new Error(`The avatar was refused: ${JSON.stringify(body)}`);
  return String(body.avatar);
};

export interface ShownAvatar extends Pick<Reply, 'status' | 'headers'> {
  readonly bytes: Uint8Array;
}

/** The avatar as its owner gets it. */
export const show = async (
  { url }: TestService,
  { token }: Token,
  headers: Readonly<Record<string, string>> = {},
): Promise<ShownAvatar> => {
  const response = await fetch(`${url}/api/avatar`, {
    redirect: 'manual',
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
};

/** The paths of all objects that are stored for a user. */
export const storedFor = async (
  { folder }: Pick<TestService, 'folder'>,
  user: Pick<User, 'id'>,
): Promise<readonly string[]> => {
  const { objectsOf, close } = openStorePorts(folder);
  try {
    return await objectsOf(user.id);
  } finally {
    await close();
  }
};
