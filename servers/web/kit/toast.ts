import { signal } from '@preact/signals';

/** A short message that something is done; empty without one. */
export const message = signal('');

let timer: ReturnType<typeof setTimeout> | undefined;

const clearMessage = () => {
  message.value = '';
};

/** Shows a message for `milliseconds`, then clears it. */
export const tell = (text: string, milliseconds = 6_000): void => {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(clearMessage, milliseconds);
};

/** Keeps the message while the pointer is on it. */
export const keepMessage = (): void => clearTimeout(timer);
export const releaseMessage = (): void => tell(message.value, 2_000);
