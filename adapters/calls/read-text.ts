/** The text of a response. Throws what `tooLong` makes for more than `most` bytes, and closes the connection. */
export const readText = async ({ body }: Response, most: number, tooLong: () => Error): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > most) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};
