import type {
  ErrorResponse,
  IsOperationRequestBodyOptional,
  MediaType,
  OperationRequestBodyContent,
  Readable,
  RequiredKeysOf,
  SuccessResponse,
  Writable,
} from 'openapi-typescript-helpers';

// The calls have the types of openapi-fetch. Its declarations require the types of browsers or of Node.js, and an app may have
// neither, so the types are declared here again.

/** The platform's type if it is declared, otherwise the part of it that is used here. */
type PlatformType<Name extends string, Part> = typeof globalThis extends {
  readonly [Global in Name]: { readonly prototype: infer Whole };
}
  ? Whole
  : Part;

interface HeadersPart {
  get(name: string): string | null;
  has(name: string): boolean;
  set(name: string, value: string): void;
}

interface RequestPart {
  readonly method: string;
  readonly url: string;
  readonly headers: HeadersPart;
  clone(): RequestPart;
}

interface ResponsePart {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: HeadersPart;
  clone(): ResponsePart;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

interface BlobPart {
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export type WebRequest = PlatformType<'Request', RequestPart>;
export type WebResponse = PlatformType<'Response', ResponsePart>;
export type WebBlob = PlatformType<'Blob', BlobPart>;

/** The global `fetch`, or one in its place. */
export type Fetch = (request: WebRequest) => Promise<WebResponse>;

// `ReadAs` and `Options` are type aliases, not interfaces: if a package exports a function that wraps a call, the compiler must
// write their members into the package's declarations, since it cannot name an interface that this file does not export.

/** The forms other than JSON in which an answer can be read, each with the type of its data. */
type ReadAs = {
  readonly text: string;
  readonly blob: WebBlob;
  readonly arrayBuffer: ArrayBuffer;
  readonly stream: PlatformType<'ReadableStream', object> | null;
};

type Scalar = string | number | boolean | null | undefined;

type Options = {
  readonly headers?: Readonly<Record<string, Scalar>>;
  readonly signal?: PlatformType<'AbortSignal', object> | null;
  readonly parseAs?: keyof ReadAs | 'json';
};

/** Members of a call by its operation `Op` in the OpenAPI document. */
type Params<Op> = Op extends { parameters: object }
  ? RequiredKeysOf<Op['parameters']> extends never
    ? { params?: Op['parameters'] }
    : { params: Op['parameters'] }
  : { params?: { query?: Readonly<Record<string, unknown>> } };

type Body<Op> =
  Writable<OperationRequestBodyContent<Op>> extends never
    ? { body?: never }
    : IsOperationRequestBodyOptional<Op> extends true
      ? { body?: Writable<OperationRequestBodyContent<Op>> }
      : { body: Writable<OperationRequestBodyContent<Op>> };

type Init<Op> = Params<Op> & Body<Op> & Options;

type MaybeInit<Op> = RequiredKeysOf<Init<Op>> extends never ? Init<Op> | undefined : Init<Op>;

/** The argument after the path. It is optional if none of its members is required. */
type InitArgument<CallInit> = RequiredKeysOf<CallInit> extends never ? [CallInit?] : [CallInit];

type Data<Json, CallInit> = CallInit extends { readonly parseAs: infer Format extends keyof ReadAs }
  ? ReadAs[Format]
  : Json;

// biome-ignore lint/suspicious/noExplicitAny: required by the helpers of openapi-typescript
type ResponsesOf<Op> = Op extends { readonly responses: infer Map extends Record<number, any> } ? Map : never;

type PathsWith<Paths, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends { readonly [Name in Method]: object } ? Path : never;
}[keyof Paths];

type Operation<Paths, Path extends keyof Paths, Method extends string> = Paths[Path] extends {
  readonly [Name in Method]: infer Op;
}
  ? Op
  : never;

/** The result of a call: `data` if its status is a success, otherwise `error`. */
export type CallResult<Op, CallInit> =
  | {
      data: Data<Readable<SuccessResponse<ResponsesOf<Op>, MediaType>>, CallInit>;
      error?: never;
      response: WebResponse;
    }
  | { data?: never; error: Readable<ErrorResponse<ResponsesOf<Op>, MediaType>>; response: WebResponse };

type Call<Paths, Method extends string> = <
  Path extends PathsWith<Paths, Method>,
  CallInit extends MaybeInit<Operation<Paths, Path, Method>>,
>(
  path: Path,
  ...init: InitArgument<CallInit>
) => Promise<CallResult<Operation<Paths, Path, Method>, CallInit>>;

/** A service's calls by method. The path of a call determines its types. */
export interface TypedClient<Paths> {
  readonly GET: Call<Paths, 'get'>;
  readonly POST: Call<Paths, 'post'>;
  readonly PATCH: Call<Paths, 'patch'>;
  readonly DELETE: Call<Paths, 'delete'>;
}
