import type { Client } from 'openapi-fetch';
import type { TypedClient } from './types.ts';

/** The compiler cannot compare generic calls of two libraries; their results for a path are equal. */
export const typed = <Paths extends object>(client: Client<Paths>): TypedClient<Paths> =>
  client as unknown as TypedClient<Paths>;

/** A body with a file is sent as a form. */
export const serialize = (body: unknown): string | FormData => {
  const members = Object.entries(Object(body));
  if (!members.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of members) form.set(name, value instanceof Blob ? value : String(value));
  return form;
};
