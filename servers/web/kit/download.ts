// The browser has begun to read the file by then; it may not have when the click returns.
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
