import { signal } from '@preact/signals';

/** A short message that something is done; empty without one. */
export const message = signal('');

let timer: ReturnType<typeof setTimeout> | undefined;

const clearMessage = () => {
  message.value = '';
};

/** Shows a message for 6 seconds. */
export const tell = (text: string): void => {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(clearMessage, 6_000);
};

/** Keeps the message while the pointer is on it. */
export const keepMessage = (): void => clearTimeout(timer);
export const releaseMessage = (): void => {
  clearTimeout(timer);
  timer = setTimeout(clearMessage, 2_000);
};
