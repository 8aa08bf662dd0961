// When the click returns, the browser may not have begun to read the file; within this time it has.
const READ_WITHIN_MS = 60_000;

/** Saves a text as a file of the media type. */
export const download = (name: string, text: string, type: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_WITHIN_MS);
};
