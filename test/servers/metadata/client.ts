import type { CreateFileInput } from '../../../core/index.ts';
import { type AnyJson, ask, type Reply, type TestService } from '../../support/service.ts';

export const SAMPLE: CreateFileInput = {
  filenameEnc: 'ZW5jcnlwdGVkIG5hbWU=',
  size: 52_417,
  user: 'u-1',
  mimeType: 'image/png',
  dekEnc: 'wrapped-by-somebody',
  thumb: true,
};

/** Calls the metadata service as an upload server does. */
export const makeClient = (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
    ask(url, method, path, { headers, ...(body !== undefined && { body }) });
  const post = (path: string, body: unknown) => call('POST', path, body);
  return {
    call,
    post,
    create: (input: Partial<CreateFileInput> = {}) => post('/api/v1/meta', { ...SAMPLE, ...input }),
    read: (id: string) => call('GET', `/api/v1/meta/${id}`),
    /** `query` begins with `&`. */
    list: (user: string, query = '') =>
      call('GET', `/api/v1/meta?userId=${encodeURIComponent(user)}${query}`),
    remove: (id: string) => call('DELETE', `/api/v1/meta/${id}`),
    /** Creates `count` file records of a user one after the other and returns their ids. */
    createSome: async (user: string, count: number): Promise<readonly string[]> => {
      const ids: string[] = [];
      while (ids.length < count) {
        const { body } = await post('/api/v1/meta', { ...SAMPLE, user, size: ids.length });
        ids.push(String(body.id));
      }
      return ids;
    },
  };
};

export type Client = ReturnType<typeof makeClient>;

/** Creates the client of the suite's service on first use. */
export const useClient = (service: () => TestService): (() => Client) => {
  let client: Client | undefined;
  return () => {
    client ??= makeClient(service().metadataUrl);
    return client;
  };
};

/** The items of a list response. */
export const itemsOf = ({ body }: { readonly body: AnyJson }): readonly AnyJson[] => {
  if (Array.isArray(body.files)) return body.files;
  throw new Error(`There is no list in ${JSON.stringify(body)}`);
};

export const idsOf = (reply: Reply): readonly string[] => itemsOf(reply).map(({ id }) => String(id));
