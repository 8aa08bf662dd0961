import { signal } from '@preact/signals';

/** A short message that something is done, for 6 seconds. */
export const message = signal('');

let timer: ReturnType<typeof setTimeout> | undefined;

const clearMessage = () => {
  message.value = '';
};

export const tell = (text: string): void => {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(clearMessage, 6_000);
};

/** The message stays while the pointer is on it. */
export const keepMessage = (): void => clearTimeout(timer);
export const releaseMessage = (): void => {
  timer = setTimeout(clearMessage, 2_000);
};
