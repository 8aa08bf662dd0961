/** Serializes a body with a file as a form, and any other as JSON. */
export const serializeBody = (body: unknown): string | FormData => {
  // `Object(undefined)` is an empty object: an absent body has no members.
  const members = Object.entries(Object(body));
  if (!members.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of members) form.set(name, value instanceof Blob ? value : String(value));
  return form;
};
