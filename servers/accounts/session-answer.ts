import { ok, type ResponseBody } from '../http/response-body.ts';

type Discriminants = 'status' | 'transport';
type WithoutDiscriminants<Result> = Result extends unknown ? Omit<Result, Discriminants> : never;

/**
 * The answer with the result of a call that gives secrets of a session. Embedding programs tell such results apart by `status`
 * and `transport`; over HTTP the answer has the members that the interface specification fixes, and no others. See decision 0112.
 */
export const okSession = <Result extends { readonly [Name in Discriminants]?: string }>(
  result: Result,
): ResponseBody<WithoutDiscriminants<Result>> => {
  const { status, transport, ...answer } = result;
  return ok(answer as WithoutDiscriminants<Result>);
};
